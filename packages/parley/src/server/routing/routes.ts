import type { ExchangeRequest } from '../../bindings/exchange.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { ResolvedMount } from './mounts.ts';

/**
 * The form of a card that is asked for: `negotiated` by the version that the request names, `agent` for the one at an
 * agent's own address, or that of one dialect.
 */
export type CardForm = 'negotiated' | 'agent' | DialectCardForm;

export interface DialectCardForm {
  readonly dialect: Dialect;
  /** The cards of all agents, in a list. */
  readonly isList: boolean;
}

export interface CardRoute {
  readonly kind: 'card';
  /** Undefined = the default one. */
  readonly agent: string | undefined;
  readonly form: CardForm;
  readonly mount?: ResolvedMount | undefined;
  /** The tenant whose card it is. */
  readonly tenant?: string | undefined;
}

export interface OperationsRoute {
  readonly kind: 'operations';
  /** Undefined = the default one. */
  readonly agent: string | undefined;
  /** The rest of the path after the agent's address: '' for JSON-RPC, else a REST path. */
  readonly path: string;
  /** Below an agent's address, or at the root of the host. */
  readonly place: 'agent' | 'root';
  /** Below `/operator` of an agent's address: operators look at the tasks of every owner there. */
  readonly everyone?: boolean | undefined;
  readonly mount?: ResolvedMount | undefined;
}

interface HealthRoute {
  readonly kind: 'health';
  /** Asks whether requests would be served, not only whether the process lives. */
  readonly isReadiness: boolean;
}

/** The metadata of a protected resource (RFC 9728). */
interface ResourceRoute {
  readonly kind: 'resource';
  /** That of the resource; '' for the whole server. */
  readonly path: string;
}

/** Webhooks, for operators: all of them, those of a task, or one. */
export interface PushRoute {
  readonly kind: 'push';
  readonly taskId?: string | undefined;
  readonly configId?: string | undefined;
}

/** A resource of operators, beside the operations of A2A (see console-api.ts). */
export interface OperatorRoute {
  readonly kind: 'operator';
  readonly resource:
    | 'server'
    | 'all-tasks'
    | 'events'
    | 'tree'
    | 'rerun'
    | 'fork'
    | 'nodes'
    | 'metrics'
    | 'keys'
    | 'relay'
    | 'check';
  /** A task's or a context's. */
  readonly id?: string | undefined;
}

/** The page for operators, or one of its files. */
export interface ConsoleRoute {
  readonly kind: 'console';
  /** Below the console's path, without a slash at its beginning. */
  readonly path: string;
}

/** The target of a path. */
export type Route =
  | CardRoute
  | OperationsRoute
  | { readonly kind: 'agents' }
  | HealthRoute
  | ResourceRoute
  | { readonly kind: 'keys' }
  | PushRoute
  | OperatorRoute
  | ConsoleRoute
  | { readonly kind: 'catalog' }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'welcome' };

export function isReading({ method }: ExchangeRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Recognises a request that reads the card of an agent at its address, where operations are posted to. */
export function isCardRead(request: ExchangeRequest, { agent, path, everyone }: OperationsRoute): boolean {
  return !everyone && path === '' && agent !== undefined && isReading(request);
}

/** The users of a route: everybody, callers with valid credentials, or those callers who run the server. */
export type Access = 'public' | 'caller' | 'operator';

const ACCESS: Readonly<Record<Route['kind'], Access>> = {
  operations: 'caller',
  // Public by S1.1.
  card: 'public',
  agents: 'public',
  health: 'public',
  resource: 'public',
  keys: 'public',
  push: 'operator',
  operator: 'operator',
  // Its files tell nothing of the server; what the page reads is for operators.
  console: 'public',
  metrics: 'operator',
  catalog: 'public',
  welcome: 'public',
};

/** Routes that describe agents; guarded cards guard them too. */
const DESCRIBES: ReadonlySet<Route['kind']> = new Set<Route['kind']>(['card', 'agents', 'catalog', 'welcome']);

/**
 * The access that a request needs: that of its route. What is public is so to be read. Browsers ask for leave without
 * credentials, so OPTIONS is public too; the server responds without looking at any task.
 */
export function accessOf(request: ExchangeRequest, route: Route | undefined, areCardsGuarded = false): Access {
  if (request.method === 'OPTIONS') return 'public';
  if (!route) return 'caller';
  if (route.kind === 'operations' && route.everyone) return 'operator';
  // Only callers may learn which tenants exist.
  if (route.kind === 'card' && route.tenant !== undefined) return 'caller';
  const readsCard = route.kind === 'operations' && isCardRead(request, route);
  if (areCardsGuarded && (readsCard || DESCRIBES.has(route.kind))) return 'caller';
  if (readsCard || ACCESS[route.kind] === 'public') return isReading(request) ? 'public' : 'caller';
  return ACCESS[route.kind];
}
