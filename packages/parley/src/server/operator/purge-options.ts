import type { PurgeQuery } from '../../engine/ports.ts';

/** Selects the ended tasks to remove, by one member or both. */
export interface PurgeTasksOptions {
  /** Tasks that ended before this time: a date, or milliseconds since the epoch. */
  readonly endedBefore?: Date | number | undefined;
  /** Only this task. */
  readonly taskId?: string | undefined;
}

export function purgeQueryOf({ endedBefore, taskId }: PurgeTasksOptions): Omit<PurgeQuery, 'limit'> {
  if (endedBefore === undefined && taskId === undefined) {
    throw new TypeError('purgeTasks needs endedBefore or taskId: it never removes everything unasked');
  }
  const time = endedBefore === undefined ? Number.MAX_SAFE_INTEGER : Number(endedBefore);
  if (Number.isNaN(time)) throw new TypeError(`endedBefore must be a date or a number, not ${String(endedBefore)}`);
  return { endedBefore: time, taskId };
}
