import type { ClientOptions } from '../../client/options.ts';
import type { TaskStream } from '../../client/stream/task-stream.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { Task } from '../../model/task.ts';
import type { ClusterLog } from './log-entry.ts';
import { type ReadingOptions, readToEnd, recordedClient, tell, textDigestOf } from './recorded-client.ts';

interface LookOptions {
  readonly url: string;
  readonly log: ClusterLog;
  readonly client?: ClientOptions | undefined;
  /** The most tasks that are read at the same time. Default 8. */
  readonly atOnce?: number | undefined;
}

/** Looks at tasks when all clients are done: as they are, and their whole logs. */
export async function lookAtTasks(taskIds: Iterable<string>, options: LookOptions): Promise<void> {
  const waiting = taskIds[Symbol.iterator]();
  const work = async () => {
    for (let step = waiting.next(); !step.done; step = waiting.next()) await lookAt(step.value, options);
  };
  await Promise.all(Array.from({ length: options.atOnce ?? 8 }, work));
}

async function lookAt(taskId: string, { url, log, client: settings }: LookOptions): Promise<void> {
  const client = `the last look at ${taskId}`;
  const reader = recordedClient(url, { ...settings, client, log });
  const task = await reader.getTask(taskId).catch((error: unknown) => error);
  if (!isFound(task)) {
    if (isA2AError(task) && task.code === 'TASK_NOT_FOUND')
      log({ kind: 'task', taskId, state: 'missing', messageIds: [], text: '' });
    else log({ kind: 'gave-up', client, error: tell(task) });
    return;
  }
  const messageIds = task.history.filter(({ role }) => role === 'user').map(({ messageId }) => messageId);
  log({ kind: 'task', taskId, state: task.status.state, messageIds, text: textDigestOf(task) });
  if (isTerminal(task.status.state)) {
    await readToEnd(reader.subscribe(taskId, { lastEventId: 0 }), { client, log });
  } else if (isInterrupted(task.status.state)) {
    await readUpTo(task, reader.subscribe(taskId, { lastEventId: 0 }), { client, log });
  }
}

/** The stream of a task that waits stays open: its present status is its last event. */
async function readUpTo(task: Task, stream: TaskStream, { client, log }: ReadingOptions): Promise<void> {
  const now = JSON.stringify(task.status);
  try {
    for await (const event of stream) if (event.kind === 'status' && JSON.stringify(event.status) === now) break;
    log({ kind: 'ended', client, taskId: task.id, state: task.status.state, text: textDigestOf(task) });
  } catch (error) {
    log({ kind: 'gave-up', client, error: tell(error) });
  }
}

function isFound(task: unknown): task is Task {
  return typeof task === 'object' && task !== null && 'status' in task && 'history' in task;
}
