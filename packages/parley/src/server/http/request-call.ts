import { type ExchangeRequest, header } from '../../bindings/exchange.ts';
import { traceOf } from '../../bindings/http/trace.ts';
import type { Logger } from '../../engine/ports.ts';
import { callAlone } from '../../model/basics/promises.ts';
import type { Call, CallDetails, CallEnd, Caller, TraceContext } from '../../model/call.ts';
import type { InputLimits } from '../../model/input-limits.ts';
import type { OperationName } from '../../model/operations.ts';
import type { TrafficLimits } from '../../model/traffic-limits.ts';
import { addressOf } from '../limits/caller-key.ts';
import { type BaseUrlSettings, baseUrlOf } from '../routing/base-url.ts';
import { requestIdOf } from './request-id.ts';

/** The facts that a call gets beside its request. */
interface CallSurroundings {
  /** The settings that tell the address of the server. */
  readonly settings?: BaseUrlSettings | undefined;
  /** See Call. */
  readonly everyone?: boolean | undefined;
  /** See Call. */
  readonly limits?: InputLimits | undefined;
  /** See Call. */
  readonly traffic?: TrafficLimits | undefined;
  /** Hears of listeners of the call that fail. */
  readonly log?: Pick<Logger, 'error'> | undefined;
}

/** A call that a request brought. What most operations do not look at is read from the request when it is asked for. */
export class RequestCall<Name extends OperationName = OperationName> implements Call<Name> {
  readonly operation: Name;
  readonly agent: string;
  readonly binding: string;
  readonly dialect: string;
  readonly caller: Caller;
  readonly everyone: boolean;
  readonly limits: InputLimits | undefined;
  readonly traffic: TrafficLimits | undefined;
  readonly extensions: readonly string[];
  readonly resumeAt: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly #request: ExchangeRequest;
  readonly #settings: BaseUrlSettings;
  readonly #log: Pick<Logger, 'error'> | undefined;
  #trace: TraceContext | undefined;
  #signal: AbortSignal | undefined;
  #onEnd: ((end: CallEnd) => void)[] | undefined;

  constructor(
    request: ExchangeRequest,
    agent: string,
    caller: Caller,
    details: CallDetails<Name>,
    { settings = {}, everyone = false, limits, traffic, log }: CallSurroundings = {},
  ) {
    const { headers } = request;
    this.operation = details.operation;
    this.agent = agent;
    this.binding = details.binding;
    this.dialect = details.dialect;
    this.caller = caller;
    this.everyone = everyone;
    this.limits = limits;
    this.traffic = traffic;
    // 0.3 clients use the second name (reference: v03 §1).
    this.extensions = extensionsOf(header(headers, 'a2a-extensions'), header(headers, 'x-a2a-extensions'));
    this.resumeAt = header(headers, 'last-event-id') || details.resumeAt;
    this.idempotencyKey = header(headers, 'idempotency-key');
    this.#request = request;
    this.#settings = settings;
    this.#log = log;
  }

  get base(): string {
    return baseUrlOf(this.#request, this.#settings);
  }

  get trace(): TraceContext | undefined {
    return this.#trace ?? traceOf(this.#request.headers);
  }

  continueTrace(trace: TraceContext): void {
    this.#trace = trace;
  }

  get clientAddress(): string | undefined {
    return addressOf(this.#request, this.#settings.trustProxy ?? false);
  }

  get requestId(): string | undefined {
    return requestIdOf(this.#request);
  }

  get pushWishes(): Call['pushWishes'] {
    const { headers } = this.#request;
    return { events: header(headers, 'parley-push-events'), snapshot: header(headers, 'parley-push-snapshot') };
  }

  get signal(): AbortSignal {
    if (!this.#signal) {
      const abort = new AbortController();
      this.#signal = abort.signal;
      this.onAbort(() => abort.abort());
    }
    return this.#signal;
  }

  onAbort(listener: () => void): () => void {
    return this.#request.onAbort?.(() => this.#tell(listener)) ?? NOTHING;
  }

  onEnd(listener: (end: CallEnd) => void): void {
    this.#onEnd ??= [];
    this.#onEnd.push(listener);
  }

  /** Something waits for the end of the call. */
  get isWatched(): boolean {
    return this.#onEnd !== undefined;
  }

  /** Tells those who asked for it of the end, once. */
  end(end: CallEnd): void {
    const listeners = this.#onEnd ?? [];
    this.#onEnd = undefined;
    for (const listener of listeners) this.#tell(() => listener(end));
  }

  /** Each listener stands alone: what it throws reaches neither the others nor the connection. */
  #tell(listener: () => unknown): void {
    const { operation, agent } = this;
    callAlone(listener, (error) => this.#log?.error('A listener of a call failed', { error, operation, agent }));
  }
}

const NONE: readonly string[] = [];
const NOTHING = () => {};

function extensionsOf(names: string | undefined, olderNames: string | undefined): readonly string[] {
  return names || olderNames ? [...listOf(names), ...listOf(olderNames)] : NONE;
}

function listOf(value: string | undefined): readonly string[] {
  if (!value) return NONE;
  return value
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
}
