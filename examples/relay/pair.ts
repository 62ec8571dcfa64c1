import type { Message, Task, TaskState } from 'parley-a2a';
import { Changes } from './changes.ts';
import { Epoch, type Side, type Standing } from './epoch.ts';
import { seatOf } from './side-mark.ts';

/** Something that was said, with its place in all that the pair has said. */
export interface Entry {
  readonly number: number;
  readonly epoch: number;
  readonly side: Side;
  readonly message: Message;
}

/** The place of a task: which talk it is part of, and on which side. */
export interface Seat {
  readonly epoch: Epoch;
  readonly side: Side;
}

/**
 * A context, and the talks that two participants at a time have in it, one after the other. When one is over because
 * somebody has left, the next message to the context begins another. Nothing here is kept anywhere: a pair is read from
 * its tasks (`restore`) and goes on with what their runs tell it.
 */
export class Pair {
  readonly id: string;
  readonly #changes = new Changes();
  /** By their numbers; there is always one. */
  readonly #epochs: [Epoch, ...Epoch[]];

  constructor(id: string) {
    this.id = id;
    this.#epochs = [new Epoch(1, this.#changes)];
  }

  /** The pair as the tasks of its context have it. */
  static restore(id: string, tasks: readonly Task[]): Pair {
    const pair = new Pair(id);
    const ordered = tasks.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    for (const task of ordered) {
      const seat = seatOf(task);
      if (seat) pair.#epochOf(seat.epoch).restore(seat.side, task);
    }
    return pair;
  }

  /** How the talk that is going on stands, or the last one. */
  get standing(): Standing {
    return this.#current.standing;
  }

  /** How many messages there are, in all talks. */
  get length(): number {
    return this.#epochs.reduce((sum, { length }) => sum + length, 0);
  }

  /** The place that a task has, given to it if there is one; undefined where two are talking already. */
  seatFor(taskId: string): Seat | undefined {
    const seat = this.#seatOf(taskId);
    if (seat) return seat;
    const epoch = this.#current.isOver ? this.#epochOf(this.#current.number + 1) : this.#current;
    const side = epoch.take(taskId);
    return side && { epoch, side };
  }

  /** A participant's task has ended. */
  end(taskId: string, state: TaskState): void {
    const seat = this.#seatOf(taskId);
    seat?.epoch.end(seat.side, state);
  }

  /** Tasks that are still open although the other side's has ended, and how that one has. */
  get openAfterEnd(): readonly { readonly taskId: string; readonly because: TaskState }[] {
    return this.#epochs.flatMap(({ openAfterEnd }) => openAfterEnd ?? []);
  }

  /** What was said after so many messages. */
  after(number: number): readonly Entry[] {
    const entries: Entry[] = [];
    let before = 0;
    for (const epoch of this.#epochs) {
      for (let place = Math.max(1, number - before + 1); ; place += 1) {
        const said = epoch.at(place);
        if (!said) break;
        entries.push({ number: before + place, epoch: epoch.number, ...said });
      }
      before += epoch.length;
    }
    return entries;
  }

  /** Resolves when anything is different, rejects when it is no longer wanted. */
  changed(signal: AbortSignal): Promise<void> {
    return this.#changes.next(signal);
  }

  get #current(): Epoch {
    return this.#epochs.at(-1) ?? this.#epochs[0];
  }

  #seatOf(taskId: string): Seat | undefined {
    for (const epoch of this.#epochs) {
      const side = epoch.sideOf(taskId);
      if (side) return { epoch, side };
    }
    return undefined;
  }

  #epochOf(number: number): Epoch {
    for (let next = this.#current.number + 1; next <= number; next += 1) {
      this.#epochs.push(new Epoch(next, this.#changes));
    }
    return this.#epochs[number - 1] ?? this.#current;
  }
}
