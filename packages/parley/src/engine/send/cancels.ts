import type { Task } from '../../model/task.ts';
import { CommitRefused } from '../log/refusals.ts';
import type { Remote } from '../node/remote.ts';
import { isElsewhere } from '../task/elsewhere.ts';
import type { Scope } from '../task/scope.ts';
import type { Tasks } from '../task/tasks.ts';
import type { MessageDraft } from '../turn/runner.ts';

/** Attempts to write a task that other nodes write at the same time, such as one that is just being claimed. */
export const WRITE_ATTEMPTS = 5;

/** Another node was faster, and nothing was written: the task can be asked for again. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof CommitRefused && error.result === 'conflict';
}

/** Cancels a task, on whichever node it is, and resolves with it. */
export async function cancelTask(
  { tasks, remote }: { readonly tasks: Tasks; readonly remote: Remote },
  scope: Scope,
  taskId: string,
  why: MessageDraft | undefined,
  attempt = 1,
): Promise<Task> {
  const writer = await tasks.writerOf(taskId, scope);
  if (isElsewhere(writer)) {
    await remote.cancel(writer.node, { taskId, scope, why });
    return (await tasks.snapshot(taskId, scope)).task;
  }
  try {
    await writer.cancel(why);
    return writer.snapshot();
  } catch (error) {
    if (!isOvertaken(error) || attempt === WRITE_ATTEMPTS) throw error;
  } finally {
    tasks.dismiss(writer);
  }
  return cancelTask({ tasks, remote }, scope, taskId, why, attempt + 1);
}
