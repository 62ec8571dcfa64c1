import type { Awaitable } from '../../../engine/ports.ts';
import type { ApiKeyScheme } from '../../../model/card.ts';
import { type Authenticator, type AuthRequest, type AuthTools, type Identity, UNOPENED } from '../authenticator.ts';
import { credentialFor } from '../credentials.ts';
import { sha256 } from '../digest.ts';
import { IdentityCache } from '../identity-cache.ts';
import { KeyFile } from '../node/key-file.ts';
import { verifyPassword } from '../node/scrypt.ts';
import { wrongCredential } from '../refusals.ts';
import { whenKnown } from '../when-known.ts';
import { checkedKeys, type KeyEntry } from './key-record.ts';
import { KeyRing } from './key-ring.ts';

/** Longer keys are refused before anything is computed from them. */
export const LONGEST_KEY = 512;

/** Where a key stands in a request: the name of one header, query parameter or cookie. */
export type KeyPlace = { readonly header: string } | { readonly query: string } | { readonly cookie: string };

export interface ApiKeysOptions {
  /** The keys themselves. */
  readonly keys?: readonly KeyEntry[] | undefined;
  /** A JSON file `{ "keys": […] }` that `parley keys` writes; changes take effect while the server runs. */
  readonly file?: string | undefined;
  /** Default: the header `X-API-Key`. */
  readonly in?: KeyPlace | undefined;
  /** The scheme's name on the card. Default `apiKey`. */
  readonly name?: string | undefined;
}

/** Where the keys of an authenticator come from. */
export interface KeySource {
  /** The keys as they are now; another ring whenever they have changed. */
  current(tools: AuthTools): Awaitable<KeyRing>;
}

/** Identifies callers by API keys, of which only hashes are kept. */
export function apiKeys(options: ApiKeysOptions): Authenticator {
  const { name = 'apiKey' } = options;
  const scheme = schemeOf(options.in ?? { header: 'X-API-Key' });
  const source = sourceOf(options);
  const known = new IdentityCache();
  let ring: KeyRing | undefined;
  let tools: AuthTools = UNOPENED;

  function check(text: string, current: KeyRing): Awaitable<Identity> {
    if (ring !== current) {
      ring = current;
      known.clear();
    }
    return known.get(text, tools.now()) ?? find(text, current);
  }

  async function find(text: string, current: KeyRing): Promise<Identity> {
    const identity = current.find(await sha256(text)) ?? (await findWeak(text, current));
    if (identity === undefined) throw wrongCredential(name, 'there is no such key');
    if (ring === current) known.set(text, identity);
    return identity;
  }

  async function findWeak(text: string, current: KeyRing): Promise<Identity | undefined> {
    for (const { hash, identity } of current.weakCandidates(text)) {
      if (await verifyPassword(text, hash)) return identity;
    }
    return undefined;
  }

  return {
    name,
    scheme,
    async open(opened) {
      tools = opened;
      await source.current(opened);
    },
    authenticate(request: AuthRequest) {
      const text = credentialFor(scheme, request);
      if (text === undefined) return undefined;
      if (text.length > LONGEST_KEY) throw wrongCredential(name, 'the key is too long');
      return whenKnown(source.current(tools), (current) => check(text, current));
    },
  };
}

function sourceOf({ keys, file }: ApiKeysOptions): KeySource {
  if ((keys === undefined) === (file === undefined)) throw new TypeError('apiKeys: give either keys or a file');
  if (file !== undefined) return new KeyFile(file);
  const ring = new KeyRing(checkedKeys(keys));
  return { current: () => ring };
}

function schemeOf(place: KeyPlace): ApiKeyScheme {
  const places = Object.entries(place) as readonly [ApiKeyScheme['in'], string][];
  const [only] = places;
  if (places.length !== 1 || only === undefined || !['header', 'query', 'cookie'].includes(only[0]) || !only[1]) {
    throw new TypeError('apiKeys: in must name one header, query or cookie');
  }
  return { type: 'apiKey', in: only[0], name: only[1] };
}
