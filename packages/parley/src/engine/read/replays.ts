import type { LogBatch } from '../log/events.ts';
import type { Clock, Store } from '../ports.ts';
import { READ_LIMIT, recordsOf } from './records.ts';

/** Slices that are read at the same time; if the store answers at once, in one turn of the event loop. */
const READS_AT_ONCE = 2;
/** Readers that get a slice in the same turn: each of them writes it to its socket. */
const READERS_AT_ONCE = 16;
/** Bytes of the latest slices that are kept for readers who come a little later. Their encodings are two or three times as much. */
const RECENT_BYTES = 1024 * 1024;
/** Milliseconds for which they are kept when nobody asks any more. */
const KEPT = 1_000;

/** Waits for a slice: one of the two is called, and `fail` where `take` throws. */
export interface SliceReader {
  take(slice: LogBatch): void;
  fail(error: unknown): void;
}

interface Asked {
  readonly taskId: string;
  readonly after: number;
  readonly readers: Set<SliceReader>;
  isBeingServed: boolean;
}

interface Slice {
  readonly events: LogBatch;
  readonly bytes: number;
}

/**
 * The replays of this node: readers that get old events from the store. They take turns, slice by slice, and everybody
 * else comes in between: a hundred of them do not delay a new request. Readers at the same place of a task share what is
 * read and encoded.
 */
export class Replays {
  readonly #store: Pick<Store, 'read'>;
  readonly #clock: Pick<Clock, 'nextTurn' | 'after'>;
  /** In the order in which they are served. */
  readonly #asked = new Map<string, Asked>();
  /** The latest slices, the oldest one first. */
  readonly #recent = new Map<string, Slice>();
  #recentBytes = 0;
  #active = 0;
  #stopKeeping: (() => void) | undefined;

  constructor(store: Pick<Store, 'read'>, clock: Pick<Clock, 'nextTurn' | 'after'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Asks for the events after a seq; returns a function for readers that no longer want them. */
  ask(taskId: string, after: number, reader: SliceReader): () => void {
    const key = `${after} ${taskId}`;
    const asked = this.#asked.get(key) ?? { taskId, after, readers: new Set(), isBeingServed: false };
    asked.readers.add(reader);
    this.#asked.set(key, asked);
    if (this.#active < READS_AT_ONCE) void this.#serveAll();
    return () => asked.readers.delete(reader);
  }

  /** Resolves with the events after a seq; empty if there are none. */
  read(taskId: string, after: number): Promise<LogBatch> {
    return new Promise((resolve, reject) => this.ask(taskId, after, { take: resolve, fail: reject }));
  }

  /** The last reader has left. */
  forget(): void {
    this.#stopKeeping?.();
    this.#stopKeeping = undefined;
    this.#recent.clear();
    this.#recentBytes = 0;
  }

  async #serveAll(): Promise<void> {
    this.#active += 1;
    this.#stopKeeping?.();
    this.#stopKeeping = undefined;
    for (let next = this.#next(); next; next = this.#next()) {
      await this.#serve(...next);
      await new Promise<void>((resolve) => this.#clock.nextTurn(resolve));
    }
    this.#active -= 1;
    // Readers that do not read on are no reason to keep them.
    if (this.#active === 0) this.#stopKeeping = this.#clock.after(KEPT, () => this.forget());
  }

  /** Returns the first in the queue that is still waited for. */
  #next(): readonly [string, Asked] | undefined {
    for (const entry of this.#asked) {
      const [key, { readers, isBeingServed }] = entry;
      if (isBeingServed) continue;
      if (readers.size > 0) return entry;
      this.#asked.delete(key);
    }
    return undefined;
  }

  async #serve(key: string, asked: Asked): Promise<void> {
    asked.isBeingServed = true;
    const slice = await this.#sliceOf(key, asked).catch((error: unknown) => ({ error }));
    asked.isBeingServed = false;
    this.#asked.delete(key);
    const served = takeFrom(asked.readers, READERS_AT_ONCE);
    // The others get it in one of the next turns.
    if (asked.readers.size > 0) this.#asked.set(key, asked);
    for (const reader of served) give(reader, slice);
  }

  async #sliceOf(key: string, asked: Asked): Promise<LogBatch> {
    return this.#recent.get(key)?.events ?? this.#read(key, asked);
  }

  async #read(key: string, { taskId, after }: Asked): Promise<LogBatch> {
    const events = recordsOf(await this.#store.read(taskId, after, READ_LIMIT));
    const bytes = events.records.reduce((sum, { size }) => sum + size, 0);
    if (bytes > 0 && bytes <= RECENT_BYTES) this.#keep(key, { events, bytes });
    return events;
  }

  #keep(key: string, slice: Slice): void {
    this.#recent.set(key, slice);
    this.#recentBytes += slice.bytes;
    for (const [oldest, { bytes }] of this.#recent) {
      if (this.#recentBytes <= RECENT_BYTES) break;
      this.#recent.delete(oldest);
      this.#recentBytes -= bytes;
    }
  }
}

function give(reader: SliceReader, slice: LogBatch | { readonly error: unknown }): void {
  if ('error' in slice) {
    reader.fail(slice.error);
    return;
  }
  try {
    reader.take(slice);
  } catch (error) {
    reader.fail(error);
  }
}

function takeFrom<Item>(items: Set<Item>, most: number): readonly Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (taken.length === most) break;
    taken.push(item);
    items.delete(item);
  }
  return taken;
}
