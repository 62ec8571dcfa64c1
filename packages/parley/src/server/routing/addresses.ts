import type { Route } from './routes.ts';

/** A path that a framework routes to the server, alone or with all that is below it. */
export interface Address {
  readonly path: string;
  readonly below: boolean;
}

/** Where a server says that its process lives: under the name of today and that of before. */
export const LIVENESS: ReadonlySet<string> = new Set(['/livez', '/healthz']);
/** Where it says that requests would be served. */
export const READINESS = '/readyz';

/** Where metrics are, if they are served. */
export const METRICS = '/metrics';

/** Where the console is, if it is served. */
export const CONSOLE = '/console';

/** The welcome, the health checks and the metrics belong to the app that has the root of the host. */
const OF_THE_HOST = ['/', ...LIVENESS, READINESS, METRICS];

export interface ServedPaths {
  /** Paths with all that is below them. */
  readonly trees: readonly string[];
  /** The well-known paths of cards. */
  readonly cards: readonly string[];
  readonly servesMetrics: boolean;
}

/**
 * The addresses that frameworks hand on, for those that route before there is a request. At the root of an app, some
 * addresses stay the app's own.
 */
export function addressesOf({ trees, cards, servesMetrics }: ServedPaths, prefix: string): readonly Address[] {
  const all = [...new Set([...trees, '/v1'])];
  const outermost = all.filter((path) => !all.some((tree) => path.startsWith(`${tree}/`)));
  const ofTheHost = OF_THE_HOST.filter((path) => path !== METRICS || servesMetrics);
  const fixed = prefix === '' ? cards : [...cards, ...ofTheHost];
  const outside = outermost.includes('') ? [] : fixed;
  return [...outermost.map((path) => ({ path, below: true })), ...outside.map((path) => ({ path, below: false }))];
}

/** Tells whether a framework hands a request on, or keeps it. `isOperation` knows the paths of operations at the root. */
export function isHandedOn(
  route: Route,
  { path, prefix, isOperation }: { path: string; prefix: string; isOperation: (path: string) => boolean },
): boolean {
  if (route.kind === 'operations') return route.place === 'agent' || isOperation(route.path);
  return prefix !== '' || !OF_THE_HOST.includes(path.length > 1 ? path.replace(/\/$/, '') : path);
}
