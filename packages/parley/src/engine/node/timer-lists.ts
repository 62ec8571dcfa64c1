/** A timer that has not fired and was not stopped. */
interface Entry {
  readonly at: number;
  readonly callback: () => void;
  previous: Entry | undefined;
  next: Entry | undefined;
}

/** Timers of one duration, in the order in which they fire. */
interface TimerList {
  readonly milliseconds: number;
  first: Entry | undefined;
  last: Entry | undefined;
}

/** Durations that have a list at the same time; timers of other durations are the platform's own. */
const MOST_LISTS = 16;

/**
 * Timers for limits, which are nearly always stopped before they fire: those of one duration share one timer of the
 * platform, which stays when they are stopped. None of them keeps the process alive.
 */
export class TimerLists {
  readonly #lists = new Map<number, TimerList>();

  /** Calls back after so many milliseconds, unless the returned function is called before. */
  start(milliseconds: number, callback: () => void): () => void {
    const list = this.#lists.get(milliseconds) ?? this.#newList(milliseconds);
    if (!list) {
      const timer = setTimeout(callback, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    }
    const entry: Entry = { at: performance.now() + milliseconds, callback, previous: list.last, next: undefined };
    if (list.last) list.last.next = entry;
    else list.first = entry;
    list.last = entry;
    return () => remove(list, entry);
  }

  #newList(milliseconds: number): TimerList | undefined {
    if (this.#lists.size >= MOST_LISTS) return undefined;
    const list: TimerList = { milliseconds, first: undefined, last: undefined };
    this.#lists.set(milliseconds, list);
    this.#arm(list, milliseconds);
    return list;
  }

  #arm(list: TimerList, delay: number): void {
    setTimeout(() => this.#fire(list), delay).unref();
  }

  #fire(list: TimerList): void {
    try {
      // The platform counts in whole milliseconds and may be a little early.
      const now = performance.now() + 1;
      while (list.first && list.first.at <= now) {
        const { callback } = list.first;
        remove(list, list.first);
        callback();
      }
    } finally {
      if (list.first) this.#arm(list, Math.max(list.first.at - performance.now(), 1));
      else this.#lists.delete(list.milliseconds);
    }
  }
}

/** Takes an entry out of its list, once. */
function remove(list: TimerList, entry: Entry): void {
  const { previous, next } = entry;
  if (!previous && list.first !== entry) return;
  if (previous) previous.next = next;
  else list.first = next;
  if (next) next.previous = previous;
  else list.last = previous;
  entry.previous = undefined;
  entry.next = undefined;
}
