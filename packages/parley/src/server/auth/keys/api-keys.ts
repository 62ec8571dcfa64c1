import { sha256 } from '../../../model/basics/bytes.ts';
import type { ApiKeyScheme } from '../../../model/card.ts';
import { anything, type Checks, checkOptions, filled } from '../../../model/options/checks.ts';
import { type Authenticator, type AuthRequest, type AuthTools, type Identity, UNOPENED } from '../authenticator.ts';
import { credentialFor } from '../credentials.ts';
import { whenKnown } from '../guard/when-known.ts';
import { KeyFile } from '../node/key-file.ts';
import { verifyPassword } from '../node/scrypt.ts';
import { wrongCredential } from '../refusals.ts';
import { checkedKeys, type KeyEntry } from './key-record.ts';
import { KeyRing } from './key-ring.ts';
import type { KeySource } from './key-source.ts';
import { StoreKeys } from './store-keys.ts';

/** Longer keys are refused before anything is computed from them. */
export const LONGEST_KEY = 512;

/** The place of a key in a request: the name of one header, query parameter or cookie. */
export type KeyPlace = { readonly header: string } | { readonly query: string } | { readonly cookie: string };

export interface ApiKeysOptions {
  /** The keys themselves. */
  readonly keys?: readonly KeyEntry[] | undefined;
  /** A JSON file `{ "keys": […] }` that `parley keys` writes; changes take effect while the server runs. */
  readonly file?: string | undefined;
  /** The place of the key in a request. Default: the header `X-API-Key`. */
  readonly in?: KeyPlace | undefined;
  /** The scheme's name on the card. Default `apiKey`. */
  readonly name?: string | undefined;
}

/** Keys and their place are looked at by themselves. */
const OPTIONS: Checks<ApiKeysOptions> = { keys: anything, file: filled, in: anything, name: filled };

/** Identifies callers by API keys, of which only hashes are kept: in `keys`, in a `file`, else in the server's store. */
export function apiKeys(options: ApiKeysOptions = {}): Authenticator {
  checkOptions('apiKeys', options, OPTIONS);
  const { name = 'apiKey' } = options;
  const scheme = schemeOf(options.in ?? { header: 'X-API-Key' });
  const source = sourceOf(options);
  let tools: AuthTools = UNOPENED;

  async function find(text: string, ring: KeyRing): Promise<Identity> {
    const identity = ring.find(await sha256(text)) ?? (await findWeak(text, ring));
    if (identity === undefined) throw wrongCredential(name, 'there is no such key');
    ring.known.set(text, identity);
    return identity;
  }

  async function findWeak(text: string, ring: KeyRing): Promise<Identity | undefined> {
    for (const { hash, identity } of ring.weakCandidates(text)) {
      if (await verifyPassword(text, hash)) return identity;
    }
    return undefined;
  }

  return {
    name,
    scheme,
    async open(opened) {
      tools = opened;
      await source.open?.(opened);
    },
    authenticate(request: AuthRequest) {
      const text = credentialFor(scheme, request);
      if (text === undefined) return undefined;
      if (text.length > LONGEST_KEY) throw wrongCredential(name, 'the key is too long');
      return whenKnown(source.ringFor(text, tools), (ring) => ring.known.get(text, 0) ?? find(text, ring));
    },
  };
}

function sourceOf({ keys, file }: ApiKeysOptions): KeySource {
  if (keys !== undefined && file !== undefined) throw new TypeError('apiKeys: give either keys or a file');
  if (file !== undefined) return new KeyFile(file);
  if (keys === undefined) return new StoreKeys();
  const ring = new KeyRing(checkedKeys(keys));
  return { ringFor: () => ring };
}

function schemeOf(place: KeyPlace): ApiKeyScheme {
  const places = Object.entries(place) as readonly [ApiKeyScheme['in'], string][];
  const [only] = places;
  if (places.length !== 1 || only === undefined || !['header', 'query', 'cookie'].includes(only[0]) || !only[1]) {
    throw new TypeError('apiKeys: in must name one header, query or cookie');
  }
  return { type: 'apiKey', in: only[0], name: only[1] };
}
