import { alarm } from '../../node/alarm.ts';
import type { Clock } from '../../ports.ts';

/** The alarms of runs that were let go while they wait for an answer until some time. */
export class Parking {
  readonly #clock: Clock;
  readonly #wake: (taskId: string) => void;
  /** The functions that stop the alarms, by task. */
  readonly #alarms = new Map<string, () => void>();

  constructor(clock: Clock, wake: (taskId: string) => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  wakeAt(taskId: string, time: number): void {
    this.forget(taskId);
    const stop = alarm(this.#clock, time, () => {
      this.#alarms.delete(taskId);
      this.#wake(taskId);
    });
    this.#alarms.set(taskId, stop);
  }

  /** The task is in memory again. */
  forget(taskId: string): void {
    this.#alarms.get(taskId)?.();
    this.#alarms.delete(taskId);
  }

  close(): void {
    for (const stop of this.#alarms.values()) stop();
    this.#alarms.clear();
  }
}
