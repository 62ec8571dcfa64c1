import { tooSlow } from '../../../bindings/http/http-refusals.ts';
import type { Clock } from '../../../engine/ports.ts';
import { ListMember, LiveList } from '../../../model/basics/live-list.ts';
import { A2AError } from '../../../model/errors/errors.ts';
import type { ServerLimits } from '../../limits/limits.ts';

/** Bodies up to this size are always read: the number of connections bounds what many of them hold. */
export const SMALL_BODY = 64 * 1024;

/** Bounds what the bodies of all requests hold together, and for how long one may take to arrive. */
export class HeldBodies {
  readonly #limits: Pick<ServerLimits, 'bodyBytes' | 'bodiesBytes' | 'bodyTimeout'>;
  readonly #clock: Clock;
  /** Bodies that are arriving and share a timer, the oldest first. */
  readonly #arriving = new LiveList<HeldBody>();
  #bytes = 0;
  #isWatching = false;

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
    const body = this.#newBody(most, cut);
    this.#arriving.add(body);
    this.#watch();
    return body;
  }

  /** The same with a timer of its own, for Workers, which end the timers of a request with that request. */
  beginAlone(most: number | undefined, cut: (reason: A2AError) => void): HeldBody {
    const body = this.#newBody(most, cut);
    body.stopTimer = this.#clock.after(this.#limits.bodyTimeout, () => this.#cut(body));
    return body;
  }

  arrived(body: HeldBody): void {
    this.#arriving.delete(body);
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

  #newBody(most: number | undefined, cut: (reason: A2AError) => void): HeldBody {
    return new HeldBody(this, most ?? Math.min(this.#limits.bodyBytes, SMALL_BODY), this.#clock.now(), cut);
  }

  /** One timer for all bodies, as most of them are there at once: each costs none. */
  #watch(): void {
    const { bodyTimeout } = this.#limits;
    if (this.#isWatching || bodyTimeout === Number.POSITIVE_INFINITY) return;
    const { oldest } = this.#arriving;
    if (!oldest) return;
    this.#isWatching = true;
    this.#clock.after(Math.max(oldest.begunAt + bodyTimeout - this.#clock.now(), 1), () => {
      this.#isWatching = false;
      this.#cutLate(this.#clock.now() - bodyTimeout);
      this.#watch();
    });
  }

  #cutLate(before: number): void {
    for (let body = this.#arriving.oldest; body && body.begunAt <= before; body = this.#arriving.oldest) {
      this.#cut(body);
    }
  }

  #cut(body: HeldBody): void {
    body.arrived();
    body.cut(tooSlow(`The body did not arrive within ${this.#limits.bodyTimeout} ms`));
  }
}

/** The bytes of one request. */
export class HeldBody extends ListMember {
  readonly begunAt: number;
  readonly cut: (reason: A2AError) => void;
  readonly #all: HeldBodies;
  /** The most bytes that it may have. */
  readonly limit: number;
  /** Stops the timer of a body that has one of its own. */
  stopTimer: (() => void) | undefined;
  #counted = 0;

  constructor(all: HeldBodies, limit: number, begunAt: number, cut: (reason: A2AError) => void) {
    super();
    this.#all = all;
    this.limit = limit;
    this.begunAt = begunAt;
    this.cut = cut;
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
    this.#all.arrived(this);
    this.stopTimer?.();
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
