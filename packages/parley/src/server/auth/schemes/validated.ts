import type { Awaitable } from '../../../engine/ports.ts';
import { sha256, toHex } from '../../../model/basics/bytes.ts';
import type { SecurityScheme } from '../../../model/card.ts';
import { anything, called, literalMembers, requireRight } from '../../../model/options/checks.ts';
import { type Authenticator, type AuthRequest, type AuthTools, type Identity, UNOPENED } from '../authenticator.ts';
import { credentialFor, LONGEST_CREDENTIAL } from '../credentials.ts';
import { whenKnown } from '../guard/when-known.ts';
import { checkedIdentity } from '../identity.ts';
import { IdentityCache } from '../identity-cache.ts';
import { uncheckable, wrongCredential } from '../refusals.ts';

/** One check for all callers (S3.2). */
export interface CredentialCheck {
  /** `bearer`: `Authorization: Bearer …`. `apiKey`: `X-API-Key`. */
  readonly type: 'bearer' | 'apiKey';
  /** Says whether a credential is valid, or whose it is. */
  readonly validate: (credential: string) => Awaitable<boolean | Identity | undefined>;
}

const check = literalMembers<CredentialCheck>({ type: anything, validate: called });

const SCHEMES: Readonly<Record<CredentialCheck['type'], SecurityScheme>> = {
  bearer: { type: 'http', scheme: 'Bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
};

/**
 * The seed's object as an authenticator. Where `validate` only says true, the subject is the SHA-256 of the credential in
 * hexadecimal, so that two tokens are two callers. `validate` is asked on every request; only the digest is kept.
 */
export function validated(setting: CredentialCheck): Authenticator {
  requireRight('', check(setting, 'auth'));
  const { type, validate } = setting;
  const scheme = SCHEMES[type];
  if (scheme === undefined) throw new TypeError(`auth.type must be one of ${Object.keys(SCHEMES).join(', ')}`);
  const hashed = new IdentityCache();
  let tools: AuthTools = UNOPENED;

  function failed(error: unknown): never {
    tools.log.error('The check of a credential failed', { authenticator: type, error });
    throw uncheckable(error);
  }

  function conclude(result: boolean | Identity | undefined, credential: string): Awaitable<Identity> {
    if (result === true) return hashed.get(credential, 0) ?? hashOf(credential);
    if (typeof result !== 'object' || result === null) throw wrongCredential(type, 'validate says no');
    try {
      return checkedIdentity(result);
    } catch (error) {
      return failed(error);
    }
  }

  async function hashOf(credential: string): Promise<Identity> {
    const identity = checkedIdentity({ subject: toHex(await sha256(credential)) });
    hashed.set(credential, identity);
    return identity;
  }

  return {
    name: type,
    scheme,
    open: (opened) => {
      tools = opened;
    },
    authenticate(request: AuthRequest) {
      const credential = credentialFor(scheme, request);
      if (credential === undefined) return undefined;
      if (credential.length > LONGEST_CREDENTIAL) throw wrongCredential(type, 'it is too long');
      let result: Awaitable<boolean | Identity | undefined>;
      try {
        result = validate(credential);
      } catch (error) {
        return failed(error);
      }
      return whenKnown(result, (value) => conclude(value, credential), failed);
    },
  };
}
