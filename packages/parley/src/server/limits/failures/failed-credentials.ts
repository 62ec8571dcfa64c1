import type { ExchangeRequest } from '../../../bindings/exchange.ts';
import type { Clock, Logger } from '../../../engine/ports.ts';
import type { A2AError } from '../../../model/errors/errors.ts';
import { anything, members, requireRight } from '../../../model/options/checks.ts';
import { addressOf, networkOf } from '../caller-key.ts';
import { tooManyFailures } from '../limit-errors.ts';
import { type CredentialPlaces, KnownCredentials } from './known-credentials.ts';

/** The number of wrong credentials that may come from one address. */
export interface FailureLimit {
  /** Wrong credentials that one address may send within the window. */
  readonly attempts: number;
  /** Length of the window, in milliseconds. */
  readonly window: number;
}

const DEFAULT_FAILURES: FailureLimit = { attempts: 100, window: 60_000 };

/** The most addresses counted at the same time; beyond it the one that was counted first starts again. */
const MOST_ADDRESSES = 100_000;

interface Counted {
  readonly endsAt: number;
  failures: number;
}

interface FailureSurroundings {
  readonly places: CredentialPlaces;
  readonly trustProxy: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

/**
 * Bounds the wrong credentials of one address: once they are too many, its credentials are not checked for the rest of the
 * window, which begins with the first wrong one. Those that were valid from there before are still checked, so that nobody
 * can lock out the callers who share an address. Where no address is known, nothing is counted.
 */
export class FailedCredentials {
  readonly #limit: FailureLimit;
  readonly #surroundings: FailureSurroundings;
  readonly #known: KnownCredentials;
  /** The oldest first. Empty where all is well: a request then costs no look at its address. */
  readonly #addresses = new Map<string, Counted>();

  constructor(limit: FailureLimit, surroundings: FailureSurroundings) {
    this.#limit = limit;
    this.#surroundings = surroundings;
    this.#known = new KnownCredentials(surroundings.places);
  }

  /** The error of a request whose credentials are not checked. */
  refusalOf(request: ExchangeRequest): A2AError | undefined {
    if (this.#addresses.size === 0) return undefined;
    const address = this.#addressOf(request);
    const counted = address === undefined ? undefined : this.#countedAt(networkOf(address));
    if (address === undefined || !counted || counted.failures < this.#limit.attempts) return undefined;
    const number = this.#known.numberOf(request, address);
    return number === undefined || this.#known.has(number) ? undefined : this.#refusal(counted);
  }

  /** Counts a wrong credential; returns the error with which it is refused, where that is not the usual one. */
  failed(request: ExchangeRequest): A2AError | undefined {
    const address = this.#addressOf(request);
    if (address === undefined) return undefined;
    const number = this.#known.numberOf(request, address);
    if (number !== undefined) this.#known.delete(number);
    const network = networkOf(address);
    const counted = this.#countedAt(network) ?? this.#begin(network);
    if (counted.failures >= this.#limit.attempts) return this.#refusal(counted);
    counted.failures += 1;
    if (counted.failures === this.#limit.attempts) this.#tell(address, counted);
    return undefined;
  }

  succeeded(request: ExchangeRequest): void {
    const address = this.#addressOf(request);
    const number = address === undefined ? undefined : this.#known.numberOf(request, address);
    if (number !== undefined) this.#known.add(number);
  }

  #addressOf(request: ExchangeRequest): string | undefined {
    return addressOf(request, this.#surroundings.trustProxy);
  }

  #tell(address: string, { endsAt }: Counted): void {
    const { log, clock } = this.#surroundings;
    const details = { address, attempts: this.#limit.attempts, milliseconds: endsAt - clock.now() };
    log.warn('Too many wrong credentials came from one address; new ones are not checked for a while', details);
  }

  #refusal({ endsAt }: Counted): A2AError {
    return tooManyFailures(this.#limit, Math.max(1, endsAt - this.#surroundings.clock.now()));
  }

  #countedAt(network: string): Counted | undefined {
    const counted = this.#addresses.get(network);
    if (!counted) return undefined;
    const left = counted.endsAt - this.#surroundings.clock.now();
    // A clock that was set back never makes a wait longer than the window.
    if (left > 0 && left <= this.#limit.window) return counted;
    this.#addresses.delete(network);
    return undefined;
  }

  #begin(network: string): Counted {
    const now = this.#surroundings.clock.now();
    for (const [oldest, { endsAt }] of this.#addresses) {
      if (endsAt > now && this.#addresses.size < MOST_ADDRESSES) break;
      this.#addresses.delete(oldest);
    }
    const counted = { endsAt: now + this.#limit.window, failures: 0 };
    this.#addresses.set(network, counted);
    return counted;
  }
}

const check = members<FailureLimit>({ attempts: anything, window: anything });

/** Undefined where any number may come. Throws a TypeError for what is no limit. */
export function failureLimitOf(given: FailureLimit | false | undefined): FailureLimit | undefined {
  if (given === false) return undefined;
  const limit = given ?? DEFAULT_FAILURES;
  requireRight('', check(limit, 'limits.failedCredentials'));
  for (const name of ['attempts', 'window'] as const) {
    const value = limit[name];
    if (Number.isInteger(value) && value > 0) continue;
    throw new TypeError(`limits.failedCredentials.${name} must be a whole number above 0, not ${String(value)}`);
  }
  return limit;
}
