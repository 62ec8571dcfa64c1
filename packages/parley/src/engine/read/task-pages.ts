import type { ListedTasks, ListTasksInput } from '../../model/operations.ts';
import type { Task } from '../../model/task.ts';
import type { ContextFacet, ListQuery, LogFacet, StoredTask } from '../ports.ts';
import type { Scope } from '../task/tasks.ts';
import { limitHistory } from './history.ts';
import { decodePageToken, encodePageToken } from './page-token.ts';
import { listVisible } from './visible-tasks.ts';

/** Reads one page of a caller's tasks. `fold` makes a task of what the store holds. */
export async function readTaskPage(
  store: LogFacet & ContextFacet,
  fold: (stored: StoredTask) => Task,
  scope: Scope,
  input: Omit<ListTasksInput, 'tenant'>,
): Promise<ListedTasks> {
  const { contextId, state, states, statusSince, pageSize, includeArtifacts, historyLength } = input;
  const owner = scope.everyone ? undefined : scope.owner;
  const filters: ListQuery = { agent: scope.agent, owner, contextId, state, statusSince, limit: pageSize + 1 };
  const after = input.pageToken ? await decodePageToken(input.pageToken, filters, states) : input.after;
  const { heads, total } = await listVisible(store, { ...filters, after }, states);
  const page = heads.slice(0, pageSize);
  const last = page.at(-1);
  const next = heads.length > pageSize && last ? { statusTime: last.statusTime, id: last.id } : undefined;
  const detail = { history: historyLength !== 0, artifacts: includeArtifacts };
  const stored = await store.load(
    page.map((head) => head.id),
    detail,
  );
  return {
    tasks: stored.map((task) => limitHistory(fold(task), historyLength)),
    nextPageToken: next ? await encodePageToken(next, filters, states) : '',
    next,
    pageSize,
    totalSize: total,
    includeArtifacts,
  };
}
