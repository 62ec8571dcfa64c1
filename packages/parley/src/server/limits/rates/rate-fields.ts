import type { ResponseHeaders } from '../../../bindings/exchange.ts';
import type { RateLimit } from '../../../model/traffic-limits.ts';
import { BURST_WINDOW, type RateState } from './rate-store.ts';

/*
 * The names of an IETF draft that may still move (RateLimit header fields for HTTP, draft 10): `q` is the quota, `w` its
 * window, `r` what is left of it, `t` the seconds until there is more. Nothing else in the package knows them.
 */

/** The fields of responses, for the quotas of one limit. */
export class RateFields {
  readonly #policy: string;
  readonly #limit: RateLimit;

  constructor(limit: RateLimit) {
    const { requests, window, burst } = limit;
    const quotas = [`"requests";q=${requests};w=${secondsOf(window)}`];
    if (burst !== undefined) quotas.unshift(`"burst";q=${burst};w=${secondsOf(BURST_WINDOW)}`);
    this.#policy = quotas.join(', ');
    this.#limit = limit;
  }

  /** The field of a response whose caller's quota is not known. */
  get policy(): ResponseHeaders {
    return { 'ratelimit-policy': this.#policy };
  }

  /** `now`: milliseconds since the epoch. `hasLegacy`: the clients of the dialect look for `X-RateLimit-*`. */
  of(state: RateState, now: number, hasLegacy: boolean): ResponseHeaders {
    const { remaining, reset, burstRemaining, burstReset = 0 } = state;
    const requests = `"requests";r=${remaining};t=${secondsOf(reset)}`;
    const burst = burstRemaining === undefined ? '' : `"burst";r=${burstRemaining};t=${secondsOf(burstReset)}, `;
    const fields = { 'ratelimit-policy': this.#policy, ratelimit: burst + requests };
    const { requests: quota, window, legacyHeaders = hasLegacy } = this.#limit;
    if (!legacyHeaders) return fields;
    // Here the reset is a time of the clock (S0.14, S1.10).
    return {
      ...fields,
      'x-ratelimit-limit': String(quota),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(secondsOf(now + reset)),
      'x-ratelimit-window': String(secondsOf(window)),
    };
  }
}

/** Rounded up: a client that waits this long is not early. */
function secondsOf(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
