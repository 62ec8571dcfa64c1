import { tooSlow } from '../../../bindings/http/http-refusals.ts';
import type { Clock } from '../../../engine/ports.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import type { ServerLimits } from '../../limits/limits.ts';

/** Bodies up to this size are always read: the number of connections bounds what many of them hold. */
export const SMALL_BODY = 64 * 1024;

/** Bounds what the bodies of all requests hold together, and for how long one may take to arrive. */
export class HeldBodies {
  readonly #limits: Pick<ServerLimits, 'bodyBytes' | 'bodiesBytes' | 'bodyTimeout'>;
  readonly #clock: Clock;
  #bytes = 0;

  constructor(limits: Pick<ServerLimits, 'bodyBytes' | 'bodiesBytes' | 'bodyTimeout'>, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** The bytes that large bodies hold now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins a body. `cut` is called once if it does not arrive in time. `most`: see ExchangeRequest. */
  begin(most: number | undefined, cut: (reason: A2AError) => void): HeldBody {
    const limit = most ?? Math.min(this.#limits.bodyBytes, SMALL_BODY);
    const body = new HeldBody(this, limit);
    const { bodyTimeout } = this.#limits;
    body.wait(this.#clock, bodyTimeout, () => cut(tooSlow(`The body did not arrive within ${bodyTimeout} ms`)));
    return body;
  }

  /** False if there is no room for the added bytes. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#limits.bodiesBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** The bytes of one request. */
export class HeldBody {
  readonly #all: HeldBodies;
  /** The most bytes that it may have. */
  readonly limit: number;
  #counted = 0;
  #stopTimer: (() => void) | undefined;

  constructor(all: HeldBodies, limit: number) {
    this.#all = all;
    this.limit = limit;
  }

  /** Calls back once if it does not arrive in time. A timer of its own: Workers end those that another request has started. */
  wait(clock: Clock, milliseconds: number, callback: () => void): void {
    this.#stopTimer = clock.after(milliseconds, callback);
  }

  /** It has, or will have, so many bytes; returns the error where that is too much. */
  grow(size: number): A2AError | undefined {
    if (size > this.limit) return tooLarge(this.limit);
    if (size <= SMALL_BODY) return undefined;
    if (!this.#all.take(size - this.#counted)) {
      return new A2AError('UNAVAILABLE', 'The server is busy with other large requests; come back in a moment');
    }
    this.#counted = size;
    return undefined;
  }

  /** It is complete, or will not be. */
  arrived(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  /** Its bytes are gone. */
  release(): void {
    this.arrived();
    if (this.#counted === 0) return;
    this.#all.give(this.#counted);
    this.#counted = 0;
  }
}

export function tooLarge(limit: number): A2AError {
  return new A2AError('PAYLOAD_TOO_LARGE', `The body is larger than the ${limit} bytes that are allowed`);
}
