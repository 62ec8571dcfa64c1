import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import { retryHeaders } from '../../bindings/http/answer.ts';
import type { Logger } from '../../engine/ports.ts';
import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import type { Guard } from '../auth/guard/guard.ts';
import { requireOperator } from '../auth/guard/operators.ts';
import { challenged, Refusal } from '../auth/guard/refusal.ts';
import type { Opening } from '../core/opening.ts';
import { tooMuchLoad } from '../limits/limit-errors.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { LoadGauge } from '../limits/load/load-gauge.ts';
import type { InternalErrors } from '../operator/internal-errors.ts';
import { isCardRead } from '../routing/routes.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Asked } from './asked.ts';
import type { Cors } from './cors.ts';
import type { Door } from './door/door.ts';
import { type HeldResponses, PIECE } from './held/held-responses.ts';
import { httpErrorOf } from './responses.ts';
import type { RouteHandlers } from './route-handlers.ts';

/** Lets a request pass, at once or after a while; throws the Refusal or the A2AError of one that may not. */
type Stage = (asked: Asked) => Promise<void> | undefined;

interface PipelineOptions {
  readonly cors: Cors | undefined;
  readonly door: Pick<Door, 'refusalOf'>;
  readonly responses: Pick<HeldResponses, 'pace' | 'paceBytes'>;
  readonly route: (request: ExchangeRequest) => Asked;
  /** Undefined: everybody may call. */
  readonly guard: Guard | undefined;
  /** Undefined: any load is taken on. */
  readonly load?: LoadGauge | undefined;
  readonly limiters: readonly Limiter[];
  readonly opening: Pick<Opening, 'isOpen' | 'whenOpen'>;
  readonly handlers: Pick<RouteHandlers, 'handle' | 'refuse' | 'limitsOf' | 'wantsBody'>;
  readonly log: Logger;
  readonly failures: InternalErrors;
  /** Told of responses and refusals, if they are measured; looks for providers that a program has registered late. */
  readonly telemetry?: Pick<Telemetry, 'watch' | 'look'> | undefined;
}

/**
 * The way of a request through the server: cors -> route -> door -> shed -> authenticate -> limit -> ready -> read -> handle. A
 * request that no stage has to look at costs no promise. A refusal has the shape of the binding and dialect that was asked,
 * and CORS headers. The body stays on the wire until every stage has let the request pass.
 */
export class Pipeline {
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  handle(request: ExchangeRequest): Promise<ExchangeResponse> {
    const { cors } = this.#options;
    return cors ? cors.around(request, () => this.#pass(request)) : this.#pass(request);
  }

  async #pass(request: ExchangeRequest): Promise<ExchangeResponse> {
    const { route, door, handlers, failures, load } = this.#options;
    let caller: string | undefined;
    let asked: Asked | undefined;
    try {
      const joining = this.#options.telemetry?.look();
      if (joining) await joining;
      asked = route(request);
      const atDoor = door.refusalOf(asked);
      const found = atDoor || this.#passesAtOnce(asked) ? undefined : this.#refusalOf(asked, 0);
      const refusal = found instanceof Promise ? await found : found;
      const error = atDoor ?? refusal?.error;
      const reading = this.#read(asked, error);
      if (reading) await reading;
      caller = asked.caller.subject;
      const making = error ? handlers.refuse(asked, error) : handlers.handle(asked);
      const made = making instanceof Promise ? await making : making;
      const response = this.#paced(asked, made);
      const isDenied = response.status === 401 || (response.status === 403 && !atDoor);
      const told = isDenied ? this.#challenged(asked, response, refusal) : postponed(response);
      this.#options.telemetry?.watch?.responded(asked.route?.kind ?? 'none', told.status, error);
      return asked.usage ? asked.usage.finish(told) : told;
    } catch (error) {
      asked?.usage?.release();
      const told = this.#failed(asked, failures.failed(error, caller));
      this.#options.telemetry?.watch?.responded(asked?.route?.kind ?? 'none', told.status);
      return told;
    } finally {
      if (asked?.isLoad) load?.leave();
    }
  }

  /** A failure of a handler, in the shape that was asked; in that of HTTP+JSON where a binding cannot even refuse. */
  #failed(asked: Asked | undefined, error: A2AError): ExchangeResponse {
    if (!asked) return httpErrorOf(error);
    try {
      return this.#options.handlers.refuse(asked, error);
    } catch (cause) {
      return httpErrorOf(this.#options.failures.failed(cause, asked.caller.subject));
    }
  }

