import { isA2AError, type Task, type TaskState } from 'parley-a2a';
import { Pair } from './pair.ts';
import { keyOf, type PairName } from './pair-name.ts';

/** What pairs are made of, and how a task of one is ended. */
export interface TaskSource {
  /** The participants' tasks of a pair, with all that was said in them. */
  tasksOf(name: PairName): Promise<readonly Task[]>;
  /** Ends a task because the other side's has ended so. */
  endTask(taskId: string, because: TaskState): Promise<void>;
}

interface Held {
  readonly pair: Promise<Pair>;
  holders: number;
}

/**
 * The pairs that somebody has to do with right now: a run that waits, or a person who watches. All others are only in the
 * store, so memory does not grow with their number.
 */
export class Pairs {
  readonly #source: TaskSource;
  readonly #held = new Map<string, Held>();

  constructor(source: TaskSource) {
    this.#source = source;
  }

  /** Holds a pair until it is released. Whoever asks for one of the same name gets the same pair. */
  async hold(name: PairName): Promise<{ readonly pair: Pair; readonly release: () => void }> {
    const key = keyOf(name);
    const held = this.#held.get(key) ?? { pair: this.#load(name), holders: 0 };
    this.#held.set(key, held);
    held.holders += 1;
    const release = () => {
      held.holders -= 1;
      if (held.holders === 0) this.#held.delete(key);
    };
    try {
      return { pair: await held.pair, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Does something with a pair and holds it for so long. */
  async with<Result>(name: PairName, use: (pair: Pair) => Result | Promise<Result>): Promise<Result> {
    const { pair, release } = await this.hold(name);
    try {
      return await use(pair);
    } finally {
      release();
    }
  }

  /** A participant's task has ended: the other one's ends too. */
  async ended(name: PairName, taskId: string, state: TaskState): Promise<void> {
    // A pair that is read only now has it all from the store.
    if (!this.#held.has(keyOf(name))) return this.check(name);
    await this.with(name, (pair) => {
      pair.end(taskId, state);
      return this.#endOthers(pair);
    });
  }

  /** Reads a pair, which ends what is left of one that is half ended. */
  async check(name: PairName): Promise<void> {
    await this.with(name, () => {});
  }

  async #load(name: PairName): Promise<Pair> {
    const pair = Pair.restore(name.contextId, await this.#source.tasksOf(name));
    // Not awaited: the run of that very task may be the one that asks for the pair.
    void this.#endOthers(pair);
    return pair;
  }

  async #endOthers({ openAfterEnd }: Pair): Promise<void> {
    await Promise.all(openAfterEnd.map(({ taskId, because }) => this.#end(taskId, because)));
  }

  async #end(taskId: string, because: TaskState): Promise<void> {
    try {
      await this.#source.endTask(taskId, because);
    } catch (error) {
      // It has ended by itself meanwhile.
      if (!isA2AError(error) || error.code !== 'TASK_NOT_CANCELABLE') {
        console.error(`relay: task ${taskId} could not be ended; it will be when the relay is started again`, error);
      }
    }
  }
}
