import { createPublicKey, verify } from 'node:crypto';
import { cardPayload } from '../../../cards/payload/card-payload.ts';
import type { Server } from '../../probe/server.ts';
import type { Rule } from '../../rule.ts';
import { fail, inapplicable, skip } from '../../verdict.ts';
import { isObject, type JsonObject, listAt, textAt } from '../../wire/json.ts';
import { fetchFrom } from './served.ts';

interface Signed {
  readonly protectedHeader: string;
  readonly signature: string;
  readonly header: JsonObject;
}

/** The signatures of the 1.0 card with their protected headers. */
function signaturesOf({ cards }: Server): readonly Signed[] {
  const { card, exchange } = cards['1.0'];
  const signatures = listAt(card, 'signatures') ?? [];
  if (signatures.length === 0) inapplicable('the card is not signed');
  return signatures.map((entry) => {
    const protectedHeader = textAt(entry, 'protected') ?? fail('a signature has no protected header', exchange);
    const signature = textAt(entry, 'signature') ?? fail('a signature has no signature', exchange);
    const header = decoded(protectedHeader);
    return { protectedHeader, signature, header: header ?? fail('a protected header is no JSON object', exchange) };
  });
}

function decoded(text: string): JsonObject | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

/** The key of a signature, from the address that it names if that is the server's own, or from the usual one. */
async function keyOf(server: Server, header: JsonObject): Promise<JsonObject | undefined> {
  const { origin } = new URL(server.cardUrl);
  const named = textAt(header, 'jku');
  const own = named !== undefined && URL.canParse(named) && new URL(named).origin === origin ? [named] : [];
  for (const url of new Set([...own, `${origin}/.well-known/jwks.json`])) {
    const { got } = await fetchFrom(server, url);
    const keys = got?.status === 200 ? (listAt(decodedKeys(got.text), 'keys') ?? []) : [];
    const found = keys.find((key) => textAt(key, 'kid') === textAt(header, 'kid'));
    if (isObject(found)) return found;
  }
  return undefined;
}

function decodedKeys(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Hashes of the algorithms that cards are signed with; EdDSA has its own. */
const HASHES: Readonly<Record<string, string | null>> = {
  EdDSA: null,
  Ed25519: null,
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
  RS256: 'sha256',
  RS384: 'sha384',
  RS512: 'sha512',
};

function verifies(input: string, signature: string, key: JsonObject, alg: string): boolean {
  const hash = Object.hasOwn(HASHES, alg) ? HASHES[alg] : undefined;
  if (hash === undefined) return skip(`the check does not know the algorithm ${alg}`);
  try {
    const publicKey = createPublicKey({ key, format: 'jwk' });
    const bytes = Buffer.from(signature, 'base64url');
    return verify(hash, Buffer.from(input), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
  } catch {
    return false;
  }
}

export const CARD_SIGNING: readonly Rule[] = [
  {
    id: 'card.sign-header',
    server(server) {
      for (const { header } of signaturesOf(server)) {
        const missing = ['alg', 'kid'].find((name) => !textAt(header, name));
        if (missing !== undefined) fail(`a protected header has no ${missing}`, server.cards['1.0'].exchange);
        if (header.alg === 'none') fail('a signature has the algorithm none', server.cards['1.0'].exchange);
      }
    },
  },
  {
    id: 'card.sign-payload',
    async server(server) {
      const { card = {}, exchange } = server.cards['1.0'];
      const payload = Buffer.from(cardPayload(card)).toString('base64url');
      let tried = 0;
      for (const { protectedHeader, signature, header } of signaturesOf(server)) {
        const key = await keyOf(server, header);
        if (key === undefined) continue;
        tried += 1;
        // A card may have further signatures, over the forms that some libraries sign.
        if (verifies(`${protectedHeader}.${payload}`, signature, key, textAt(header, 'alg') ?? '')) return;
      }
      if (tried === 0) skip('no key for the signatures was found at the server');
      fail('no signature fits the canonical form of the card', exchange);
    },
  },
];
