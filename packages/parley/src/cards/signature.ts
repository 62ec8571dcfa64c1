import { isPlainObject } from '../model/basics/json.ts';
import { decodeBase64url } from './base64url.ts';

export type { AgentCardSignature as CardSignature } from '../model/card.ts';

/**
 * Marks a signature over another form of the card than the protocol's, in its protected header. Libraries that need that form
 * pass over the mark; a client that knows the protocol's form passes over the signature, so that nobody gets it to trust less
 * of a card by taking the other signature away.
 */
export const FORM_MARK = 'urn:parley:payload-form';

/** The longest protected header that is read, in characters. */
const LONGEST_HEADER = 8_192;

/** The members of a protected header; a sentence if it is invalid. */
export function readProtectedHeader(text: unknown): Readonly<Record<string, unknown>> | string {
  if (typeof text !== 'string' || text === '') return 'it has no protected header';
  if (text.length > LONGEST_HEADER) return `its protected header is longer than ${LONGEST_HEADER} characters`;
  const bytes = decodeBase64url(text);
  if (!bytes) return 'its protected header is not base64url';
  try {
    const header: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isPlainObject(header) ? header : 'its protected header is not a JSON object';
  } catch {
    return 'its protected header is not JSON';
  }
}
