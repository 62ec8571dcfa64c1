import type { Authenticator } from '../authenticator.ts';
import { type Authentication, combine } from '../combine.ts';
import { type CredentialCheck, validated } from '../schemes/validated.ts';

/** The ways of telling who calls: one or several authenticators, or checks of S3. */
export type AuthSetting = Authenticator | CredentialCheck | readonly (Authenticator | CredentialCheck)[];

/** Undefined where the setting is left out: everybody may call. Throws a TypeError for what is no authenticator. */
export function authenticationOf(setting: AuthSetting | undefined): Authentication | undefined {
  if (setting === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(setting) ? setting : [setting];
  if (list.length === 0) throw new TypeError('auth has no authenticator; leave it out to let everybody in');
  return combine(list.map(toAuthenticator));
}

function toAuthenticator(value: unknown): Authenticator {
  if (typeof value === 'object' && value !== null) {
    if ('validate' in value && typeof value.validate === 'function') return validated(value as CredentialCheck);
    if ('authenticate' in value && typeof value.authenticate === 'function') return value as Authenticator;
  }
  throw new TypeError('auth must have authenticators (see parley-a2a/auth), or { type, validate }');
}
