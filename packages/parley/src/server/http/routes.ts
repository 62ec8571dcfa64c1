import type { ExchangeRequest } from '../../bindings/exchange.ts';
import { hasRest, type ResolvedMount } from './mounts.ts';

/** The form of a card that is asked for: what the version says, a list of all agents', or that of one dialect. */
export type CardForm = 'negotiated' | 'list' | 'jaf';

export interface CardRoute {
  readonly kind: 'card';
  /** Undefined = the default one. */
  readonly agent: string | undefined;
  readonly form: CardForm;
  readonly mount?: ResolvedMount | undefined;
}

export interface OperationsRoute {
  readonly kind: 'operations';
  /** Undefined = the default one. */
  readonly agent: string | undefined;
  /** What follows the agent's address: '' for JSON-RPC, else a REST path. */
  readonly path: string;
  /** Below an agent's address, or at the root of the host. */
  readonly place: 'agent' | 'root';
  readonly mount?: ResolvedMount | undefined;
}

export interface HealthRoute {
  readonly kind: 'health';
  /** Asks whether requests would be answered, not only whether the process lives. */
  readonly isReadiness: boolean;
}

/** What a path leads to. */
export type Route =
  | CardRoute
  | OperationsRoute
  | { readonly kind: 'agents' }
  | HealthRoute
  | { readonly kind: 'welcome' };

/** The two older addresses have the form of the documents that name them (seeds S1, S3). */
export const CARD_PATHS: ReadonlyMap<string, CardForm> = new Map([
  ['/.well-known/agent-card.json', 'negotiated'],
  ['/.well-known/agent-card', 'jaf'],
  ['/.well-known/agent.json', 'list'],
]);

/** Finds the route of a path; with and without a trailing slash, without redirects. Fixed routes win over all others. */
export function routeOf(path: string, basePath: string, mounts: readonly ResolvedMount[] = []): Route | undefined {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const mounted = mountedRoute(plain, mounts) ?? agentStreamRoute(plain, mounts);
  if (mounted) return mounted;
  if (plain === (basePath || '/')) return operations(undefined, '');
  const pinned = mountAt(basePath, mounts);
  const cardForm = cardFormAt(plain, pinned);
  if (cardForm) return { kind: 'card', agent: undefined, form: cardForm, mount: pinned };
  if (plain === '/healthz' || plain === `${basePath}/health`) return { kind: 'health', isReadiness: false };
  if (plain === '/readyz') return { kind: 'health', isReadiness: true };
  if (plain === '/') return { kind: 'welcome' };
  if (plain === `${basePath}/agents`) return { kind: 'agents' };
  if (plain.startsWith(`${basePath}/`)) return below(plain.slice(basePath.length), pinned);
  // Routes of 0.3 at the root of the host, whatever the base path is.
  return plain.startsWith('/v1/') ? { ...operations(undefined, plain), place: 'root' } : undefined;
}

export function isReading({ method }: ExchangeRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether a request reads the card of an agent at its address, where operations are posted to. */
export function isCardRead(request: ExchangeRequest, { agent, path }: OperationsRoute): boolean {
  return path === '' && agent !== undefined && isReading(request);
}

/** Who may send a request: everybody, or callers whose credentials are valid. */
export type Access = 'public' | 'caller';

/**
 * Cards, the list of agents, health and the welcome are public (S1.1). Browsers ask for leave without credentials, so
 * OPTIONS is public too; the server answers it without looking at any task.
 */
export function accessOf(request: ExchangeRequest, route: Route | undefined): Access {
  if (request.method === 'OPTIONS') return 'public';
  if (!route || !isReading(request)) return 'caller';
  return route.kind !== 'operations' || isCardRead(request, route) ? 'public' : 'caller';
}

/** What is served at and below a mount; all else is where it is without the mount. */
function mountedRoute(path: string, mounts: readonly ResolvedMount[]): Route | undefined {
  for (const mount of mounts) {
    if (path === (mount.path || '/')) return { ...operations(mount.agent, ''), mount };
    if (!path.startsWith(`${mount.path}/`)) continue;
    const route = belowMount(path.slice(mount.path.length), mount);
    if (route) return { ...route, mount };
  }
  return undefined;
}

function belowMount(rest: string, mount: ResolvedMount): CardRoute | OperationsRoute | undefined {
  const cardForm = cardFormAt(rest, mount);
  if (cardForm) return { kind: 'card', agent: mount.agent, form: cardForm };
  const named = agentRoute(rest, mount);
  if (named && (named.kind === 'card' || named.path === '' || hasRest(mount))) return named;
  return hasRest(mount) && !rest.startsWith('/agents') ? operations(mount.agent, rest) : undefined;
}

/** Clients of the draft look for its streams below the address of an agent (seed S2), as at `/agents/NAME/stream`. */
function agentStreamRoute(path: string, mounts: readonly ResolvedMount[]): OperationsRoute | undefined {
  if (!path.endsWith('/stream')) return undefined;
  const [, place, name] = /^(.*)\/agents\/([^/]+)\/stream$/.exec(path) ?? [];
  const mount = mountAt(`${place}/stream`, mounts);
  if (!name || mount?.dialect.name !== 'v1_draft-stream') return undefined;
  return { ...operations(decodeSegment(name), ''), mount };
}

/** Where another dialect is pinned there is no list of cards that lead to it in Cogitator's form (S2: removed). */
function cardFormAt(path: string, pinned: ResolvedMount | undefined): CardForm | undefined {
  const form = CARD_PATHS.get(path);
  if (form !== 'list' || !pinned || pinned.dialect.name === 'cogitator') return form;
  return hasRest(pinned) ? 'negotiated' : undefined;
}

function below(path: string, pinned: ResolvedMount | undefined): Route | undefined {
  const cardForm = cardFormAt(path, pinned);
  if (cardForm) return { kind: 'card', agent: undefined, form: cardForm };
  return path.split('/')[1] === 'agents' ? agentRoute(path, pinned) : operations(undefined, path);
}

/** `/agents/NAME` and what follows. */
function agentRoute(path: string, pinned: ResolvedMount | undefined): CardRoute | OperationsRoute | undefined {
  const [, agents, name, ...rest] = path.split('/');
  if (agents !== 'agents' || !name) return undefined;
  const agent = decodeSegment(name);
  const tail = rest.length === 0 ? '' : `/${rest.join('/')}`;
  const cardForm = tail === '/card' ? 'jaf' : cardFormAt(tail, pinned);
  return cardForm ? { kind: 'card', agent, form: cardForm } : operations(agent, tail);
}

function mountAt(path: string, mounts: readonly ResolvedMount[]): ResolvedMount | undefined {
  return mounts.find((mount) => mount.path === path);
}

function operations(agent: string | undefined, path: string): OperationsRoute {
  return { kind: 'operations', agent, path, place: 'agent' };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
