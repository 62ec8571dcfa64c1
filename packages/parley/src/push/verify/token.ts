import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { sha256, toHex } from '../../model/basics/bytes.ts';
import { JWT_HEADER, SIGNATURE_HEADER } from '../signature/headers.ts';
import type { VerifyOptions } from './options.ts';
import { PushError } from './push-error.ts';
import { headerOf, type ReceivedHeaders } from './received-request.ts';
import type { RemotePushKeys } from './remote-keys.ts';

/** Seconds by which the clocks may differ when a token expires. */
const CLOCK_SKEW = 60;
const LONGEST_TOKEN = 8 * 1024;
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
/** The names of the claim with the digest of the body: ours, and that of samples of A2A. */
const DIGEST_CLAIMS = ['sha256', 'request_body_sha256'];

/** The claims of a token, all of them checked. */
interface TokenContent {
  readonly id: string;
  /** In seconds since the epoch. */
  readonly timestamp: number;
}

/** The token of a request: in its own header; or as a Bearer credential, where nothing else is signed. */
export function tokenOf(headers: ReceivedHeaders): string | undefined {
  const own = headerOf(headers, JWT_HEADER);
  if (own !== undefined || headerOf(headers, SIGNATURE_HEADER) !== undefined) return own;
  const [scheme = '', credential = ''] = (headerOf(headers, 'authorization') ?? '').split(' ');
  return scheme.toLowerCase() === 'bearer' && credential.split('.').length === 3 ? credential : undefined;
}

/** Verifies the token and that it is about this body. Throws a `PushError`. */
export async function verifyToken(
  token: string,
  body: Uint8Array,
  keys: RemotePushKeys,
  { issuer, audience, now }: Pick<VerifyOptions, 'issuer' | 'audience'> & { readonly now: number },
): Promise<TokenContent> {
  if (token.length > LONGEST_TOKEN) throw new PushError('INVALID_HEADER', 'The JWT is too long');
  const payload = await verifySignature(token, keys, {
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_SKEW,
    currentDate: new Date(now),
    requiredClaims: ['iat', 'jti'],
    ...(issuer !== undefined && { issuer }),
    ...(audience !== undefined && { audience }),
  });
  const digest = DIGEST_CLAIMS.map((name) => payload[name]).find((value) => value !== undefined);
  if (digest !== toHex(await sha256(body))) throw new PushError('WRONG_SIGNATURE', 'The JWT is not about this body');
  return { id: String(payload.jti), timestamp: Number(payload.iat) };
}

async function verifySignature(
  token: string,
  keys: RemotePushKeys,
  rules: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  try {
    const { kid } = decodeProtectedHeader(token);
    return (await jwtVerify(token, await keys.setFor(kid), rules)).payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError) && !(error instanceof TypeError)) throw error;
    if (error instanceof errors.JWTExpired) throw new PushError('TOO_OLD', 'The JWT has expired', error);
    if (error instanceof errors.JWTClaimValidationFailed) {
      throw new PushError('WRONG_SIGNATURE', `The claim ${error.claim} of the JWT is not right`, error);
    }
    throw new PushError('WRONG_SIGNATURE', 'The signature of the JWT is not right', error);
  }
}
