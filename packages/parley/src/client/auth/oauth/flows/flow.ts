import type { JsonObject } from '../../../../model/json.ts';
import type { Timing } from '../../../call/timing.ts';
import type { Endpoints, FlowName } from '../server.ts';

/** One way to get a token. */
export interface Flow {
  /** As cards name it; the flow is taken where the authorization server has it. */
  readonly name: FlowName;
  run(request: FlowRequest): Promise<JsonObject>;
}

/** What a flow is given for one token. */
export interface FlowRequest {
  readonly endpoints: Endpoints;
  /** The issuer that the answer of a page must name; undefined where none is known. */
  readonly issuer: string | undefined;
  /** The issuer promises to name itself there (RFC 9207). */
  readonly namesItself: boolean;
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
