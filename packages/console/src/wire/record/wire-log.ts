import type { SentRequest } from '../../../../parley/src/snippets/recorded-call.ts';
import type { WireEnd, WireExchange, WireFrame, WireResponse } from './exchange.ts';

export interface WireLimits {
  /** Exchanges that are kept. */
  readonly exchanges: number;
  /** Characters of all requests, bodies and frames together. */
  readonly characters: number;
  /** Characters of one response. */
  readonly exchangeCharacters: number;
}

export const WIRE_LIMITS: WireLimits = {
  exchanges: 500,
  characters: 16 * 2 ** 20,
  exchangeCharacters: 4 * 2 ** 20,
};

/** Beside its text a frame costs about as much as this many characters. */
const FRAME_COST = 64;

const EVENT = /^data:/m;
const POSITION = /^id: ?([^\r\n]*)/m;

type Writable = { -readonly [Name in keyof WireExchange]: WireExchange[Name] };

interface Entry {
  readonly exchange: Writable;
  readonly frames: WireFrame[];
  /** Characters that count against the limits. */
  size: number;
}

/** The latest exchanges of this page. The oldest go when there is no more room, and are counted. */
export class WireLog {
  readonly #limits: WireLimits;
  readonly #entries = new Map<number, Entry>();
  readonly #listeners = new Set<() => void>();
  readonly #schedule: (notify: () => void) => void;
  #size = 0;
  #version = 0;
  #dropped = 0;
  #isScheduled = false;
  #list: readonly WireExchange[] | undefined;

  /** @param schedule when listeners are told; several changes in between are told once */
  constructor(limits: Partial<WireLimits> = {}, schedule: (notify: () => void) => void = soon) {
    this.#limits = { ...WIRE_LIMITS, ...limits };
    this.#schedule = schedule;
  }

  /** Grows with every change. */
  readonly version = (): number => this.#version;

  /** Exchanges that are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }

  get size(): number {
    return this.#size;
  }

  /** The exchanges, the oldest first; another list only after one came or went. */
  exchanges(): readonly WireExchange[] {
    this.#list ??= [...this.#entries.values()].map(({ exchange }) => exchange);
    return this.#list;
  }

  find(id: number): WireExchange | undefined {
    return this.#entries.get(id)?.exchange;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  clear(): void {
    for (const entry of [...this.#entries.values()]) this.#remove(entry);
    this.#dropped = 0;
    this.#change();
  }

  begin(opening: Pick<WireExchange, 'id' | 'time' | 'request' | 'target' | 'call'>): void {
    const frames: WireFrame[] = [];
    const size = opening.request.url.length + (opening.request.body?.length ?? 0);
    const exchange: Writable = {
      ...opening,
      response: undefined,
      body: '',
      bodyLeftOut: 0,
      isStream: false,
      frames,
      framesDropped: 0,
      events: 0,
      position: undefined,
      received: 0,
      end: undefined,
    };
    this.#entries.set(opening.id, { exchange, frames, size });
    this.#list = undefined;
    this.#grow(size);
    this.#makeRoom();
    this.#change();
  }

  /** Replaces the request by what was really sent; the body is the same. */
  correct(id: number, request: Omit<SentRequest, 'body'>): void {
    const entry = this.#entries.get(id);
    if (entry) entry.exchange.request = { ...entry.exchange.request, ...request };
  }

  respond(id: number, response: WireResponse, isStream: boolean): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.exchange.response = response;
    entry.exchange.isStream = isStream;
    this.#change();
  }

  receive(id: number, bytes: number): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.exchange.received += bytes;
    this.#change();
  }

  addBody(id: number, text: string): void {
    const entry = this.#entries.get(id);
    if (!entry || text === '') return;
    const { exchange } = entry;
    const room = Math.max(0, this.#limits.exchangeCharacters - exchange.body.length);
    exchange.body += text.slice(0, room);
    exchange.bodyLeftOut += Math.max(0, text.length - room);
    this.#add(entry, Math.min(text.length, room));
  }

  addFrame(id: number, text: string, time: number): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    const room = this.#limits.exchangeCharacters;
    // A frame that is larger than all the room is shown by its beginning.
    const kept = text.length > room ? `${text.slice(0, room)}…` : text;
    entry.frames.push({ text: kept, time });
    if (EVENT.test(text)) entry.exchange.events += 1;
    entry.exchange.position = POSITION.exec(text)?.[1] ?? entry.exchange.position;
    this.#add(entry, kept.length + FRAME_COST);
    if (entry.size > room && entry.frames.length > 1) this.#dropFrames(entry);
  }

  end(id: number, end: WireEnd): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.exchange.end) return;
    entry.exchange.end = end;
    this.#change();
  }

  #add(entry: Entry, size: number): void {
    entry.size += size;
    this.#grow(size);
    this.#makeRoom();
    this.#change();
  }

  /** The older half at once, so that dropping costs little for each frame. */
  #dropFrames(entry: Entry): void {
    const old = entry.frames.splice(0, Math.ceil(entry.frames.length / 2));
    const size = old.reduce((sum, { text }) => sum + text.length + FRAME_COST, 0);
    entry.exchange.framesDropped += old.length;
    entry.size -= size;
    this.#grow(-size);
  }

  #makeRoom(): void {
    const { exchanges, characters } = this.#limits;
    while (this.#entries.size > exchanges || (this.#size > characters && this.#entries.size > 1)) {
      this.#remove(this.#oldest());
      this.#dropped += 1;
    }
  }

  /** The console's own requests go first, then what has ended. Cards go last: tests of later exchanges need them. */
  #oldest(): Entry {
    const entries = [...this.#entries.values()];
    const rank = ({ exchange: { target, call, end } }: Entry) => (!target ? 0 : !call ? 3 : end ? 1 : 2);
    return entries.reduce((best, entry) => (rank(entry) < rank(best) ? entry : best));
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.exchange.id);
    this.#grow(-entry.size);
    this.#list = undefined;
  }

  #grow(size: number): void {
    this.#size += size;
  }

  #change(): void {
    this.#version += 1;
    if (this.#isScheduled || this.#listeners.size === 0) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** With the next picture of a page; where there are none, shortly. */
function soon(notify: () => void): void {
  const frame: unknown = Reflect.get(globalThis, 'requestAnimationFrame');
  if (typeof frame === 'function') frame(notify);
  else setTimeout(notify, 16);
}
