import type { ListTasksInput, TaskPage } from '../model/operations.ts';
import type { TaskState } from '../model/states.ts';
import type { Task } from '../model/task.ts';

export interface TaskFilter {
  readonly contextId?: string | undefined;
  readonly state?: TaskState | undefined;
  /** Only tasks whose status is not older than this. */
  readonly statusSince?: Date | number | string | undefined;
  /** Tasks of one page, at most 100. */
  readonly pageSize?: number | undefined;
  /** Where the page begins: `nextPageToken` of the one before. */
  readonly pageToken?: string | undefined;
  readonly historyLength?: number | undefined;
  readonly includeArtifacts?: boolean | undefined;
}

/** `await` gives one page, `for await` all tasks of all pages. */
export interface TaskList extends PromiseLike<TaskPage>, AsyncIterable<Task> {}

const PAGE_SIZE = 50;

export function taskList(
  filter: TaskFilter,
  load: (input: Omit<ListTasksInput, 'tenant'>) => Promise<TaskPage>,
): TaskList {
  const { statusSince, pageSize = PAGE_SIZE, includeArtifacts = false, ...rest } = filter;
  const page = (pageToken: string | undefined) =>
    load({
      ...rest,
      pageToken,
      pageSize,
      includeArtifacts,
      statusSince: statusSince === undefined ? undefined : new Date(statusSince).getTime(),
    });
  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting the list gives its page
    then: (fulfilled, rejected) => page(filter.pageToken).then(fulfilled, rejected),
    async *[Symbol.asyncIterator]() {
      let token = filter.pageToken;
      do {
        const { tasks, nextPageToken } = await page(token);
        yield* tasks;
        // A server that names the same page again would keep us for ever.
        token = nextPageToken === token ? '' : nextPageToken;
      } while (token);
    },
  };
}
