import type { JsonObject } from '../../../model/basics/json.ts';
import { A2AError } from '../../../model/errors/errors.ts';

/** The response of a token endpoint (RFC 6749 §5.1). */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds. */
  readonly lifetime: number;
}

const LONGEST_TOKEN = 16_384;
const DEFAULT_LIFETIME_S = 3600;
const LONGEST_LIFETIME_S = 366 * 24 * 3600;
/** A token is renewed this long before it ends, or after nine tenths of a short life. */
const MARGIN_MS = 60_000;

/** Reads a successful answer; `from` is the server that gave it. */
export function readTokenResponse(body: JsonObject | undefined, from: string): TokenResponse {
  const { access_token: accessToken, token_type: type = 'Bearer', refresh_token: refreshToken } = body ?? {};
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') {
    throw new A2AError('INVALID_RESPONSE', `${from} gives a token that is not a Bearer token`);
  }
  if (!isToken(accessToken)) {
    throw new A2AError('INVALID_RESPONSE', `${from} gives no token that can be sent`);
  }
  const seconds = Number(body?.expires_in ?? DEFAULT_LIFETIME_S);
  const lifetime = seconds > 0 ? Math.min(seconds, LONGEST_LIFETIME_S) : DEFAULT_LIFETIME_S;
  return { accessToken, refreshToken: isToken(refreshToken) ? refreshToken : undefined, lifetime: lifetime * 1000 };
}

/** When to renew a token that is handed out now. */
export function renewalTime(now: number, lifetime: number): number {
  return now + lifetime - Math.min(MARGIN_MS, lifetime * 0.1);
}

/** Visible ASCII (RFC 6749 appendix A): all that a header can carry. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(value);
}
