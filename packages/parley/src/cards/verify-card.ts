import { isPlainObject } from '../model/basics/json.ts';
import { A2AError, quoted } from '../model/errors/errors.ts';
import { decodeBase64url, encodeTextBase64url } from './base64url.ts';
import { ALGORITHM_NAMES, algorithmNamed } from './keys/algorithms.ts';
import { type TrustedKeys, type TrustSettings, trustedKeys } from './keys/trusted-keys.ts';
import { verify } from './keys/web-crypto.ts';
import { type CardJson, cardPayload, PAYLOAD_FORMS, type PayloadForm } from './payload/card-payload.ts';
import { FORM_MARK, readProtectedHeader } from './signature.ts';

/** A card whose signature holds. */
export interface VerifiedCard {
  /** The members that the signature covers, and no others. */
  readonly card: CardJson;
  /** The name of the key. */
  readonly kid: string;
  readonly alg: string;
  /** The form of the card that was signed. */
  readonly form: PayloadForm;
}

/** The most signatures of a card that are checked. */
const MOST_SIGNATURES = 16;

/**
 * Verifies a published card: one signature by a trusted key is enough (reference: v1-agent-card §6.4). The key is found by
 * its name among those that are trusted; an address in the signature (`jku`) is never asked.
 *
 * @throws A2AError UNTRUSTED_CARD, which says what is wrong with each signature; UNREACHABLE where keys cannot be had
 */
export async function verifyWith(keys: TrustedKeys, published: unknown, signal?: AbortSignal): Promise<VerifiedCard> {
  if (!isPlainObject(published)) throw untrusted('it is not a JSON object');
  const { signatures } = published;
  if (!Array.isArray(signatures) || signatures.length === 0) throw untrusted('it is not signed');
  const payloads = new Payloads(published);
  const problems: string[] = [];
  for (const [index, entry] of signatures.slice(0, MOST_SIGNATURES).entries()) {
    const result = await verifySignature(entry, { keys, payloads, signal });
    if (typeof result === 'object') return result;
    if (result !== undefined) problems.push(`signature ${index + 1}: ${result}`);
  }
  if (signatures.length > MOST_SIGNATURES) problems.push(`no more than ${MOST_SIGNATURES} signatures are looked at`);
  throw untrusted(problems.join('; ') || 'its signatures are meant for libraries that sign another form of cards');
}

/** The forms of one card, each written when it is needed. */
class Payloads {
  readonly #card: CardJson;
  readonly #texts = new Map<PayloadForm, string>();

  constructor(card: CardJson) {
    this.#card = card;
  }

  text(form: PayloadForm): string {
    const known = this.#texts.get(form);
    if (known !== undefined) return known;
    let text: string;
    try {
      text = cardPayload(this.#card, form);
    } catch (error) {
      throw untrusted(error instanceof Error ? error.message : 'it cannot be written in the form that is signed');
    }
    this.#texts.set(form, text);
    return text;
  }
}

interface Verification {
  readonly keys: TrustedKeys;
  readonly payloads: Payloads;
  readonly signal: AbortSignal | undefined;
}

/** The card; or what is wrong with the signature. Undefined for one that says of itself that it covers less. */
async function verifySignature(
  entry: unknown,
  { keys, payloads, signal }: Verification,
): Promise<VerifiedCard | string | undefined> {
  if (!isPlainObject(entry)) return 'it is not a JSON object';
  const header = readProtectedHeader(entry.protected);
  if (typeof header === 'string') return header;
  const { alg, kid } = header;
  if (typeof alg !== 'string') return 'its protected header has no alg';
  const algorithm = algorithmNamed(alg);
  if (!algorithm) return `alg "${quoted(alg)}" is not one of ${ALGORITHM_NAMES.join(', ')}`;
  if (typeof kid !== 'string' || kid === '') return 'its protected header has no kid';
  if (header.crit !== undefined) return 'its protected header has extensions that must be understood (crit)';
  const named = `of key "${quoted(kid)}"`;
  if (header[FORM_MARK] !== undefined) return undefined;
  const signature = typeof entry.signature === 'string' ? decodeBase64url(entry.signature) : undefined;
  if (!signature) return `${named}: it is not base64url`;
  const found = await keys.find(kid, alg, signal);
  if (found.keys.length === 0) return `${named}: ${found.refusals[0] ?? 'no key of that name is trusted'}`;
  for (const form of PAYLOAD_FORMS) {
    const payload = payloads.text(form);
    const signed = new TextEncoder().encode(`${String(entry.protected)}.${encodeTextBase64url(payload)}`);
    for (const key of found.keys) {
      if (await verify(key, algorithm, signature, signed))
        return { card: JSON.parse(payload) as CardJson, kid, alg, form };
    }
  }
  return `${named}: it does not fit the card, which was changed or signed by somebody else`;
}

function untrusted(problem: string): A2AError {
  return new A2AError('UNTRUSTED_CARD', `The agent card is not trusted: ${problem}`);
}

/** Verifies a card that is there as JSON. See `verifyWith`; a set of keys is fetched for every call. */
export function verifyCard(published: unknown, trust: TrustSettings, signal?: AbortSignal): Promise<VerifiedCard> {
  return verifyWith(trustedKeys(trust, { fetch, now: Date.now }), published, signal);
}
