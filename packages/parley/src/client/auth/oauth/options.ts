import { A2AError } from '../../../model/errors/errors.ts';
import type { Timing } from '../../call/timing.ts';
import type { Flow } from './flows/flow.ts';
import type { GrantStore } from './grants.ts';

export interface OAuthOptions {
  /** The name of this program at the authorization server. */
  readonly clientId: string;
  /** The secret of this program. Programs that others can read have none. */
  readonly clientSecret?: string | undefined;
  /**
   * The flow that gets a token. Of several, the client uses the first that the authorization server offers. Default:
   * client credentials with a secret, else only stored grants.
   */
  readonly flow?: Flow | readonly Flow[] | undefined;
  /**
   * The only authorization server to ask, by its own name for itself. With a secret you must set it, unless the server
   * is on the agent's own origin. Default: the one that the agent names.
   */
  readonly issuer?: string | undefined;
  /** Scopes to ask for, instead of those of the agent. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * The resource of the tokens (RFC 8707), instead of what the agent says; `false` for servers that do not accept one.
   */
  readonly resource?: string | false | undefined;
  /** Stores grants. Default: in memory, as long as the program runs. */
  readonly grants?: GrantStore | undefined;
  /** Makes the requests to authorization servers. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Ends logins that have begun. */
  readonly signal?: AbortSignal | undefined;
  /** For tests. */
  readonly timing?: Timing | undefined;
}

/** Throws where the options cannot be meant. */
export function checkOptions({ clientId, clientSecret, issuer, resource }: OAuthOptions): void {
  if (typeof clientId !== 'string' || clientId === '') throw wrong('clientId is missing');
  if (clientSecret === '') throw wrong('clientSecret is empty; leave it out for a program without one');
  if (issuer !== undefined && !URL.canParse(issuer)) throw wrong('issuer is not an address');
  if (typeof resource === 'string' && !URL.canParse(resource)) throw wrong('resource is not an address');
}

function wrong(problem: string): A2AError {
  return new A2AError('INVALID_PARAMS', `oauth: ${problem}`);
}
