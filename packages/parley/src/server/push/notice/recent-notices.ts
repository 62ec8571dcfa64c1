import type { LogRecord } from '../../../engine/log/events.ts';
import type { PushEvents } from '../../../model/extensions/push.ts';
import { isTold, Notice, type WriteNotice } from './notice.ts';

/** Notices that are held for webhooks that keep up. */
const MOST_NOTICES = 256;
/** Events and bodies of notices that are held, roughly in bytes. */
const MOST_BYTES = 2 * 1024 * 1024;
const TRIM_EVERY = 32;

/** `behind`: the notices after the position are not all held; the log has them. */
export type Found =
  | { readonly kind: 'notice'; readonly notice: Notice }
  | { readonly kind: 'none'; readonly to: number }
  | { readonly kind: 'behind' };

interface Held {
  readonly notice: Notice;
  readonly size: number;
}

const BEHIND: Found = { kind: 'behind' };

/** The latest notices of one task. All webhooks that are near the end of its log read them from here. */
export class RecentNotices {
  readonly #write: WriteNotice;
  #held: Held[] = [];
  #bytes = 0;
  #untrimmed = 0;
  /** The last place of the log that was looked at. */
  #to: number;
  /** All notices after these places are held, for each kind of webhooks. */
  readonly #from: Record<PushEvents, number>;

  constructor(at: number, write: WriteNotice) {
    this.#to = at;
    this.#from = { changes: at, all: at };
    this.#write = write;
  }

  get to(): number {
    return this.#to;
  }

  /** Takes the next records of the log. Returns true if there is a notice among them. */
  add(records: readonly LogRecord[], events: PushEvents): boolean {
    let isNew = false;
    for (const { event, size } of records) {
      if (event.seq <= this.#to) continue;
      if (event.seq > this.#to + 1) this.#jump(event.seq - 1);
      this.#to = event.seq;
      if (!isTold(event, events)) continue;
      isNew = true;
      this.#held.push({ notice: new Notice(event.seq, event, this.#write), size });
      this.#bytes += size;
    }
    if (events !== 'all') this.#from.all = this.#to;
    if (isNew) this.#trim();
    return isNew;
  }

  /** Forgets the oldest where there is too much; a webhook that needs them reads the log. Rarely, so that a notice costs little. */
  #trim(): void {
    this.#untrimmed += 1;
    if (this.#untrimmed < TRIM_EVERY && this.#bytes <= MOST_BYTES) return;
    this.#untrimmed = 0;
    let bytes = this.#bytes;
    for (const { notice } of this.#held) bytes += notice.size;
    let dropped = 0;
    while (dropped < this.#held.length - 1 && (bytes > MOST_BYTES || this.#held.length - dropped > MOST_NOTICES)) {
      const { notice, size } = this.#held[dropped] as Held;
      bytes -= size + notice.size;
      this.#bytes -= size;
      this.#from.changes = Math.max(this.#from.changes, notice.seq);
      this.#from.all = Math.max(this.#from.all, notice.seq);
      dropped += 1;
    }
    if (dropped > 0) this.#held = this.#held.slice(dropped);
  }

  after(position: number, events: PushEvents): Found {
    if (position < this.#from[events]) return BEHIND;
    const held = this.#held;
    let low = 0;
    let high = held.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((held[middle] as Held).notice.seq > position) high = middle;
      else low = middle + 1;
    }
    for (let index = low; index < held.length; index += 1) {
      const { notice } = held[index] as Held;
      if (notice.isFor(events)) return { kind: 'notice', notice };
    }
    return { kind: 'none', to: this.#to };
  }

  #jump(to: number): void {
    this.#held = [];
    this.#bytes = 0;
    this.#from.changes = to;
    this.#from.all = to;
  }
}
