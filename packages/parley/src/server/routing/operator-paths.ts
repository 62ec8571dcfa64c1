import { decodeSegment } from '../../bindings/http/path-segment.ts';
import type { OperatorRoute, PushRoute } from './routes.ts';

/** The segment below an agent's address that is for those who run the server. */
export const OPERATOR = '/operator';

/** Paths of one segment. Longer ones of these names are operations of a tenant that is called so. */
const PLAIN: ReadonlySet<string> = new Set<OperatorRoute['resource']>([
  'server',
  'all-tasks',
  'nodes',
  'metrics',
  'keys',
  'relay',
  'check',
]);
const OF_TASKS: ReadonlySet<string> = new Set<OperatorRoute['resource']>(['events', 'tree', 'rerun']);
const OF_CONTEXTS: ReadonlySet<string> = new Set<OperatorRoute['resource']>(['fork']);

/**
 * The route of a path below `place`, which is `BASE/operator/`; undefined for all others, and for operations of A2A on the tasks
 * of every caller.
 */
export function operatorRouteOf(path: string, place: string): PushRoute | OperatorRoute | undefined {
  if (!path.startsWith(place)) return undefined;
  const [first = '', ...rest] = path.slice(place.length).split('/');
  if (first === 'push') return pushRouteOf(rest);
  if (rest.length === 0) return PLAIN.has(first) ? routeOf(first) : undefined;
  const [id = '', resource = '', ...more] = rest;
  if (id === '' || more.length > 0) return undefined;
  const known = first === 'tasks' ? OF_TASKS : first === 'contexts' ? OF_CONTEXTS : undefined;
  return known?.has(resource) ? routeOf(resource, decodeSegment(id)) : undefined;
}

function pushRouteOf(segments: readonly string[]): PushRoute | undefined {
  const [taskId, configId, more] = segments.map(decodeSegment);
  return more === undefined
    ? { kind: 'push', taskId: taskId || undefined, configId: configId || undefined }
    : undefined;
}

function routeOf(resource: string, id?: string): OperatorRoute {
  return { kind: 'operator', resource: resource as OperatorRoute['resource'], id };
}
