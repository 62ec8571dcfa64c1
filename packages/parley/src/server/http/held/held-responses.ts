import type { ResponseStream } from '../../../bindings/exchange.ts';
import type { ServerLimits } from '../../limits/limits.ts';
import { PacedBytes } from './paced-bytes.ts';

/** Longer texts are written in pieces of this length. */
export const PIECE = 64 * 1024;

/** Milliseconds after which a reader that takes nothing makes room for others, if they need it. */
const YIELDS_AFTER = 10_000;

/** Bounds what long responses hold that wait for their readers. */
export class HeldResponses {
  readonly #limit: number;
  readonly #now: () => number;
  /** The oldest first. */
  readonly #waiting = new Set<PacedText | PacedBytes>();
  #size = 0;

  constructor({ responsesBytes }: Pick<ServerLimits, 'responsesBytes'>, now: () => number) {
    this.#limit = responsesBytes;
    this.#now = now;
  }

  /** The length of all texts that wait. */
  get size(): number {
    return this.#size;
  }

  /** A text that is read in pieces; undefined where there is no room for it. One alone always has room. */
  pace(text: string): PacedText | undefined {
    const { length } = text;
    return this.#admit(length, () => {
      const paced = new PacedText(text, this.#now, () => this.#leave(paced, length));
      return paced;
    });
  }

  /** The same for a message of bytes. */
  paceBytes(body: ResponseStream, size: number): PacedBytes | undefined {
    return this.#admit(size, () => {
      const paced = new PacedBytes(body, size, this.#now, () => this.#leave(paced, size));
      return paced;
    });
  }

  #admit<Paced extends PacedText | PacedBytes>(length: number, make: () => Paced): Paced | undefined {
    if (!this.#hasRoom(length)) this.#closeStalled(length);
    if (!this.#hasRoom(length)) return undefined;
    const paced = make();
    this.#waiting.add(paced);
    this.#size += length;
    return paced;
  }

  #leave(paced: PacedText | PacedBytes, length: number): void {
    if (this.#waiting.delete(paced)) this.#size -= length;
  }

  #hasRoom(length: number): boolean {
    return this.#waiting.size === 0 || this.#size + length <= this.#limit;
  }

  /** A reader that stopped reading would otherwise keep out those who read. */
  #closeStalled(length: number): void {
    const before = this.#now() - YIELDS_AFTER;
    for (const paced of this.#waiting) {
      if (this.#hasRoom(length)) return;
      if (paced.readAt < before) paced.close();
    }
  }
}

/** A text as a stream of pieces: no more of it is in the buffers of a connection than its reader is about to take. */
class PacedText implements ResponseStream {
  onClose: (() => void) | undefined;
  /** False once it was closed before its end. */
  isComplete: boolean | undefined;
  /** When a piece was taken last. */
  readAt: number;
  readonly #now: () => number;
  #end: (() => void) | undefined;
  #text: string;
  #at = 0;

  constructor(text: string, now: () => number, end: () => void) {
    this.#text = text;
    this.#now = now;
    this.#end = end;
    this.readAt = now();
  }

  /** See ResponseStream. */
  get whole(): string {
    return this.#text;
  }

  read(): string | undefined {
    const text = this.#text;
    if (this.#at >= text.length) {
      this.#over();
      return undefined;
    }
    this.readAt = this.#now();
    const end = pieceEnd(text, this.#at + PIECE);
    const piece = text.slice(this.#at, end);
    this.#at = end;
    return piece;
  }

  /** There is always something to read. */
  whenReadable(callback: () => void): void {
    callback();
  }

  close(): void {
    if (!this.#over()) return;
    this.isComplete = false;
    this.onClose?.();
  }

  #over(): boolean {
    const end = this.#end;
    this.#end = undefined;
    this.#text = '';
    end?.();
    return end !== undefined;
  }
}

/** The two halves of a character stay together. */
function pieceEnd(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
