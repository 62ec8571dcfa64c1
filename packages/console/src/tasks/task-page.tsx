import type { TaskTree } from '../../../parley/src/server/operator/console-api.ts';
import { getOperator } from '../api/operator.ts';
import { useQuery } from '../api/use-query.ts';
import { ErrorNote, LinkButton, Loading, Page } from '../design/components/index.ts';
import { useTaskLog } from './log/use-task-log.ts';
import { TaskActions } from './one/actions/task-actions.tsx';
import { TaskHead } from './one/task-head.tsx';
import { TaskViews } from './one/task-views.tsx';
import { hasEnded } from './states.ts';

/** Between two looks at the tree of a task that goes on. */
const REFRESH_MS = 2000;

/** One task: its log event by event, and what it was at each of them. */
export default function TaskPage({ id }: { readonly id: string }) {
  const view = useTaskLog(id);
  const { log, head, error, reload } = view;
  const isOver = hasEnded(log.state ?? '');
  const tree = useQuery<TaskTree>(
    `tree ${id}`,
    (signal) => getOperator<TaskTree>(`tasks/${encodeURIComponent(id)}/tree`, {}, signal),
    { refreshMs: isOver ? undefined : REFRESH_MS },
  );
  const found = tree.data?.root.found;
  if (head === undefined) {
    return (
      <Page title="Task" lead={<code>{id}</code>}>
        {error === undefined ? (
          <Loading what="the task" />
        ) : (
          <ErrorNote error={error} onRetry={reload}>
            <LinkButton href="/tasks">All tasks</LinkButton>
          </ErrorNote>
        )}
      </Page>
    );
  }
  return (
    <Page
      title={found?.summary ?? `A task of ${head.agent}`}
      lead={<TaskHead head={head} state={log.state} found={found} />}
      actions={<TaskActions head={head} log={log} found={found} onChanged={reload} />}
    >
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      <TaskViews view={view} tree={tree} />
    </Page>
  );
}
