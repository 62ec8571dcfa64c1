import type { PushNotification } from '../verify/notification.ts';

/** The facts about a notification that a store needs. */
export type PushKey = Pick<PushNotification, 'id' | 'taskId' | 'seq'>;

/**
 * Remembers which notifications were handled. Both functions are called for one notification of a task at a time. A receiver
 * in several processes needs a store that they share.
 */
export interface PushStore {
  /** True if the notification was handled: by its id, or because a later event of its task (a higher `seq`) was. */
  isHandled(notification: PushKey): boolean | Promise<boolean>;
  /** Called after `onEvent`. A crash between the two brings the notification again. */
  remember(notification: PushKey): unknown;
}

const MOST_REMEMBERED = 10_000;

/** The store of a receiver that has no other: the last 10,000 ids and tasks, until the process ends. */
export class RecentPushes implements PushStore {
  readonly #ids = new Map<string, true>();
  readonly #lastSeq = new Map<string, number>();
  readonly #most: number;

  constructor(most: number = MOST_REMEMBERED) {
    this.#most = most;
  }

  isHandled({ id, taskId, seq }: PushKey): boolean {
    return this.#ids.has(id) || (seq !== undefined && seq <= (this.#lastSeq.get(taskId) ?? Number.NEGATIVE_INFINITY));
  }

  remember({ id, taskId, seq }: PushKey): void {
    this.#put(this.#ids, id, true);
    if (seq !== undefined) this.#put(this.#lastSeq, taskId, seq);
  }

  /** The oldest entry is forgotten first. */
  #put<Value>(map: Map<string, Value>, key: string, value: Value): void {
    map.delete(key);
    map.set(key, value);
    if (map.size <= this.#most) return;
    const [oldest] = map.keys();
    if (oldest !== undefined) map.delete(oldest);
  }
}
