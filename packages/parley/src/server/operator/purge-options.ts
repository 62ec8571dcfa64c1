import type { PurgeQuery } from '../../engine/ports.ts';

/** Which of the tasks that have ended are to be removed: one of the members, or both. */
export interface PurgeTasksOptions {
  /** Those that ended before: a date, or milliseconds since the epoch. */
  readonly endedBefore?: Date | number | undefined;
  /** Only this one. */
  readonly id?: string | undefined;
}

export function purgeQueryOf({ endedBefore, id }: PurgeTasksOptions): Omit<PurgeQuery, 'limit'> {
  if (endedBefore === undefined && id === undefined) {
    throw new TypeError('purgeTasks needs endedBefore or id: it never removes everything unasked');
  }
  const time = endedBefore === undefined ? Number.MAX_SAFE_INTEGER : Number(endedBefore);
  if (Number.isNaN(time)) throw new TypeError(`endedBefore must be a date or a number, not ${String(endedBefore)}`);
  return { endedBefore: time, taskId: id };
}
