/** The sort key: status time, then id. */
export interface Place {
  readonly statusTime: number;
  readonly id: string;
}

const CHUNK_LIMIT = 256;

/** Newest first, and the greater id first among equal times. Negative if `left` comes before `right`. */
export function comparePlaces(left: Place, right: Place): number {
  return -ascending(left, right);
}

/**
 * Items in the order of their places, read newest first. It is an array of short sorted arrays, so that adding and
 * removing moves at most one short array, and a position is found by two binary searches. Inside, the newest item
 * comes last, because most items are added at that end. A place must not change while its item is in the list.
 */
export class SortedList<Item extends Place> {
  readonly #chunks: Item[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: Item): void {
    this.#size += 1;
    if (this.#addAtEnd(item)) return;
    const index = Math.min(this.#chunkFor(item), this.#chunks.length - 1);
    const chunk = this.#chunks[index];
    if (chunk === undefined) {
      this.#chunks.push([item]);
      return;
    }
    const position = lowerBound(chunk, item);
    if (chunk.length < CHUNK_LIMIT) {
      chunk.splice(position, 0, item);
    } else if (position === chunk.length) {
      this.#chunks.splice(index + 1, 0, [item]);
    } else {
      const upper = chunk.splice(CHUNK_LIMIT / 2);
      this.#chunks.splice(index + 1, 0, upper);
      if (position <= chunk.length) chunk.splice(position, 0, item);
      else upper.splice(position - chunk.length, 0, item);
    }
  }

  /** Adds an item that comes after all others, as most do; false for one that does not, or where the chunk is full. */
  #addAtEnd(item: Item): boolean {
    const chunk = this.#chunks.at(-1);
    const last = chunk?.at(-1);
    if (!chunk || !last || chunk.length >= CHUNK_LIMIT || ascending(last, item) >= 0) return false;
    chunk.push(item);
    return true;
  }

  /** Removes the item at this place, if there is one. */
  delete(place: Place): boolean {
    const index = this.#chunkFor(place);
    const chunk = this.#chunks[index];
    if (chunk === undefined) return false;
    const position = lowerBound(chunk, place);
    const found = chunk[position];
    if (found === undefined || ascending(found, place) !== 0) return false;
    chunk.splice(position, 1);
    this.#size -= 1;
    this.#shrink(index, chunk);
    return true;
  }

  /** The items that come after a place, newest first; all of them without one. */
  *after(place?: Place): Generator<Item, void, undefined> {
    let index = this.#chunks.length - 1;
    let position = this.#chunks[index]?.length ?? 0;
    if (place !== undefined) {
      const found = this.#chunkFor(place);
      const chunk = this.#chunks[found];
      if (chunk !== undefined) {
        index = found;
        position = lowerBound(chunk, place);
      }
    }
    for (; index >= 0; index -= 1) {
      const chunk = this.#chunks[index] ?? [];
      for (let step = Math.min(position, chunk.length) - 1; step >= 0; step -= 1) {
        const item = chunk[step];
        if (item !== undefined) yield item;
      }
      position = CHUNK_LIMIT;
    }
  }

  /** The items with an earlier status time, oldest first. */
  *before(statusTime: number): Generator<Item, void, undefined> {
    for (const chunk of this.#chunks) {
      for (const item of chunk) {
        if (item.statusTime >= statusTime) return;
        yield item;
      }
    }
  }

  /** Counts the items with this status time or a later one. */
  countSince(statusTime: number): number {
    const first = { statusTime, id: '' };
    const index = this.#chunkFor(first);
    const chunk = this.#chunks[index];
    if (chunk === undefined) return 0;
    let count = chunk.length - lowerBound(chunk, first);
    for (let later = index + 1; later < this.#chunks.length; later += 1) count += this.#chunks[later]?.length ?? 0;
    return count;
  }

  /** The first chunk that ends at or after the place; the number of chunks if there is none. */
  #chunkFor(place: Place): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = this.#chunks[middle]?.at(-1);
      if (last !== undefined && ascending(last, place) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Old items leave and come back as new ones: without joining, the old end would become many tiny chunks. */
  #shrink(index: number, chunk: Item[]): void {
    if (chunk.length === 0) {
      this.#chunks.splice(index, 1);
      return;
    }
    const next = this.#chunks[index + 1];
    if (next !== undefined && chunk.length + next.length <= CHUNK_LIMIT / 2) {
      chunk.push(...next);
      this.#chunks.splice(index + 1, 1);
    }
  }
}

function lowerBound(chunk: readonly Place[], place: Place): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = chunk[middle];
    if (item !== undefined && ascending(item, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ascending(left: Place, right: Place): number {
  if (left.statusTime !== right.statusTime) return left.statusTime - right.statusTime;
  if (left.id === right.id) return 0;
  return left.id < right.id ? -1 : 1;
}
