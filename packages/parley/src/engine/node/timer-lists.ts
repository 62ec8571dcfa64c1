/** A timer that has not fired and was not stopped. */
interface Entry {
  readonly at: number;
  /** Let go when the entry leaves its list: the timer of the list may hold the entry for long. */
  callback: () => void;
  previous: Entry | undefined;
  next: Entry | undefined;
}

/** Timers of one duration, in the order in which they fire. */
interface TimerList {
  readonly milliseconds: number;
  /** The function that armed the list's timer: one that a test has replaced does not fire what this one counts. */
  readonly setTimeout: typeof setTimeout;
  /** It has no timer yet. */
  isNew: boolean;
  first: Entry | undefined;
  last: Entry | undefined;
}

/** Durations that have a list at the same time; timers of other durations are the platform's own. */
const MOST_LISTS = 16;

const NOTHING = (): void => {};

/**
 * Timers for limits, which are nearly always stopped before they fire: those of one duration share one timer of the
 * platform, which stays when they are stopped. None of them keeps the process alive.
 */
export class TimerLists {
  readonly #lists = new Map<number, TimerList>();

  /** Calls back after `milliseconds`, unless the returned function is called before. */
  start(milliseconds: number, callback: () => void): () => void {
    const list = this.#listOf(milliseconds);
    if (!list) {
      const timer = setTimeout(callback, milliseconds);
      timer.unref();
      return () => clearTimeout(timer);
    }
    const entry: Entry = { at: performance.now() + milliseconds, callback, previous: list.last, next: undefined };
    if (list.last) list.last.next = entry;
    else list.first = entry;
    list.last = entry;
    if (list.isNew) this.#arm(list, milliseconds);
    return () => remove(list, entry);
  }

  #listOf(milliseconds: number): TimerList | undefined {
    const held = this.#lists.get(milliseconds);
    if (held?.setTimeout === setTimeout) return held;
    if (!held && this.#lists.size >= MOST_LISTS) return undefined;
    const list: TimerList = { milliseconds, setTimeout, isNew: true, first: undefined, last: undefined };
    this.#lists.set(milliseconds, list);
    return list;
  }

  /** Waits for the first entry of the list. */
  #arm(list: TimerList, delay: number): void {
    list.isNew = false;
    const { first } = list;
    list.setTimeout(() => this.#fire(list, first), delay).unref();
  }

  /** `awaited`: the entry that the timer was armed for is due, whatever the clock says. */
  #fire(list: TimerList, awaited: Entry | undefined): void {
    try {
      // The platform counts in whole milliseconds and may be a little early.
      const now = performance.now() + 1;
      while (list.first && (list.first === awaited || list.first.at <= now)) {
        const { callback } = list.first;
        remove(list, list.first);
        callback();
      }
    } finally {
      if (list.first) this.#arm(list, Math.min(Math.max(list.first.at - performance.now(), 1), list.milliseconds));
      else if (this.#lists.get(list.milliseconds) === list) this.#lists.delete(list.milliseconds);
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
  entry.callback = NOTHING;
  entry.previous = undefined;
  entry.next = undefined;
}