  /** Reads the body of a request for an operation; where nobody wants it, only so much as tells its id and dialect. */
  #read(asked: Asked, error: A2AError | undefined): Promise<void> | undefined {
    const { request, route } = asked;
    if (!request.readBody || (route?.kind !== 'operations' && route?.kind !== 'operator')) return undefined;
    const { handlers } = this.#options;
    const isWanted = !error && (!request.isBodyLarge || handlers.wantsBody(asked));
    return request.readBody(isWanted ? handlers.limitsOf(asked).bodyBytes : undefined);
  }

  /** Has a long response written as fast as its client reads, or refuses where too many such responses wait. */
  #paced(asked: Asked, response: ExchangeResponse): ExchangeResponse {
    const { responses } = this.#options;
    const { body } = response;
    const isText = typeof body === 'string';
    const size = isText ? body.length : (body?.size ?? 0);
    if (body === undefined || size <= PIECE || (isText && !asked.request.takesPieces)) return response;
    const paced = isText ? responses.pace(body) : responses.paceBytes(body, size);
    if (paced) return { ...response, body: paced };
    if (!isText) body.close();
    const busy = 'Too many large responses wait for their readers; come back in a moment, or ask for less';
    return this.#options.handlers.refuse(asked, new A2AError('UNAVAILABLE', busy));
  }

  #passesAtOnce({ access }: Asked): boolean {
    const { guard, load, limiters, opening } = this.#options;
    return !guard && !load && limiters.length === 0 && opening.isOpen && access !== 'operator';
  }

  /** Every 401 says what would be accepted (RFC 9110 §15.5.2), and a 403 which scope is missing (RFC 6750 §3.1). */
  #challenged(asked: Asked, response: ExchangeResponse, refusal: Refusal | undefined): ExchangeResponse {
    const { guard } = this.#options;
    if (refusal?.challenge !== undefined) return challenged(response, refusal.challenge);
    // A bearer token is asked for where nothing else is configured.
    if (response.status === 401) return challenged(response, guard?.challenge(asked, refusal?.error) ?? 'Bearer');
    return guard ? challenged(response, guard.deniedChallenge(asked, response.error?.metadata.scope)) : response;
  }

  /** Undefined for a request that passes every stage; at once, where no stage has to wait. */
  #refusalOf(asked: Asked, first: number): Refusal | undefined | Promise<Refusal | undefined> {
    try {
      for (let index = first; index < this.#stages.length; index += 1) {
        const passing = this.#stages[index]?.(asked);
        if (!passing) continue;
        const refuse = (error: unknown) => this.#refusalFrom(asked, error);
        return passing.then(() => this.#refusalOf(asked, index + 1), refuse);
      }
      return undefined;
    } catch (error) {
      return this.#refusalFrom(asked, error);
    }
  }

  /** A stage that fails refuses the request as an internal error. */
  #refusalFrom({ caller }: Asked, error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    return new Refusal(isA2AError(error) ? error : this.#options.failures.failed(error, caller.subject));
  }

  /** Refuses before anything else is done: what is refused must cost little where there is too much of it. */
  readonly #shed: Stage = (asked) => {
    const { load } = this.#options;
    if (!load || asked.request.caller !== undefined || !isOperation(asked)) return undefined;
    if (!load.enter()) throw tooMuchLoad();
    asked.isLoad = true;
    return undefined;
  };

  /** Checks credentials, and that the caller may use the route. */
  readonly #authenticate: Stage = (asked) => {
    const checking = this.#options.guard?.check(asked);
    if (asked.access !== 'operator') return checking;
    return Promise.resolve(checking).then(() => {
      // Without authentication, every caller on this machine runs the server.
      if (this.#options.guard || !asked.caller.isLocal) requireOperator(asked.caller);
    });
  };

  readonly #limit: Stage = (asked) => {
    const { limiters } = this.#options;
    for (let index = 0; index < limiters.length; index += 1) {
      const passing = limiters[index]?.(asked);
      if (passing) return passing.then(() => passAll(limiters.slice(index + 1), asked));
    }
    return undefined;
  };

  /** Waits for the store where the request needs it. Cards, the list of agents and the sign of life are there without one. */
  readonly #ready: Stage = (asked) => {
    const { opening, log } = this.#options;
    if (opening.isOpen || !needsStore(asked)) return undefined;
    return opening.whenOpen().catch((error: unknown) => {
      log.error('A request was refused, because the server could not be opened', { error });
      throw new Refusal(new A2AError('UNAVAILABLE', 'The server is not ready'));
    });
  };

  /** The stages between the route and its handler, in order. */
  readonly #stages: readonly Stage[] = [this.#shed, this.#authenticate, this.#limit, this.#ready];
}

/** Every 429 and 503 says when to come back, also where a binding leaves that to the server. */
function postponed(response: ExchangeResponse): ExchangeResponse {
  const { status, headers, error } = response;
  if ((status !== 429 && status !== 503) || headers['retry-after'] !== undefined) return response;
  return {
    ...response,
    headers: { ...headers, ...retryHeaders({ code: 'UNAVAILABLE', retryAfter: error?.retryAfter }) },
  };
}

async function passAll(limiters: readonly Limiter[], asked: Asked): Promise<void> {
  for (const limiter of limiters) await limiter(asked);
}

function needsStore({ request, route }: Asked): boolean {
  if (route?.kind === 'push' || route?.kind === 'operator') return true;
  return isOperation({ request, route });
}

function isOperation({ request, route }: Pick<Asked, 'request' | 'route'>): boolean {
  return route?.kind === 'operations' && !isCardRead(request, route);
}
