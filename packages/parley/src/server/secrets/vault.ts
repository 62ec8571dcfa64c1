import type { Logger, Vault } from '../../engine/ports.ts';
import { toBase64Url } from '../../model/basics/bytes.ts';
import { fromBase64Url } from '../auth/digest.ts';

/** A key of a server, or several: the first one encrypts, the others open what they encrypted when they were first. */
export type SecretKey = string | Uint8Array;

/** Fewer bytes could be guessed. */
const SHORTEST_KEY_BYTES = 16;
const PIECE_BYTES = 3 * 8_192;
const VERSION = 'v1';
const IV_BYTES = 12;
const KEY_NAME_BYTES = 6;
const PURPOSE = 'parley secrets v1';
const NAMING_PURPOSE = 'parley secrets v1 key name';

interface DerivedKey {
  /** Tells which key has encrypted something, and nothing of the key itself. */
  readonly name: string;
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
}

/** Makes the vault of a server from `secretKey`; undefined if there is none. Throws a TypeError for invalid keys. */
export function vaultOf(
  given: SecretKey | readonly SecretKey[] | undefined,
  log: Pick<Logger, 'error'>,
): Vault | undefined {
  if (given === undefined) return undefined;
  const keys = (isList(given) ? given : [given]).map(bytesOfKey);
  if (keys.length === 0) throw new TypeError('secretKey: the list of keys is empty');
  return new KeyVault(keys, log);
}

/** Encrypts with AES-256-GCM; the keys are derived with HKDF (SHA-256) when they are first needed. */
class KeyVault implements Vault {
  readonly #given: readonly Uint8Array<ArrayBuffer>[];
  readonly #log: Pick<Logger, 'error'>;
  #derived: Promise<readonly DerivedKey[]> | undefined;

  constructor(keys: readonly Uint8Array<ArrayBuffer>[], log: Pick<Logger, 'error'>) {
    this.#given = keys;
    this.#log = log;
  }

  async seal(text: string, subject: string): Promise<string> {
    const [first] = await this.#keys();
    if (!first) throw new Error('There is no secretKey');
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const content = new TextEncoder().encode(text);
    const sealed = new Uint8Array(await crypto.subtle.encrypt(cipherOf(iv, subject), first.key, content));
    return [VERSION, first.name, toBase64Url(iv), textFrom(sealed)].join('.');
  }

  async open(sealed: string, subject: string): Promise<string | undefined> {
    const [version, name, iv = '', content = ''] = sealed.split('.');
    const known = (await this.#keys()).find((key) => key.name === name);
    if (version !== VERSION || !known) {
      return this.#refuse('it was encrypted with a key that secretKey does not have', subject);
    }
    try {
      const cipher = cipherOf(bytesFrom(iv), subject);
      return new TextDecoder().decode(await crypto.subtle.decrypt(cipher, known.key, bytesFrom(content)));
    } catch {
      return this.#refuse('it is damaged, or belongs to something else', subject);
    }
  }

  #refuse(why: string, taskId: string): undefined {
    this.#log.error(`A secret of a task cannot be read: ${why}. Its run asks for it again`, { taskId });
    return undefined;
  }

  #keys(): Promise<readonly DerivedKey[]> {
    this.#derived ??= Promise.all(this.#given.map(derive));
    return this.#derived;
  }
}

async function derive(bytes: Uint8Array<ArrayBuffer>): Promise<DerivedKey> {
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey', 'deriveBits']);
  const [key, name] = await Promise.all([
    crypto.subtle.deriveKey(derivation(PURPOSE), base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    crypto.subtle.deriveBits(derivation(NAMING_PURPOSE), base, KEY_NAME_BYTES * 8),
  ]);
  return { key, name: toBase64Url(new Uint8Array(name)) };
}

function derivation(purpose: string) {
  const info = new TextEncoder().encode(purpose);
  return { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info };
}

function cipherOf(iv: Uint8Array<ArrayBuffer>, subject: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(subject) };
}

function bytesFrom(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(fromBase64Url(text));
}

/** In pieces of whole groups of characters: a secret may be a large file. */
function textFrom(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    text += toBase64Url(bytes.subarray(start, start + PIECE_BYTES));
  }
  return text;
}

function bytesOfKey(key: SecretKey): Uint8Array<ArrayBuffer> {
  const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : new Uint8Array(key);
  if (bytes.length >= SHORTEST_KEY_BYTES) return bytes;
  throw new TypeError(`secretKey: a key must have at least ${SHORTEST_KEY_BYTES} bytes; take 32 random ones`);
}

function isList(given: SecretKey | readonly SecretKey[]): given is readonly SecretKey[] {
  return Array.isArray(given);
}
