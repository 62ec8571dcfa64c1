/** One entry: in the chain of its bucket, and in the order in which entries were added. */
interface Entry<Value extends object> {
  readonly key: string;
  value: Value | undefined;
  chained: Entry<Value> | undefined;
  before: Entry<Value> | undefined;
  after: Entry<Value> | undefined;
}

type Bucket<Value extends object> = Entry<Value> | undefined;

const FEWEST_BUCKETS = 16;
/** Ids differ in their last characters; none of them is longer than a server's own. */
const HASHED_CHARACTERS = 12;

/**
 * A map of things that come and go with every request, in the order in which they came. Of what is deleted it keeps nothing,
 * and it leaves nothing behind that leads there. A `Map` leaves its old tables behind as it grows and shrinks; each leads to the
 * next one, so that everything they ever held stays in memory until the next full collection, and is copied meanwhile.
 */
export class LiveMap<Value extends object> {
  #buckets: Bucket<Value>[] = emptyBuckets(FEWEST_BUCKETS);
  #first: Bucket<Value>;
  #last: Bucket<Value>;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    return this.#find(key)?.value;
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  set(key: string, value: Value): void {
    const known = this.#find(key);
    if (known) {
      known.value = value;
      return;
    }
    if (this.#size === this.#buckets.length) this.#grow();
    const place = this.#placeOf(key);
    const entry: Entry<Value> = {
      key,
      value,
      chained: this.#buckets[place],
      before: this.#last,
      after: undefined,
    };
    this.#buckets[place] = entry;
    if (this.#last) this.#last.after = entry;
    else this.#first = entry;
    this.#last = entry;
    this.#size += 1;
  }

  delete(key: string): boolean {
    const place = this.#placeOf(key);
    let previous: Bucket<Value>;
    for (let entry = this.#buckets[place]; entry; entry = entry.chained) {
      if (entry.key !== key) {
        previous = entry;
        continue;
      }
      if (previous) previous.chained = entry.chained;
      else this.#buckets[place] = entry.chained;
      this.#takeOut(entry);
      return true;
    }
    return false;
  }

  /** Those that are there now, oldest first, except what is deleted before its turn comes. */
  *values(): Generator<Value, void, undefined> {
    const entries: Entry<Value>[] = [];
    for (let entry = this.#first; entry; entry = entry.after) entries.push(entry);
    for (const { value } of entries) if (value) yield value;
  }

  #find(key: string): Bucket<Value> {
    for (let entry = this.#buckets[this.#placeOf(key)]; entry; entry = entry.chained) {
      if (entry.key === key) return entry;
    }
    return undefined;
  }

  #takeOut(entry: Entry<Value>): void {
    const { before, after } = entry;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    entry.value = undefined;
    entry.chained = undefined;
    entry.before = undefined;
    entry.after = undefined;
    this.#size -= 1;
  }

  #grow(): void {
    const old = this.#buckets;
    this.#buckets = emptyBuckets(old.length * 2);
    old.fill(undefined);
    for (let entry = this.#first; entry; entry = entry.after) {
      const place = this.#placeOf(entry.key);
      entry.chained = this.#buckets[place];
      this.#buckets[place] = entry;
    }
  }

  #placeOf(key: string): number {
    let hash = key.length;
    for (let index = Math.max(0, key.length - HASHED_CHARACTERS); index < key.length; index += 1) {
      hash = (Math.imul(hash, 31) + key.charCodeAt(index)) | 0;
    }
    return (hash ^ (hash >>> 16)) & (this.#buckets.length - 1);
  }
}

function emptyBuckets<Value extends object>(count: number): Bucket<Value>[] {
  return new Array<Bucket<Value>>(count).fill(undefined);
}
