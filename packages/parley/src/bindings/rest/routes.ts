import type { RestPaths } from '../../dialects/dialect.ts';
import type { OperationName } from '../../model/operations.ts';
import { decodeSegment } from '../http/path-segment.ts';

/** An operation and what its path says, under the names that the request's parameters have. */
export interface RestMatch {
  readonly operation: OperationName;
  readonly params: Readonly<Record<string, string>>;
}

/** `allow`: the path exists, for these verbs only. */
type RestRoute = RestMatch | { readonly allow: string };

type Verb = 'GET' | 'POST' | 'DELETE';
type Verbs = Readonly<Partial<Record<Verb, OperationName>>>;

/** Names that are routes: a tenant cannot have them, or its paths could not be told from these. */
export const FIXED_SEGMENTS: ReadonlySet<string> = new Set([
  'message:send',
  'message:stream',
  'tasks',
  'extendedAgentCard',
  'card',
  'v1',
  'agents',
  'health',
  'operator',
  'stream',
  '.well-known',
]);

/**
 * Finds the operation of a path below an agent's address (reference: v1-bindings §5.2). Segments are split before they
 * are percent-decoded. Unprefixed routes win over those of a tenant.
 */
export function matchRoute(verb: string, path: string, paths: RestPaths): RestRoute | undefined {
  let segments = path.split('/').slice(1);
  if (segments.at(-1) === '') segments = segments.slice(0, -1);
  if (paths.prefix !== undefined) {
    if (segments[0] !== paths.prefix) return undefined;
    segments = segments.slice(1);
  }
  const found = routeOf(segments, paths);
  if (found) return chosen(found, verb, {});
  const [first, ...rest] = segments;
  const tenant = decodeSegment(first ?? '');
  if (!paths.tenants || tenant === '' || FIXED_SEGMENTS.has(tenant)) return undefined;
  const below = routeOf(rest, paths);
  return below && chosen(below, verb, { tenant });
}

interface Found {
  readonly verbs: Verbs;
  readonly params: Readonly<Record<string, string>>;
}

function routeOf(segments: readonly string[], paths: RestPaths): Found | undefined {
  const [collection, id, configs, configId] = segments;
  switch (segments.length) {
    case 1:
      return singleRoute(collection ?? '', paths);
    case 2:
      return collection === 'tasks' && id ? taskRoute(id) : undefined;
    case 3:
      if (collection !== 'tasks' || !id || configs !== 'pushNotificationConfigs') return undefined;
      return { verbs: { POST: 'createPushConfig', GET: 'listPushConfigs' }, params: { taskId: decodeSegment(id) } };
    case 4:
      if (collection !== 'tasks' || !id || configs !== 'pushNotificationConfigs' || !configId) return undefined;
      return {
        verbs: { GET: 'getPushConfig', DELETE: 'deletePushConfig' },
        params: { taskId: decodeSegment(id), id: decodeSegment(configId) },
      };
    default:
      return undefined;
  }
}

function singleRoute(segment: string, paths: RestPaths): Found | undefined {
  const name = decodeSegment(segment);
  if (name === 'message:send') return { verbs: { POST: 'sendMessage' }, params: {} };
  if (name === 'message:stream') return { verbs: { POST: 'sendStreamingMessage' }, params: {} };
  if (name === 'tasks' && paths.lists) return { verbs: { GET: 'listTasks' }, params: {} };
  return name === paths.extendedCard ? { verbs: { GET: 'getExtendedCard' }, params: {} } : undefined;
}

const ACTION = /^(.+)(?::|%3[Aa])(cancel|subscribe)$/;

/** The action follows the last colon; ids may hold colons themselves. */
function taskRoute(segment: string): Found {
  const [, id, action] = ACTION.exec(segment) ?? [];
  if (id === undefined || action === undefined)
    return { verbs: { GET: 'getTask' }, params: { id: decodeSegment(segment) } };
  const params = { id: decodeSegment(id) };
  if (action === 'cancel') return { verbs: { POST: 'cancelTask' }, params };
  return { verbs: { POST: 'subscribeToTask', GET: 'subscribeToTask' }, params };
}

function chosen({ verbs, params }: Found, verb: string, more: Readonly<Record<string, string>>): RestRoute {
  const known = verb === 'HEAD' ? 'GET' : verb;
  const operation = Object.entries(verbs).find(([name]) => name === known)?.[1];
  if (operation) return { operation, params: { ...params, ...more } };
  return { allow: [...Object.keys(verbs), ...('GET' in verbs ? ['HEAD'] : [])].join(', ') };
}
