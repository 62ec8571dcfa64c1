import { toBase64Url } from '../model/basics/bytes.ts';
import { encodeTextBase64url } from './base64url.ts';
import { type Algorithm, algorithmNamed } from './keys/algorithms.ts';
import { type CardKey, readSigningKey, type SigningKey } from './keys/signing-key.ts';
import { sign } from './keys/web-crypto.ts';
import { type CardJson, cardPayload, PAYLOAD_FORMS } from './payload/card-payload.ts';
import { type CardSignature, FORM_MARK } from './signature.ts';

/**
 * Signs a card of 1.0: its signatures stay, and one is added for each key (reference: v1-agent-card §6.3). Where libraries in
 * use would sign another form of this very card, signatures over those forms are added too, so that their users can verify it.
 *
 * @example
 * const signed = await signCard(card, { key: await readFile('card-key.pem', 'utf8'), kid: 'card-2026' });
 */
export async function signCard(card: CardJson, keys: CardKey | readonly CardKey[]): Promise<CardJson> {
  const ready = await Promise.all([keys].flat().map((key) => readSigningKey(key)));
  const { signatures: before } = card;
  return { ...card, signatures: [...(Array.isArray(before) ? before : []), ...(await signaturesOf(card, ready))] };
}

/** The signatures of a card by some keys: those over the protocol's form first. */
export async function signaturesOf(card: CardJson, keys: readonly SigningKey[]): Promise<readonly CardSignature[]> {
  const payloads = new Map<string, string | undefined>();
  for (const form of PAYLOAD_FORMS) {
    const payload = cardPayload(card, form);
    if (!payloads.has(payload)) payloads.set(payload, form === 'standard' ? undefined : form);
  }
  const signing = [...payloads].flatMap(([payload, form]) => keys.map((key) => signPayload(payload, form, key)));
  return Promise.all(signing);
}

async function signPayload(payload: string, form: string | undefined, key: SigningKey): Promise<CardSignature> {
  const { alg, kid, jku, privateKey } = key;
  // In this order the header is that of the reference's test vector.
  const header = { alg, typ: 'JOSE', kid, ...(jku !== undefined && { jku }), ...(form && { [FORM_MARK]: form }) };
  const text = encodeTextBase64url(JSON.stringify(header));
  const signed = new TextEncoder().encode(`${text}.${encodeTextBase64url(payload)}`);
  const signature = await sign(privateKey, algorithmNamed(alg) as Algorithm, signed);
  return { protected: text, signature: toBase64Url(signature) };
}
