import { isTerminal, type Message, type Task, type TaskState } from 'parley-a2a';
import { sideOf } from './side-mark.ts';

/** Who is who: `a` came first. */
export type Side = 'a' | 'b';

/** Something that was said, with its place in the talk. */
export interface Entry {
  readonly number: number;
  readonly side: Side;
  readonly message: Message;
}

/** Where a pair stands. `absent`: the second one has not come yet. */
export interface Standing {
  readonly a: TaskState | 'absent';
  readonly b: TaskState | 'absent';
  readonly turn: Side | undefined;
  /** One has left. */
  readonly isOver: boolean;
  /** Nothing will change any more: the task of the one who stayed has ended, too. */
  readonly isSettled: boolean;
}

/**
 * Two tasks in one context, and the talk that follows from what their callers have said. Nothing here is kept anywhere: a
 * pair is read from its two tasks (`restore`) and goes on with what their runs tell it.
 *
 * The order needs no clock and no counter, for turns alternate: a1, then b1 with which the second one joins, then the
 * answer b2 to a1, then a2, b3, a3, …
 */
export class Pair {
  readonly id: string;
  readonly #taskIds: Partial<Record<Side, string>> = {};
  readonly #said: Readonly<Record<Side, Message[]>> = { a: [], b: [] };
  readonly #ends: Partial<Record<Side, TaskState>> = {};
  #change = Promise.withResolvers<void>();

  constructor(id: string) {
    this.id = id;
  }

  /** The pair as the tasks of its context have it. */
  static restore(id: string, tasks: readonly Task[]): Pair {
    const pair = new Pair(id);
    for (const task of tasks.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const side = sideOf(task);
      if (side === undefined || pair.#taskIds[side] !== undefined) continue;
      pair.#taskIds[side] = task.id;
      pair.#said[side].push(...task.history.filter(({ role }) => role === 'user'));
      if (isTerminal(task.status.state)) pair.#ends[side] = task.status.state;
    }
    return pair;
  }

  get isEmpty(): boolean {
    return this.#taskIds.a === undefined;
  }

  get isOver(): boolean {
    return (this.#ends.a ?? this.#ends.b) !== undefined;
  }

  get standing(): Standing {
    const { turn, isOver } = this;
    const isSettled = isOver && this.openAfterEnd === undefined;
    return { a: this.#stateOf('a'), b: this.#stateOf('b'), turn, isOver, isSettled };
  }

  /** How many messages there are. */
  get length(): number {
    return this.#said.a.length + this.#said.b.length;
  }

  /** Who may speak next; nobody before there are two, or when it is over. */
  get turn(): Side | undefined {
    if (this.isOver || this.#at(2) === undefined) return undefined;
    return placeOf(this.length + 1).side;
  }

  /** The side that a task has, given to it if there is one left; undefined where the pair is complete. */
  sideFor(taskId: string): Side | undefined {
    for (const side of ['a', 'b'] as const) {
      const holder = this.#taskIds[side];
      if (holder === taskId) return side;
      if (holder !== undefined || this.isOver) continue;
      this.#taskIds[side] = taskId;
      this.#changed();
      return side;
    }
    return undefined;
  }

  /** A side has said its message of this index. Saying it again changes nothing. */
  say(side: Side, index: number, message: Message): void {
    const said = this.#said[side];
    if (index < said.length) return;
    if (index > said.length) throw new Error(`Pair ${this.id}: side ${side} has not said message ${index - 1} yet`);
    said.push(message);
    this.#changed();
  }

  /** What a side says with its message of this index, as soon as it does. */
  async hear(side: Side, index: number, signal: AbortSignal): Promise<Message> {
    for (;;) {
      const message = this.#said[side][index];
      if (message) return message;
      await this.changed(signal);
    }
  }

  /** A side's task has ended. Says which task is still open. */
  end(taskId: string, state: TaskState): string | undefined {
    const side = this.#taskIds.a === taskId ? 'a' : this.#taskIds.b === taskId ? 'b' : undefined;
    if (side === undefined) return undefined;
    this.#ends[side] = state;
    this.#changed();
    return this.openAfterEnd;
  }

  /** The task that is still open although the other one has ended. */
  get openAfterEnd(): string | undefined {
    if (!this.isOver) return undefined;
    return this.#ends.a === undefined ? this.#taskIds.a : this.#ends.b === undefined ? this.#taskIds.b : undefined;
  }

  /** What was said after so many messages. */
  after(number: number): readonly Entry[] {
    const entries: Entry[] = [];
    for (let next = this.#at(number + 1); next; next = this.#at(next.number + 1)) entries.push(next);
    return entries;
  }

  /** Resolves when anything is different, rejects when it is no longer wanted. */
  changed(signal: AbortSignal): Promise<void> {
    const change = this.#change.promise;
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      void change.then(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      });
    });
  }

  #at(number: number): Entry | undefined {
    const { side, index } = placeOf(number);
    const message = this.#said[side][index];
    return message && { number, side, message };
  }

  #stateOf(side: Side): TaskState | 'absent' {
    if (this.#taskIds[side] === undefined) return 'absent';
    return this.#ends[side] ?? (this.turn === side ? 'input-required' : 'working');
  }

  #changed(): void {
    const change = this.#change;
    this.#change = Promise.withResolvers();
    change.resolve();
  }
}

/** Which message stands at a place of the talk: a1 b1 b2 a2 b3 a3 … */
function placeOf(number: number): { readonly side: Side; readonly index: number } {
  if (number <= 2) return { side: number === 1 ? 'a' : 'b', index: 0 };
  return number % 2 === 0 ? { side: 'a', index: number / 2 - 1 } : { side: 'b', index: (number - 1) / 2 };
}
