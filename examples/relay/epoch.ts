import { isTerminal, type Message, type Task, type TaskState } from 'parley-a2a';
import type { Changes } from './changes.ts';

/** Who is who: `a` came first. */
export type Side = 'a' | 'b';

/** Where an epoch stands. `absent`: nobody has this side yet. */
export interface Standing {
  /** Which talk of the pair it is: 1, 2, … */
  readonly epoch: number;
  readonly a: TaskState | 'absent';
  readonly b: TaskState | 'absent';
  readonly turn: Side | undefined;
  /** One has left. */
  readonly isOver: boolean;
  /** Nothing will change in it any more: the task of the one who stayed has ended, too. */
  readonly isSettled: boolean;
}

/**
 * One talk of a pair: two tasks, and what their callers have said.
 *
 * The order needs no clock and no counter, for turns alternate: a1, then b1 with which the second one joins, then the
 * answer b2 to a1, then a2, b3, a3, …
 */
export class Epoch {
  readonly number: number;
  readonly #changes: Changes;
  readonly #taskIds: Partial<Record<Side, string>> = {};
  readonly #said: Readonly<Record<Side, Message[]>> = { a: [], b: [] };
  readonly #ends: Partial<Record<Side, TaskState>> = {};

  constructor(number: number, changes: Changes) {
    this.number = number;
    this.#changes = changes;
  }

  /** Gives a side the task that it has by its log. The first one counts. */
  restore(side: Side, task: Task): void {
    if (this.#taskIds[side] !== undefined) return;
    this.#taskIds[side] = task.id;
    this.#said[side].push(...task.history.filter(({ role }) => role === 'user'));
    if (isTerminal(task.status.state)) this.#ends[side] = task.status.state;
  }

  get isOver(): boolean {
    return (this.#ends.a ?? this.#ends.b) !== undefined;
  }

  get standing(): Standing {
    const { number: epoch, turn, isOver } = this;
    const isSettled = isOver && this.openAfterEnd === undefined;
    return { epoch, a: this.#stateOf('a'), b: this.#stateOf('b'), turn, isOver, isSettled };
  }

  /** How many messages there are. */
  get length(): number {
    return this.#said.a.length + this.#said.b.length;
  }

  /** Who may speak next; nobody before there are two, or when it is over. */
  get turn(): Side | undefined {
    if (this.isOver || this.at(2) === undefined) return undefined;
    return placeOf(this.length + 1).side;
  }

  /** The side that a task has; undefined where it has none. */
  sideOf(taskId: string): Side | undefined {
    return this.#taskIds.a === taskId ? 'a' : this.#taskIds.b === taskId ? 'b' : undefined;
  }

  /** Gives a task the side that is left; undefined where there is none. */
  take(taskId: string): Side | undefined {
    const side = this.#taskIds.a === undefined ? 'a' : this.#taskIds.b === undefined ? 'b' : undefined;
    if (side === undefined || this.isOver) return undefined;
    this.#taskIds[side] = taskId;
    this.#changes.announce();
    return side;
  }

  /** A side has said its message of this index. Saying it again changes nothing. */
  say(side: Side, index: number, message: Message): void {
    const said = this.#said[side];
    if (index < said.length) return;
    if (index > said.length) throw new Error(`Side ${side} has not said message ${index - 1} yet`);
    said.push(message);
    this.#changes.announce();
  }

  /** What a side says with its message of this index, as soon as it does. */
  async hear(side: Side, index: number, signal: AbortSignal): Promise<Message> {
    for (;;) {
      const message = this.#said[side][index];
      if (message) return message;
      await this.#changes.next(signal);
    }
  }

  end(side: Side, state: TaskState): void {
    this.#ends[side] = state;
    this.#changes.announce();
  }

  /** The task that is still open although the other one has ended, and how that one has. */
  get openAfterEnd(): { readonly taskId: string; readonly because: TaskState } | undefined {
    for (const [side, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const [taskId, because] = [this.#taskIds[side], this.#ends[other]];
      if (taskId !== undefined && because !== undefined && this.#ends[side] === undefined) return { taskId, because };
    }
    return undefined;
  }

  /** What was said at a place of this talk, the first of which is 1. */
  at(number: number): { readonly side: Side; readonly message: Message } | undefined {
    const { side, index } = placeOf(number);
    const message = this.#said[side][index];
    return message && { side, message };
  }

  #stateOf(side: Side): TaskState | 'absent' {
    if (this.#taskIds[side] === undefined) return 'absent';
    return this.#ends[side] ?? (this.turn === side ? 'input-required' : 'working');
  }
}

/** Which message stands at a place of the talk: a1 b1 b2 a2 b3 a3 … */
function placeOf(number: number): { readonly side: Side; readonly index: number } {
  if (number <= 2) return { side: number === 1 ? 'a' : 'b', index: 0 };
  return number % 2 === 0 ? { side: 'a', index: number / 2 - 1 } : { side: 'b', index: (number - 1) / 2 };
}
