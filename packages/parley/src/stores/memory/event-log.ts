import type { TaskEvent } from '../../engine/log/events.ts';
import type { ReadLimit } from '../../engine/ports.ts';
import { jsonSizeOfEvent } from '../event-size.ts';
import { lastSeqOf, type PackedEvent, pack, unpack } from '../packed-events.ts';

const NONE: PackedEvent[] = [];

/** All events of one task. */
export class EventLog {
  #packed: PackedEvent[] = NONE;

  append(events: readonly TaskEvent[]): void {
    if (this.#packed === NONE) this.#packed = pack(events);
    else this.#packed.push(...pack(events));
  }

  /** Drops all but the last event; returns false where there is nothing to drop. */
  keepLast(): boolean {
    const packed = this.#packed.at(-1);
    const [last, ...before] = packed ? [...unpack(packed)].reverse() : [];
    if (!last || (this.#packed.length === 1 && before.length === 0)) return false;
    this.#packed = [last];
    return true;
  }

  *after(seq: number): Generator<TaskEvent, void, undefined> {
    for (let index = this.#firstAfter(seq); index < this.#packed.length; index += 1) {
      yield* unpack(this.#packed[index] as PackedEvent, seq);
    }
  }

  read(after: number, limit: ReadLimit): TaskEvent[] {
    const found: TaskEvent[] = [];
    let bytes = 0;
    for (const event of this.after(after)) {
      found.push(event);
      bytes += jsonSizeOfEvent(event);
      if (found.length >= limit.events || bytes >= limit.bytes) break;
    }
    return found;
  }

  /** The first entry that has something after this seq. */
  #firstAfter(seq: number): number {
    let low = 0;
    let high = this.#packed.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (lastSeqOf(this.#packed[middle] as PackedEvent) <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
