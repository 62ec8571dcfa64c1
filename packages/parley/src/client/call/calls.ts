import type { ClientBinding } from '../../bindings/binding.ts';
import type { BindingCaller } from '../../bindings/caller.ts';
import { isOfficial } from '../../dialects/calling/spoken.ts';
import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  StreamOperationName,
  UnaryOperationName,
} from '../../model/operations.ts';
import { isStreamOperation } from '../../model/operations.ts';
import { CardAuthorizer } from '../auth/authorization.ts';
import { guardedFetch } from '../auth/guarded-fetch.ts';
import type { TrustedOrigins } from '../auth/origins.ts';
import type { Connection } from '../card/connection.ts';
import type { DiscoveryOptions } from '../card/discovery.ts';
import type { Callable } from '../card/interfaces.ts';
import {
  type CallOptions,
  type ClientOptions,
  DEFAULT_LIMITS,
  DEFAULT_TIMEOUT,
  type OutgoingCall,
  type ReconnectSettings,
  type RetrySettings,
  reconnectSettings,
  retrySettings,
  withDefaults,
} from '../options.ts';
import type { Received } from '../stream/stream-source.ts';
import { protocolHeaders, userHeaders } from './call-headers.ts';
import { mayPass, wasNeverSent, wasNotAccepted } from './failures.ts';
import { withIdleLimit } from './idle-guard.ts';
import { releasedStream } from './released-stream.ts';
import { linked } from './signals.ts';
import { delayBefore, sleep, type Timing } from './timing.ts';

/** The details of one call, beside those that the user sets. */
export interface CallDetails extends CallOptions {
  readonly skill?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly lastEventId?: string | undefined;
  /** The call can be repeated without harm. */
  readonly repeatable?: boolean | undefined;
  /** The response comes when the agent is done: there is no default time limit. */
  readonly waits?: boolean | undefined;
}

interface OneCall extends CallDetails {
  readonly signal: AbortSignal;
  /** For streams: the longest silence of their connection. */
  readonly idleTimeout?: number;
}

type Input<Name extends OperationName> = Omit<OperationInputs[Name], 'tenant'>;

/** Makes calls: over the interface in use, with what goes with every one of them, again where that may help. */
export class Calls {
  readonly #options: ClientOptions;
  readonly #connection: Connection;
  readonly #trusted: TrustedOrigins;
  readonly #timing: Timing;
  readonly #fetch: typeof fetch;
  readonly #retry: RetrySettings;
  readonly limits: { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };
  /** The state that bindings keep for each interface, by its address. */
  readonly #kept: Map<string, Map<string, unknown>> = new Map();

  constructor(options: ClientOptions, connection: Connection, trusted: TrustedOrigins, timing: Timing) {
    this.#options = options;
    this.#connection = connection;
    this.#trusted = trusted;
    this.#timing = timing;
    // Called as a function of its own: browsers insist that `fetch` is not a method of something else.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#retry = retrySettings(options.retry);
    this.limits = withDefaults(DEFAULT_LIMITS, options.limits);
  }

  /** The way to connect again, which depends on the agent. */
  get reconnect(): ReconnectSettings {
    return reconnectSettings(this.#options.reconnect, this.#connection.resumes);
  }

  /** Finds the card if need be. Costs nothing while it is fresh. */
  async open(details: CallOptions = {}, exactly = false): Promise<void> {
    this.#options.signal?.throwIfAborted();
    details.signal?.throwIfAborted();
    if (this.#connection.isFresh(exactly)) return;
    const { signal, release } = this.limited(details, DEFAULT_TIMEOUT);
    try {
      await this.#again(true, signal, () =>
        this.#connection.open((shared) => this.#discovery(shared), signal, exactly),
      );
    } finally {
      release();
    }
  }

  async unary<Name extends UnaryOperationName>(
    operation: Name,
    input: Input<Name>,
    details: CallDetails = {},
  ): Promise<OperationResults[Name]> {
    await this.open(details);
    const { signal, release } = this.limited(details, details.waits ? undefined : DEFAULT_TIMEOUT);
    try {
      const result = await this.#again(details.repeatable === true, signal, () =>
        this.#over((callable) => this.#one(callable, operation, input, { ...details, signal })),
      );
      return result as OperationResults[Name];
    } finally {
      release();
    }
  }

