import type { Peer, RequestHeaders } from '../../../bindings/exchange.ts';
import type { Awaitable } from '../../../engine/ports.ts';
import type { SecurityScheme } from '../../../model/card.ts';
import { type Checks, called, checkOptions, filled, object, requireRight } from '../../../model/options/checks.ts';
import { type Authenticator, type AuthRequest, type AuthTools, type Identity, UNOPENED } from '../authenticator.ts';
import { credentialFor, LONGEST_CREDENTIAL } from '../credentials.ts';
import { whenKnown } from '../guard/when-known.ts';
import { checkedIdentity } from '../identity.ts';
import { uncheckable, wrongCredential } from '../refusals.ts';

/** The part of a request that your own function sees. */
export interface CustomRequest {
  readonly headers: RequestHeaders;
  readonly url: string;
  readonly method: string;
  readonly peer: Peer;
  /** The credential in the place that the scheme names: the bearer token, the API key; undefined if there is none. */
  readonly token?: string | undefined;
}

export type IdentifyCaller = (request: CustomRequest) => Awaitable<Identity | undefined>;

export interface CustomOptions {
  /** The scheme on the card; it also says where `token` is in a request. */
  readonly scheme: SecurityScheme;
  /** The scheme's name on the card. Default `custom`. */
  readonly name?: string | undefined;
}

const OPTIONS: Checks<CustomOptions> = { scheme: object, name: filled };

/**
 * Leaves it to a function who calls. The function returns undefined for a caller whom it does not know. What it throws
 * goes to the log; the caller hears only that the credentials cannot be checked.
 */
export function custom(identify: IdentifyCaller, options: CustomOptions): Authenticator {
  requireRight('custom', called(identify, 'the first argument'));
  checkOptions('custom', options, OPTIONS);
  requireRight('custom', object(options.scheme, 'scheme'));
  const { scheme, name = 'custom' } = options;
  let tools: AuthTools = UNOPENED;

  function failed(error: unknown): never {
    tools.log.error('An authenticator failed', { authenticator: name, error });
    throw uncheckable(error);
  }

  function conclude(found: Identity | undefined, token: string | undefined): Identity | undefined {
    if (found === undefined || found === null) {
      if (token === undefined) return undefined;
      throw wrongCredential(name, 'the function does not know the caller', { isForeign: true });
    }
    try {
      return checkedIdentity(found);
    } catch (error) {
      return failed(error);
    }
  }

  return {
    name,
    scheme,
    open: (opened) => {
      tools = opened;
    },
    authenticate({ headers, url, method, peer }: AuthRequest) {
      const token = credentialFor(scheme, { headers, url, method, peer });
      if (token !== undefined && token.length > LONGEST_CREDENTIAL) throw wrongCredential(name, 'it is too long');
      let identity: Awaitable<Identity | undefined>;
      try {
        identity = identify({ headers, url, method, peer, token });
      } catch (error) {
        return failed(error);
      }
      return whenKnown(identity, (found) => conclude(found, token), failed);
    },
  };
}
