import { decodeJwt, type JWTPayload } from 'jose';
import type { JsonObject } from '../../../model/basics/json.ts';
import type { Identity } from '../authenticator.ts';
import { checkedIdentity } from '../identity.ts';
import type { JwtOptions } from './options.ts';

/** The identity that verified claims tell; throws if they name no subject. */
export function identityOf(payload: JWTPayload, options: JwtOptions): Identity {
  const claims = payload as JsonObject;
  const { subject = subjectOf, scopes = scopesOf, subjectPrefix = '' } = options;
  const found = subject(claims);
  const named = found ? `${subjectPrefix}${found}` : '';
  return checkedIdentity({ subject: named, tenant: tenantOf(claims, options), scopes: scopes(claims), claims });
}

/** The reason why claims without a tenant are refused. */
export const NO_TENANT = 'the claims name no tenant';

/** Fails closed: a caller of no tenant may name any of them. */
function tenantOf(claims: JsonObject, { tenant }: JwtOptions): string | undefined {
  if (tenant === undefined) return undefined;
  const found = typeof tenant === 'function' ? tenant(claims) : claims[tenant] || undefined;
  if (typeof found !== 'string') throw new TypeError(NO_TENANT);
  return found;
}

function subjectOf({ sub }: JsonObject): string | undefined {
  return typeof sub === 'string' ? sub : undefined;
}

/** `scope` is a text with spaces (RFC 8693 §4.2); `scp` is a list or such a text. */
function scopesOf({ scope, scp }: JsonObject): readonly string[] {
  const granted = scope ?? scp;
  if (typeof granted === 'string') return granted.split(' ').filter((one) => one !== '');
  return Array.isArray(granted) ? granted.filter((one) => typeof one === 'string') : [];
}

/** The issuer that a token names, not verified; undefined where it is no JWT. */
export function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
