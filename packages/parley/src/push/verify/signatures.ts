import { fromBase64, type OwnBytes, type WebKey } from '../../model/basics/bytes.ts';
import { SIGNATURE_HEADER } from '../signature/headers.ts';
import { PushError } from './push-error.ts';

/** The way in which a notification was verified. */
type SignatureScheme = 'v1' | 'v1a';

/** One of the signatures of a header. */
interface Signature {
  readonly scheme: SignatureScheme;
  readonly bytes: OwnBytes;
}

/** More than a rotation needs, and few enough to try. */
const MOST_SIGNATURES = 16;
const LONGEST_HEADER = 8 * 1024;
const SIZES: Readonly<Record<SignatureScheme, number>> = { v1: 32, v1a: 64 };

/** The signatures of a header; those of unknown schemes are passed over. */
export function readSignatures(header: string): readonly Signature[] {
  if (header.length > LONGEST_HEADER) throw new PushError('INVALID_HEADER', `${SIGNATURE_HEADER} is too long`);
  const signatures: Signature[] = [];
  for (const text of header.split(' ').slice(0, MOST_SIGNATURES)) {
    const [scheme, value = ''] = text.split(',');
    const bytes = fromBase64(value);
    if ((scheme === 'v1' || scheme === 'v1a') && bytes?.length === SIZES[scheme]) signatures.push({ scheme, bytes });
  }
  return signatures;
}

/** True if one of the signatures is one of these keys'. Web Cryptography compares in constant time. */
export async function isSignedBy(keys: readonly WebKey[], signatures: readonly Signature[], signed: OwnBytes) {
  for (const key of keys) {
    const { name } = key.algorithm;
    const scheme: SignatureScheme = name === 'HMAC' ? 'v1' : 'v1a';
    for (const signature of signatures) {
      if (signature.scheme === scheme && (await crypto.subtle.verify(name, key, signature.bytes, signed))) return true;
    }
  }
  return false;
}
