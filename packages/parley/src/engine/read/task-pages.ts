import type { ListedTasks, ListTasksInput } from '../../model/operations.ts';
import type { Task } from '../../model/task.ts';
import { textSizeOfTask } from '../log/sizes.ts';
import type { ContextFacet, ListQuery, LoadDetail, LogFacet, StoredTask, TaskHead } from '../ports.ts';
import type { Scope } from '../task/scope.ts';
import { limitHistory } from './history.ts';
import { decodePageToken, encodePageToken } from './page-token.ts';
import { listVisible } from './visible-tasks.ts';

interface PageSource {
  readonly store: LogFacet & ContextFacet;
  /** Makes a task of what the store holds. */
  readonly fold: (stored: StoredTask) => Task;
  /** See EngineLimits. */
  readonly pageBytes: number;
}

/** Reads one page of a caller's tasks. It ends early where its tasks are large; the next one goes on there. */
export async function readTaskPage(
  source: PageSource,
  scope: Scope,
  input: Omit<ListTasksInput, 'tenant'>,
): Promise<ListedTasks> {
  const { store } = source;
  const { contextId, state, states, statusSince, pageSize, includeArtifacts, historyLength } = input;
  const filters: ListQuery = {
    agent: scope.agent,
    ...ownersOf(scope),
    contextId,
    state,
    statusSince,
    limit: pageSize + 1,
  };
  const after = input.pageToken ? decodePageToken(input.pageToken, filters, states) : input.after;
  const { heads, total } = await listVisible(store, { ...filters, after }, states);
  const page = heads.slice(0, pageSize);
  const detail = { history: historyLength !== 0, artifacts: includeArtifacts };
  const { tasks, covered } = await loadWithin(source, page, detail, historyLength);
  const last = page[covered - 1];
  const next = heads.length > covered && last ? { statusTime: last.statusTime, id: last.id } : undefined;
  return {
    tasks,
    nextPageToken: next ? encodePageToken(next, filters, states) : '',
    next,
    pageSize,
    totalSize: total,
    includeArtifacts,
  };
}

/** An operator names no tenant to see the tasks of all. */
function ownersOf({ owner, everyone }: Scope): Pick<ListQuery, 'owner' | 'tenant'> {
  if (!everyone) return { owner };
  return { tenant: owner.tenant || undefined };
}

interface LoadedTasks {
  readonly tasks: readonly Task[];
  /** So many of the heads are covered; a task that was removed meanwhile is covered without being there. */
  readonly covered: number;
}

/** The tasks that are loaded first: the size of artifacts is unknown, messages are seldom large. */
const FIRST_WITH_ARTIFACTS = 1;
const FIRST_WITH_HISTORY = 16;
/** The most that are loaded at a time. */
const MOST_AT_ONCE = 64;

/**
 * Loads tasks until they are larger than a page may be; at least one. A few at a time, by the size of those before, so that
 * not much more is loaded than is shown.
 */
async function loadWithin(
  { store, fold, pageBytes }: PageSource,
  heads: readonly TaskHead[],
  detail: LoadDetail,
  historyLength: number | undefined,
): Promise<LoadedTasks> {
  const tasks: Task[] = [];
  let bytes = 0;
  let covered = 0;
  let count = detail.artifacts ? FIRST_WITH_ARTIFACTS : detail.history ? FIRST_WITH_HISTORY : heads.length;
  while (covered < heads.length) {
    const ids = heads.slice(covered, covered + count).map(({ id }) => id);
    const loaded = await store.load(ids, detail);
    let place = 0;
    for (const id of ids) {
      // Stores mostly return them in the order in which they were asked for, less those that are gone.
      const isNext = loaded[place]?.head.id === id;
      const stored = isNext ? loaded[place] : loaded.find(({ head }) => head.id === id);
      if (isNext) place += 1;
      const task = stored && limitHistory(fold(stored), historyLength);
      if (task) bytes += textSizeOfTask(task);
      if (task && bytes > pageBytes && tasks.length > 0) return { tasks, covered };
      if (task) tasks.push(task);
      covered += 1;
    }
    const fitting = Math.floor(((pageBytes - bytes) * covered) / Math.max(bytes, 1));
    count = Math.max(1, Math.min(count * 4, fitting, MOST_AT_ONCE));
  }
  return { tasks, covered };
}
