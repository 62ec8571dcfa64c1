import type { JsonObject } from '../../../../model/basics/json.ts';
import { A2AError } from '../../../../model/errors/errors.ts';
import type { Timing } from '../../../call/timing.ts';
import type { Endpoints, FlowName } from '../server.ts';

/** One way to get a token. */
export interface Flow {
  /** As cards name it; the flow is taken where the authorization server has it. */
  readonly name: FlowName;
  run(request: FlowRequest): Promise<JsonObject>;
}

/** The request of a flow for one token. */
export interface FlowRequest {
  readonly endpoints: Endpoints;
  /** The issuer that the answer of a page must name; undefined where none is known. */
  readonly issuer: string | undefined;
  /** The issuer promises to name itself there (RFC 9207). */
  readonly namesItself: boolean;
  /** The user has named the issuer; else only the agent has, and its pages must be where it is. */
  readonly isNamedByUser: boolean;
  readonly clientId: string;
  /** `scope`, where there is any, for the request that begins the flow. */
  readonly scope: Readonly<Record<string, string>>;
  /** `resource` (RFC 8707), unless it is left out, for every request. */
  readonly resource: Readonly<Record<string, string>>;
  /** Plain http is fine for addresses of this machine. */
  readonly near: boolean;
  /** Posts a form to one of the endpoints, as this client; throws UNAUTHENTICATED with the server's `reason`. */
  readonly post: (url: URL, form: Readonly<Record<string, string>>) => Promise<JsonObject>;
  readonly timing: Timing;
  readonly signal: AbortSignal | undefined;
}

/** An agent that is hostile could have a person log in at an honest server, for a server of its own that stands between. */
export function checkPage(page: URL, { endpoints, issuer, isNamedByUser }: FlowRequest): void {
  const home = issuer === undefined ? endpoints.tokenUrl : new URL(issuer);
  if (isNamedByUser || page.origin === home.origin) return;
  const problem = `${home.origin}, which only the agent names, sends people to pages of ${page.origin}`;
  throw new A2AError('UNAUTHENTICATED', `${problem}; set issuer to '${issuer ?? home.origin}' if that is right`);
}
