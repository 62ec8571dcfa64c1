import type { Task } from '../model/task.ts';
import { encodeTask } from './v0_3/cogitator/tasks.ts';
import type { A2ATask } from './v0_3/cogitator/types.ts';

export type { A2ATask as TaskRecord, TaskState as RecordedState } from './v0_3/cogitator/types.ts';

/** Writes a task in the form that task stores of users keep (S3.5). */
export function encodeTaskRecord(task: Task): A2ATask {
  return encodeTask(task);
}