  /** Opens a stream once; its reader decides what to do when it breaks. */
  async stream<Name extends StreamOperationName>(
    operation: Name,
    input: Input<Name>,
    details: CallDetails = {},
  ): Promise<Received> {
    await this.open(details);
    const limited = this.limited(details, DEFAULT_TIMEOUT);
    const { signal } = limited;
    try {
      const { idleTimeout } = this.reconnect;
      const stream = await this.#over((callable) =>
        this.#one(callable, operation, input, { ...details, signal, idleTimeout }),
      );
      limited.stopTimer();
      return releasedStream(stream, limited);
    } catch (error) {
      limited.release();
      throw error;
    }
  }

  /** Tries again what may be tried again, after a while. */
  async #again<T>(repeatable: boolean, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const { attempts, longestDelay } = this.#retry;
    for (let attempt = 1; ; attempt += 1) {
      try {
        signal.throwIfAborted();
        return await call();
      } catch (error) {
        signal.throwIfAborted();
        // Anything else comes out of an interceptor or another function of the user.
        if (!isA2AError(error)) throw error;
        const mayRepeat = repeatable ? mayPass(error) : wasNeverSent(error) || wasNotAccepted(error);
        const wait = error.retryAfter ?? 0;
        if (!mayRepeat || attempt >= attempts || wait > longestDelay) throw error;
        await sleep(this.#timing, Math.max(wait, delayBefore(attempt, this.#retry, this.#timing.random)), signal);
      }
    }
  }

  /** Over the interface in use; over the next one where it cannot be reached, or where its version was a guess. */
  async #over<T>(call: (callable: Callable) => Promise<T>): Promise<T> {
    // Other calls go over too, and may come back to what this one has tried.
    const tried = new Set<Callable>();
    let failure: A2AError | undefined;
    for (;;) {
      // Every card that is taken has one.
      const current = this.#connection.current as Callable;
      if (failure && tried.has(current)) throw failure;
      tried.add(current);
      try {
        const result = await call(current);
        this.#connection.settle();
        return result;
      } catch (error) {
        if (!isA2AError(error)) throw error;
        const goesOn = wasNeverSent(error)
          ? this.#connection.fallBack(current)
          : isUnknownLanguage(error) && this.#connection.guessAgain(current);
        failure = this.#explained(error, current);
        if (goesOn) continue;
        if (wasNeverSent(error) || isNotServedThere(error)) this.#connection.doubt();
        throw failure;
      }
    }
  }

  async #one<Name extends OperationName>(
    callable: Callable,
    operation: Name,
    input: Input<Name>,
    details: OneCall,
  ): Promise<unknown> {
    const own = await userHeaders(this.#options, details);
    const protocol = protocolHeaders(callable.dialect, this.#connection.card, this.#options, details);
    const headers = { ...own, ...protocol };
    const caller = this.#callerOf(callable, details);
    const tenant = details.tenant ?? callable.entry.tenant ?? '';
    const { signal } = details;
    const last = (call: OutgoingCall): Promise<unknown> => carry(caller, call);
    const chain = (this.#options.interceptors ?? []).reduceRight<(call: OutgoingCall) => Promise<unknown>>(
      (next, interceptor) => (call) => interceptor(call, next),
      last,
    );
    return chain({ operation, input: { ...input, tenant } as OperationInputs[Name], headers, signal } as OutgoingCall);
  }

  #callerOf({ entry, binding, dialect }: Callable, details: OneCall): BindingCaller {
    const guarded = this.#guarded(details.skill, binding);
    const { idleTimeout } = details;
    const send: typeof fetch =
      idleTimeout === undefined
        ? guarded
        : async (url, init) => withIdleLimit(await guarded(url, init), idleTimeout, this.#timing);
    const { url } = entry;
    const kept = this.#kept.get(url) ?? new Map<string, unknown>();
    this.#kept.set(url, kept);
    const { fileEncoding } = this.#options;
    const isOurs = () => this.#connection.resumes;
    const timeout = details.timeout ?? this.#options.timeout;
    return binding.open({ url, dialect, kept, fileEncoding, isOurs, fetch: send, timeout, limits: this.limits });
  }

  #guarded(skill: string | undefined, { fetch: carry, isTrusted }: Partial<ClientBinding> = {}): typeof fetch {
    const { credentials, oauth } = this.#options;
    const [send, trusted, { now }] = [this.#fetch, this.#trusted, this.#timing];
    const card = () => this.#connection.card;
    const authorizer =
      credentials && new CardAuthorizer({ card, credentials, oauth, trusted, fetch: send, now, skill });
    const has = (url: string | URL) => trusted.has(url, isTrusted);
    return guardedFetch({ fetch: carry ?? send, trusted: { has }, authorizer });
  }

  async #discovery(signal: AbortSignal): Promise<DiscoveryOptions> {
    const headers = await userHeaders(this.#options);
    const { protocol, prefer } = this.#options;
    const isPlain = protocol === undefined || isOfficial(protocol);
    const version = protocol ?? prefer?.version ?? '1.0';
    return {
      ...this.#options,
      fetch: this.#guarded(undefined),
      // Servers of both versions take a request without one for one of 0.3 (reference: mapping §1).
      headers: isPlain ? { ...headers, 'a2a-version': version } : headers,
      signal,
      cardBytes: this.limits.cardBytes,
      now: this.#timing.now,
      dialects: this.#connection.dialects.informal,
    };
  }

  /** A signal that also knows the time; `fallback` is the time where none is set. */
  limited(details: CallOptions, fallback?: number) {
    const limit = details.timeout ?? this.#options.timeout ?? fallback ?? 0;
    const { signal, abort, release } = linked(this.#options.signal, details.signal);
    const stopTimer =
      limit > 0
        ? this.#timing.after(limit, () => abort(new A2AError('TIMEOUT', `No response within ${limit} ms`)))
        : () => {};
    const end = () => {
      stopTimer();
      release();
    };
    return { signal, abort, stopTimer, release: end };
  }

  /** A refusal that the user can do something about. */
  #explained(failure: A2AError, { entry, binding }: Callable): A2AError {
    const { headers, credentials } = this.#options;
    const isTrusted = this.#trusted.has(entry.url, binding.isTrusted);
    if (failure.code !== 'UNAUTHENTICATED' || isTrusted || (!headers && !credentials)) return failure;
    const { origin } = new URL(entry.url);
    const advice = `headers and credentials were not sent; name ${origin} in allowedOrigins to send them`;
    return new A2AError('UNAUTHENTICATED', `${failure.message} (${advice})`, {
      cause: failure,
      httpStatus: failure.httpStatus,
    });
  }
}

/** Tells whether a server refuses a request for its version. */
function isUnknownLanguage({ code }: A2AError): boolean {
  return ['METHOD_NOT_FOUND', 'VERSION_NOT_SUPPORTED', 'INVALID_REQUEST', 'INVALID_PARAMS'].includes(code);
}

/** Tells whether a server no longer has the interface. */
function isNotServedThere({ code, httpStatus }: A2AError): boolean {
  const isGone = httpStatus === 404 || httpStatus === 405 || httpStatus === 410;
  return code === 'VERSION_NOT_SUPPORTED' || code === 'METHOD_NOT_FOUND' || (isGone && code !== 'TASK_NOT_FOUND');
}

function carry(caller: BindingCaller, { operation, input, headers, signal }: OutgoingCall): Promise<unknown> {
  const call = { headers, signal };
  return isStreamOperation(operation)
    ? caller.stream(operation, input as OperationInputs[StreamOperationName], call)
    : caller.unary(operation, input as OperationInputs[UnaryOperationName] as never, call);
}
