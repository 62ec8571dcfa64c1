import type { ExchangeResponse, ResponseHeaders } from '../../bindings/exchange.ts';
import type { InputLimits } from '../../model/input-limits.ts';
import { isStreamOperation, type OperationName } from '../../model/operations.ts';
import type { TrafficLimits } from '../../model/traffic-limits.ts';
import { WatchedStream } from '../http/watched-stream.ts';
import { tooManyStreams } from './limit-errors.ts';
import type { Traffic } from './traffic.ts';

/** The share of its caller's limits that one request holds, from its admission until its response is complete. */
export class Usage {
  readonly limits: TrafficLimits;
  readonly #traffic: Traffic;
  readonly #key: string;
  /** The limits of what the caller may say, where they are its own. */
  inputLimits: InputLimits | undefined;
  /** The fields of the response. */
  fields: ResponseHeaders | undefined;
  #hasSlot: boolean;
  #streams = 0;
  #calls = 0;

  constructor(traffic: Traffic, key: string, limits: TrafficLimits, hasSlot: boolean) {
    this.#traffic = traffic;
    this.#key = key;
    this.limits = limits;
    this.#hasSlot = hasSlot;
  }

  /** Takes what an operation of the request needs, before anything is done for it. Throws where there is no more. */
  admit(operation: OperationName): void {
    this.#calls += 1;
    // The first one was counted with its request; others are of a batch.
    if (this.#calls > 1) this.#traffic.countAnother(this.#key, this.limits);
    const { streamsPerCaller } = this.limits;
    if (streamsPerCaller === Number.POSITIVE_INFINITY || !isStreamOperation(operation)) return;
    if (!this.#traffic.streams.take(this.#key, streamsPerCaller)) throw tooManyStreams(streamsPerCaller);
    this.#streams += 1;
  }

  /** The response with the fields of its limits. Once it is complete, the request holds nothing. */
  finish(response: ExchangeResponse): ExchangeResponse {
    const { fields } = this;
    const isHeld = this.#hasSlot || this.#streams > 0;
    const { body } = response;
    if (typeof body !== 'object') this.release();
    const isWatched = isHeld && typeof body === 'object';
    if (!fields && !isWatched) return response;
    return {
      status: response.status,
      headers: fields ? { ...response.headers, ...fields } : response.headers,
      body: isWatched ? new WatchedStream(body, () => this.release()) : body,
    };
  }

  release(): void {
    if (this.#hasSlot) this.#traffic.requests.release(this.#key);
    for (; this.#streams > 0; this.#streams -= 1) this.#traffic.streams.release(this.#key);
    this.#hasSlot = false;
  }
}
