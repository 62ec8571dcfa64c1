import type { ServerResponse } from 'node:http';
import { LONGEST_TIMER } from '../../model/basics/timers.ts';

/**
 * Cuts a connection whose peer has stopped reading: it keeps a socket and what was written last, and would do so for
 * ever. Nothing is lost by that, because the stream can be resumed. A peer that reads, however slowly, is not cut as long
 * as its kernel asks for more now and then.
 */
export class StallWatch {
  readonly #outgoing: ServerResponse;
  readonly #patience: number;
  #timer: NodeJS.Timeout | undefined;
  #sent = 0;

  /** `patience`: milliseconds without a byte taken; Infinity = for ever. */
  constructor(outgoing: ServerResponse, patience: number) {
    this.#outgoing = outgoing;
    this.#patience = patience;
  }

  /** The peer must read before more can be written. One that is gone is not waited for: nothing would stop the watch. */
  start(): void {
    if (this.#patience === Number.POSITIVE_INFINITY || this.#outgoing.closed || this.#outgoing.destroyed) return;
    this.#sent = this.#bytesTaken();
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Nothing more will be written: the peer has `lastWords` milliseconds to take the rest. */
  finish(lastWords: number): void {
    this.stop();
    this.#outgoing.end();
    this.#timer = setTimeout(() => this.#outgoing.destroy(), lastWords);
    this.#timer.unref();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), Math.min(this.#patience, LONGEST_TIMER));
    this.#timer.unref();
  }

  #check(): void {
    const sent = this.#bytesTaken();
    if (sent === this.#sent) {
      this.#outgoing.destroy();
      return;
    }
    this.#sent = sent;
    this.#arm();
  }

  #bytesTaken(): number {
    const { socket } = this.#outgoing;
    return socket ? socket.bytesWritten - socket.writableLength : 0;
  }
}
