import type { Task } from '../../model/task.ts';

/** At most the newest `length` messages; undefined = all of them (reference: v1-operations §4, History). */
export function limitHistory(task: Task, length: number | undefined): Task {
  if (length === undefined || task.history.length <= length) return task;
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}
