import { isPlainObject } from '../../model/basics/json.ts';

/** Names that only the draft has. */
const OWN_METHODS: ReadonlySet<string> = new Set(['StreamMessage', 'Resubscribe', 'SetTaskPushNotificationConfig']);
const OWN_ROLES: ReadonlySet<unknown> = new Set(['user', 'agent']);
const OWN_LIST_MEMBERS = ['state', 'cursor', 'limit'];
/** Methods that name their task `id` in 1.0. */
const OF_A_TASK: ReadonlySet<string> = new Set(['GetTask', 'CancelTask', 'SubscribeToTask']);

/**
 * Recognises a request of the draft that names no version: by its method, its message's role, its names for pages, or a name
 * for its task that would be none in 1.0.
 */
export function isDraftRequest(method: string, params: unknown): boolean {
  if (method.includes('/')) return false;
  if (OWN_METHODS.has(method)) return true;
  if (!isPlainObject(params)) return false;
  if (isPlainObject(params.message) && OWN_ROLES.has(params.message.role)) return true;
  if (OF_A_TASK.has(method)) return !isGiven(params.id) && typeof params.taskId === 'string';
  return method === 'ListTasks' && OWN_LIST_MEMBERS.some((name) => isGiven(params[name]));
}

/** Null is as good as left out, as in all of 1.0. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
