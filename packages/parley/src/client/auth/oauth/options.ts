import { A2AError } from '../../../model/errors/errors.ts';
import type { Timing } from '../../call/timing.ts';
import type { Flow } from './flows/flow.ts';
import type { GrantStore } from './grants.ts';

export interface OAuthOptions {
  /** The name under which the authorization server knows this program. */
  readonly clientId: string;
  /** Proves that; programs that others can read have none. */
  readonly clientSecret?: string | undefined;
  /**
   * How a token is had; of several, the first one that the authorization server offers. Default: client credentials where
   * there is a secret, else only grants that are kept are used.
   */
  readonly flow?: Flow | readonly Flow[] | undefined;
  /**
   * The only authorization server to ask, as it names itself. Default: the one that the agent names. With a secret it must be
   * set, unless it is on the agent's own origin.
   */
  readonly issuer?: string | undefined;
  /** Instead of the scopes that the agent asks for. */
  readonly scopes?: readonly string[] | undefined;
  /** What tokens are for (RFC 8707), instead of what the agent says; `false` for servers that cannot bear to be told. */
  readonly resource?: string | false | undefined;
  /** Keeps what was granted. Default: as long as the program runs. */
  readonly grants?: GrantStore | undefined;
  /** Makes the requests to authorization servers. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Ends logins that are under way. */
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
