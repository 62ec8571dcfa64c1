import { alarm } from '../node/alarm.ts';
import type { Clock } from '../ports.ts';

/** Times at which there is something to look at, with one timer for all of them. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #reached: () => void;
  /** Earliest first. */
  readonly #times: number[] = [];
  #stopAlarm: (() => void) | undefined;
  #isStopped = false;

  /** `reached`: called when one or more of the times have come. */
  constructor(clock: Clock, reached: () => void) {
    this.#clock = clock;
    this.#reached = reached;
  }

  /** Milliseconds since the epoch. */
  add(time: number): void {
    if (this.#isStopped) return;
    // Nearly always the latest.
    const place = this.#times.findLastIndex((other) => other <= time) + 1;
    if (this.#times[place - 1] === time) return;
    this.#times.splice(place, 0, time);
    if (place === 0) this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopAlarm?.();
    this.#times.length = 0;
  }

  #wait(): void {
    this.#stopAlarm?.();
    const [first] = this.#times;
    this.#stopAlarm = first === undefined ? undefined : alarm(this.#clock, first, () => this.#look());
  }

  #look(): void {
    const now = this.#clock.now();
    const next = this.#times.findIndex((time) => time > now);
    this.#times.splice(0, next === -1 ? this.#times.length : next);
    this.#wait();
    this.#reached();
  }
}
