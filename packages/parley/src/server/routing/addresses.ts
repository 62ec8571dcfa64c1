import type { Route } from './routes.ts';

/** A path that a framework routes to the server, alone or with all that is below it. */
export interface Address {
  readonly path: string;
  readonly below: boolean;
}

/** The paths of the liveness probe: the current name and the former one. */
export const LIVENESS: ReadonlySet<string> = new Set(['/livez', '/healthz']);
/** The path of the readiness probe. */
export const READINESS = '/readyz';

/** The path of the metrics, if they are served. */
export const METRICS = '/metrics';

/** The path of the console, if it is served. */
export const CONSOLE = '/console';

/** The welcome, the health checks and the metrics belong to the app that has the root of the host. */
const OF_THE_HOST = ['/', ...LIVENESS, READINESS, METRICS];

interface ServedPaths {
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
