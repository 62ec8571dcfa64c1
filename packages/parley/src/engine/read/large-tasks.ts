import type { Call } from '../../model/call.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { Clock } from '../ports.ts';
import type { FoldedTask } from './finished-tasks.ts';

/** Bytes, roughly: loading a task of this size and writing it takes some milliseconds. */
const LARGE = 1024 * 1024;
/** Milliseconds for which the latest large task is held: those who ask for it at the same time share it. */
const HELD = 1_000;
/** Requests that wait for their turn; more are told to come back. */
const MOST_WAITING = 1_000;

/** The call that asks for a task, and whose client may leave. */
export type Client = Pick<Call, 'onAbort'>;

/**
 * Tasks that are too large to be kept. They are loaded one in a turn of the event loop, so that everybody else comes in
 * between, and the latest one is there for a moment.
 */
export class LargeTasks {
  readonly #clock: Pick<Clock, 'nextTurn' | 'after'>;
  /** The oldest first. */
  readonly #waiting = new Set<() => void>();
  #isResting = false;
  #latest: FoldedTask | undefined;
  #stopHolding: (() => void) | undefined;

  constructor(clock: Pick<Clock, 'nextTurn' | 'after'>) {
    this.#clock = clock;
  }

  get(taskId: string): FoldedTask | undefined {
    return this.#latest?.head.id === taskId ? this.#latest : undefined;
  }

  forget(taskId: string): void {
    if (this.#latest?.head.id === taskId) this.#drop();
  }

  /**
   * Undefined where a task may be loaded at once. Each load needs one `loaded`. Throws where too many wait, and rejects where the
   * client leaves before its turn has come.
   */
  turn(client: Client | undefined): Promise<void> | undefined {
    if (!this.#isResting) return undefined;
    if (this.#waiting.size >= MOST_WAITING) {
      throw new A2AError('UNAVAILABLE', 'Too many requests wait for large tasks; come back in a moment');
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        stopListening?.();
        resolve();
      };
      this.#waiting.add(begin);
      const stopListening = client?.onAbort(() => {
        if (this.#waiting.delete(begin)) reject(new A2AError('UNAVAILABLE', 'The client has left'));
      });
    });
  }

  /** `size`: of the task that was loaded; 0 where there was none. */
  loaded(size: number): void {
    if (size <= LARGE && this.#waiting.size === 0) {
      this.#isResting = false;
      return;
    }
    this.#isResting = true;
    this.#clock.nextTurn(this.#next);
  }

  hold(folded: FoldedTask): void {
    this.#drop();
    this.#latest = folded;
    this.#stopHolding = this.#clock.after(HELD, () => this.#drop());
  }

  readonly #next = (): void => {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#isResting = false;
  };

  #drop(): void {
    this.#stopHolding?.();
    this.#stopHolding = undefined;
    this.#latest = undefined;
  }
}
