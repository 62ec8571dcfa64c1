import type { ExchangeRequest } from '../../bindings/exchange.ts';
import { type Caller, isAgentCaller } from '../../model/call.ts';
import { AnonymousCaller } from '../auth/guard/anonymous-caller.ts';
import type { Usage } from '../limits/usage.ts';
import type { LocalitySettings } from '../routing/locality.ts';
import { withoutQuery } from '../routing/paths.ts';
import type { Router } from '../routing/router.ts';
import { type Access, accessOf, type Route } from '../routing/routes.ts';

/** A request and where it leads. */
export interface Asked {
  readonly request: ExchangeRequest;
  /** The request's address without its query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined where nothing is served. */
  readonly route: Route | undefined;
  /** The callers that may use the route. */
  readonly access: Access;
  /** Known after the request is authenticated; anonymous until then. */
  caller: Caller;
  /** The share of its caller's limits that the request holds, if the caller has limits. */
  usage?: Usage | undefined;
  /** It is counted as part of the server's load. */
  isLoad?: boolean | undefined;
}

/** Only ever read. */
const NO_QUERY = new URLSearchParams();

interface AskedSettings extends LocalitySettings {
  readonly areCardsGuarded?: boolean | undefined;
}

/** Finds where a request leads and who may go there. */
export function askedOf(request: ExchangeRequest, router: Router, settings: AskedSettings): Asked {
  const path = withoutQuery(request.url);
  // Agents of this server call each other in an official version, whatever is spoken at their addresses. So do other carriers.
  const isBetweenAgents = request.caller !== undefined && isAgentCaller(request.caller);
  const route = router.routeOf(path, isBetweenAgents || request.carrier !== undefined);
  const query = path === request.url ? NO_QUERY : new URLSearchParams(request.url.slice(path.length + 1));
  const caller = request.caller ?? new AnonymousCaller(request, settings);
  return { request, path, query, route, access: accessOf(request, route, settings.areCardsGuarded), caller };
}
