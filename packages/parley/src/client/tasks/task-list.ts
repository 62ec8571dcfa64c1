import { invalidParams } from '../../model/errors/errors.ts';
import type { ListTasksInput, TaskPage } from '../../model/operations.ts';
import { TASK_STATES, type TaskState } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import { PAGE_SIZE } from '../pace.ts';

export interface TaskFilter {
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Only tasks whose status is not older than this. */
  readonly statusSince?: Date | number | string | undefined;
  /** Tasks of one page, at most 100. */
  readonly pageSize?: number | undefined;
  /** The token of the page: `nextPageToken` of the one before. */
  readonly pageToken?: string | undefined;
  readonly historyLength?: number | undefined;
  readonly includeArtifacts?: boolean | undefined;
}

/** `await` returns one page, `for await` all tasks of all pages. */
export interface TaskList extends Pick<Promise<TaskPage>, 'then' | 'catch' | 'finally'>, AsyncIterable<Task> {}

export function taskList(
  filter: TaskFilter,
  load: (input: Omit<ListTasksInput, 'tenant'>) => Promise<TaskPage>,
): TaskList {
  const {
    contextId,
    state,
    statusSince,
    pageSize = PAGE_SIZE,
    historyLength,
    includeArtifacts = false,
    ...rest
  } = filter;
  const { pageToken: first, ...others } = rest;
  const page = async (pageToken = first) => {
    const wrong = Object.keys(others)[0] ?? (state && !(TASK_STATES as readonly string[]).includes(state) && 'state');
    if (wrong) throw invalidParams({ field: wrong, description: 'is unknown' });
    return load({
      contextId,
      state,
      historyLength,
      pageToken,
      pageSize,
      includeArtifacts,
      statusSince: timeOf(statusSince),
    });
  };
  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting the list returns its page
    then: (fulfilled, rejected) => page().then(fulfilled, rejected),
    catch: (rejected) => page().catch(rejected),
    finally: (ended) => page().finally(ended),
    async *[Symbol.asyncIterator]() {
      // A server that names a page again would keep us for ever.
      const seen = new Set<string | undefined>();
      for (let token = first; !seen.has(token); ) {
        seen.add(token);
        const { tasks, nextPageToken } = await page(token);
        yield* tasks;
        if (!nextPageToken) return;
        token = nextPageToken;
      }
    },
  };
}

function timeOf(since: TaskFilter['statusSince']): number | undefined {
  if (since === undefined) return undefined;
  const time = new Date(since).getTime();
  if (Number.isNaN(time)) throw invalidParams({ field: 'statusSince', description: 'must be a time' });
  return time;
}
