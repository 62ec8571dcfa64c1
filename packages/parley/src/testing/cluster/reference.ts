import type { EventEntry, TaskEntry } from './log-entry.ts';
import { comparePositions, type Position, positionOf } from './position.ts';

/** An event of a task's log, as a reader saw it. */
interface SeenEvent {
  readonly position: Position;
  readonly digest: string;
  /** The client that saw it first. */
  readonly client: string;
}

/** All events of one task that any reader saw. */
export class TaskReference {
  /** The task as it is in the end, if a client looked. */
  found: TaskEntry | undefined;
  readonly #seen = new Map<string, SeenEvent>();
  #sorted: readonly SeenEvent[] | undefined;

  see({ client, position: id, digest, what }: EventEntry): void {
    // A task is a snapshot: it includes events, and is none.
    const position = what === 'task' ? undefined : positionOf(id);
    if (!position || this.#seen.has(id)) return;
    this.#seen.set(id, { position, digest, client });
    this.#sorted = undefined;
  }

  at(id: string): SeenEvent | undefined {
    return this.#seen.get(id);
  }

  get last(): Position | undefined {
    return this.#events.at(-1)?.position;
  }

  /** The positions after one and before another. */
  between(after: Position, before: Position): readonly Position[] {
    const events = this.#events;
    const found: Position[] = [];
    for (let index = this.#indexAfter(after); index < events.length; index += 1) {
      const { position } = events[index] as SeenEvent;
      if (comparePositions(position, before) >= 0) break;
      found.push(position);
    }
    return found;
  }

  #indexAfter(position: Position): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePositions((this.#events[middle] as SeenEvent).position, position) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get #events(): readonly SeenEvent[] {
    this.#sorted ??= [...this.#seen.values()].sort((one, other) => comparePositions(one.position, other.position));
    return this.#sorted;
  }
}
