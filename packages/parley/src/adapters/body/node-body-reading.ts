import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Truncated, Unread } from '../../bindings/exchange.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { type HeldBodies, type HeldBody, tooLarge } from '../../server/http/held/held-bodies.ts';
import { type Unpacking, unpackingOf } from './node-unpacking.ts';

interface ReadOptions {
  readonly incoming: IncomingMessage;
  /** The stream of the bytes, which is not the request itself where a framework has unpacked them. */
  readonly payload: Readable;
  readonly bodies: HeldBodies;
  /** See ExchangeRequest. */
  readonly most: number | undefined;
  /** Called once with the bytes, or with what stands for them. */
  readonly done: (body: unknown) => void;
}

const READING = Symbol('reading');

/**
 * A stream that a body is read from. It leads to the reading only while that goes on: the listeners are the same for all, since
 * those of its own would stay with a request for as long as its response streams.
 */
interface Source {
  [READING]?: BodyReading | undefined;
}

/** A body that is being read. */
export class BodyReading {
  /** The share of the body in the memory of all bodies. */
  readonly held: HeldBody;
  readonly #options: ReadOptions;
  readonly #unpacking: Unpacking | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  #isOver = false;

  constructor(options: ReadOptions) {
    this.#options = options;
    const { incoming, payload, bodies, most } = options;
    this.held = bodies.begin(most, (reason) => this.#finish(new Unread(reason)));
    try {
      this.#unpacking = payload === incoming ? unpackingOf(incoming) : undefined;
    } catch (error) {
      if (!isA2AError(error)) throw error;
      this.#finish(new Unread(error));
      return;
    }
    const bytes = this.#mark(this.#bytes);
    if (this.#unpacking) bytes.on('error', notUnpacked);
    bytes.on('data', take);
    bytes.on('end', end);
    this.#mark(payload).on('close', close).on('error', fail);
  }

  take(chunk: Buffer): void {
    this.#size += chunk.length;
    const reason = this.held.grow(this.#size) ?? this.#unpacking?.refusalOf(this.#size);
    if (reason) this.#finish(new Unread(reason));
    else this.#chunks.push(chunk);
  }

  end(): void {
    const chunks = this.#chunks;
    if (this.#size === 0) this.#finish(undefined);
    else this.#finish(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, this.#size));
  }

  close(): void {
    if (!this.#options.payload.readableEnded) this.fail(undefined);
  }

  fail(error: unknown): void {
    this.#finish(new Truncated(error));
  }

  notUnpacked(error: unknown): void {
    this.#finish(new Unread(this.#unpacking?.failure(error) ?? tooLarge(this.#size)));
  }

  get #bytes(): Readable {
    return this.#unpacking?.unpacked ?? this.#options.payload;
  }

  #mark(source: Readable & Source): Readable {
    source[READING] = this;
    return source;
  }

  #finish(body: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#chunks = [];
    const { payload, done } = this.#options;
    const bytes: Readable & Source = this.#bytes;
    bytes.off('data', take);
    bytes[READING] = undefined;
    (payload as Source)[READING] = undefined;
    this.#unpacking?.stop();
    if (body instanceof Unread) this.held.release();
    else this.held.arrived();
    done(body);
  }
}

function take(this: Source, chunk: Buffer): void {
  this[READING]?.take(chunk);
}

function end(this: Source): void {
  this[READING]?.end();
}

function close(this: Source): void {
  this[READING]?.close();
}

function fail(this: Source, error: unknown): void {
  this[READING]?.fail(error);
}

function notUnpacked(this: Source, error: unknown): void {
  this[READING]?.notUnpacked(error);
}
