import type { ResponseHeaders } from '../../bindings/exchange.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import { isThenable } from '../../model/basics/promises.ts';
import type { InputLimits } from '../../model/input-limits.ts';
import type { RateLimit, TrafficLimits } from '../../model/traffic-limits.ts';
import type { Asked } from '../http/asked.ts';
import { isCardRead, type OperationsRoute } from '../routing/routes.ts';
import { callerKey } from './caller-key.ts';
import { CallerSlots } from './caller-slots.ts';
import { rateExceeded, tooManyRequests } from './limit-errors.ts';
import { type MountLimits, resolveCallerLimits } from './limits.ts';
import { MemoryRates } from './rates/memory-rates.ts';
import { RateFields } from './rates/rate-fields.ts';
import type { RateState, RateStore } from './rates/rate-store.ts';
import { type CallerSettings, withTraffic } from './traffic-settings.ts';
import { Usage } from './usage.ts';

export interface TrafficOptions {
  /** For addresses outside mounts. */
  readonly limits: TrafficLimits;
  readonly inputLimits: InputLimits;
  readonly perCaller?: CallerSettings['perCaller'] | undefined;
  readonly rateStore?: RateStore | undefined;
  readonly trustProxy?: boolean | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Lets in the requests that the limits of their callers allow, and counts them. Calls from inside the process are not counted. */
export class Traffic {
  readonly requests = new CallerSlots();
  readonly streams = new CallerSlots();
  readonly #options: TrafficOptions;
  readonly #rates: RateStore;
  readonly #fields = new WeakMap<RateLimit, RateFields>();

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#rates = options.rateStore ?? new MemoryRates();
  }

  /** A stage of the pipeline: throws or rejects with the error of a request that comes too soon. */
  readonly limiter = (asked: Asked): Promise<void> | undefined => {
    const { request, route, caller } = asked;
    if (request.caller !== undefined || route?.kind !== 'operations' || isCardRead(request, route)) return undefined;
    const own = this.#options.perCaller?.(caller);
    if (isThenable(own)) return own.then((known) => this.#admit(asked, route, known));
    return this.#admit(asked, route, own);
  };

  /** `own`: the limits of this caller alone. */
  #admit(asked: Asked, { mount }: OperationsRoute, own: MountLimits | undefined): Promise<void> | undefined {
    const { request, caller } = asked;
    const { trustProxy = false } = this.#options;
    const usual = mount?.traffic ?? this.#options.limits;
    const limits = own ? withTraffic(usual, own, 'limits.perCaller()') : usual;
    const { rate, requestsPerCaller } = limits;
    // A mount with limits of its own counts for itself.
    const scope = mount?.traffic ? mount.path : '';
    const key = `${scope} ${callerKey(request, caller, trustProxy)}`;
    const isHeld = requestsPerCaller !== Number.POSITIVE_INFINITY;
    const isTooMuch = isHeld && !this.requests.take(key, requestsPerCaller);
    const usage = new Usage(this, key, limits, isHeld && !isTooMuch);
    asked.usage = usage;
    const hasLegacy = mount?.dialect.quirks?.hasLegacyRateFields === true;
    if (isTooMuch) {
      usage.fields = rate && this.#fieldsUncounted(key, rate, hasLegacy);
      throw tooManyRequests(requestsPerCaller);
    }
    if (own) usage.inputLimits = resolveCallerLimits(mount?.limits ?? this.#options.inputLimits, own);
    if (!rate) return undefined;
    const now = this.#options.clock.now();
    const pass = (state: RateState): undefined => {
      usage.fields = this.#fieldsOf(rate).of(state, now, hasLegacy);
      if (state.exceeded) throw rateExceeded(rate, state);
    };
    const counted = this.#take(key, rate, now);
    if (!(counted instanceof Promise)) return counted && pass(counted);
    return counted.then((state) => state && pass(state));
  }

  /** Counts one more operation of a request that has several. Throws where the rate is used up, if that is known at once. */
  countAnother(key: string, { rate }: TrafficLimits): void {
    if (!rate) return;
    const state = this.#take(key, rate, this.#options.clock.now());
    if (!(state instanceof Promise) && state?.exceeded) throw rateExceeded(rate, state);
  }

  /** A store that fails must not close the server: the request passes, and the log has the reason. */
  #take(key: string, rate: RateLimit, now: number): RateState | undefined | Promise<RateState | undefined> {
    const passes = (error: unknown): undefined => {
      this.#options.log.error('The rate of a caller could not be counted; the request passes', { error });
    };
    try {
      const counted = this.#rates.take(key, rate, now);
      return counted instanceof Promise ? counted.catch(passes) : counted;
    } catch (error) {
      return passes(error);
    }
  }

  /** The fields of a response to a request that does not count: what the store knows of the caller at once. */
  #fieldsUncounted(key: string, rate: RateLimit, hasLegacy: boolean): ResponseHeaders {
    const fields = this.#fieldsOf(rate);
    const now = this.#options.clock.now();
    try {
      const state = this.#rates.look?.(key, rate, now);
      return state ? fields.of(state, now, hasLegacy) : fields.policy;
    } catch (error) {
      this.#options.log.error('The rate of a caller could not be read; the response does not tell it', { error });
      return fields.policy;
    }
  }

  #fieldsOf(rate: RateLimit): RateFields {
    const known = this.#fields.get(rate);
    if (known) return known;
    const fields = new RateFields(rate);
    this.#fields.set(rate, fields);
    return fields;
  }
}
