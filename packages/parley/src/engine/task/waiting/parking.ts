import { isA2AError } from '../../../model/errors/errors.ts';
import { delayAfter, type RetryPolicy } from '../../follow/retry.ts';
import { alarm } from '../../node/alarm.ts';
import type { Clock, Logger } from '../../ports.ts';
import type { Actor } from '../actor.ts';

const RETRY: RetryPolicy = { firstDelay: 1000, longestDelay: 60_000 };

/** The alarms of runs that were let go while they wait for an answer until some time. */
export class Parking {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #takeUp: (taskId: string) => Promise<void>;
  /** The functions that stop the alarms, by task. */
  readonly #alarms = new Map<string, () => void>();
  #isClosed = false;

  /** `takeUp`: takes up the run of a task, because its question is not answered in time. */
  constructor(clock: Clock, log: Logger, takeUp: (taskId: string) => Promise<void>) {
    this.#clock = clock;
    this.#log = log;
    this.#takeUp = takeUp;
  }

  wakeAt(taskId: string, time: number, failures = 0): void {
    this.forget(taskId);
    if (this.#isClosed) return;
    const stop = alarm(this.#clock, time, () => {
      this.#alarms.delete(taskId);
      void this.#wake(taskId, failures);
    });
    this.#alarms.set(taskId, stop);
  }

  /** The task is in memory again. */
  forget(taskId: string): void {
    this.#alarms.get(taskId)?.();
    this.#alarms.delete(taskId);
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#alarms.values()) stop();
    this.#alarms.clear();
  }

  /** A run that cannot be taken up now is tried again: nothing else would ever end its task. */
  async #wake(taskId: string, failures: number): Promise<void> {
    try {
      await this.#takeUp(taskId);
    } catch (error) {
      this.#log.warn('A run that waits for an answer could not be taken up', { taskId, error });
      if (isA2AError(error) && error.code === 'TASK_NOT_FOUND') return;
      this.wakeAt(taskId, this.#clock.now() + delayAfter(RETRY, failures + 1), failures + 1);
    }
  }
}

/**
 * The time at which this node must take up the run of an actor that leaves the memory, because the first of its open questions
 * is given up then; undefined if there is none.
 */
export function wakingTime({ log, turns }: Actor): number | undefined {
  const { unfinished } = turns.records;
  if (!unfinished || turns.isRunning || turns.isWaiting || !log.asking || !log.isHeldHere) return undefined;
  const times = unfinished.openQuestions.flatMap(({ answerBy }) => answerBy ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
