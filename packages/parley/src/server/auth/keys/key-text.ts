import { sha256, toBase64Url, toHex } from '../../../model/basics/bytes.ts';

/** Keys are `pk_ID_SECRET`: tools that look for leaked secrets can tell them, and operators which one it is. */
const PREFIX = 'pk_';
const ID_BYTES = 5;
/** 192 bits. */
const SECRET_BYTES = 24;

interface NewKey {
  readonly id: string;
  /** Shown once and kept nowhere. */
  readonly key: string;
  readonly hash: string;
}

export async function newKey(id: string = randomId()): Promise<NewKey> {
  const key = `${PREFIX}${id}_${toBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`;
  return { id, key, hash: await hashKey(key) };
}

export async function hashKey(key: string): Promise<string> {
  return `sha256:${toBase64Url(await sha256(key))}`;
}

/** The id in a key that has one. */
export function idOf(key: string): string | undefined {
  if (!key.startsWith(PREFIX)) return undefined;
  const end = key.indexOf('_', PREFIX.length);
  return end === -1 ? undefined : key.slice(PREFIX.length, end);
}

function randomId(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
}
