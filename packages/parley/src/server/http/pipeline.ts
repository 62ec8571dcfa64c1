import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import type { Logger } from '../../engine/ports.ts';
import { A2AError } from '../../model/errors.ts';
import { challenged, type Guard, Refusal } from '../auth/simple-auth.ts';
import type { Cors } from './cors.ts';
import type { Opening } from './opening.ts';
import { httpError } from './responses.ts';
import type { Asked, RouteHandlers } from './route-handlers.ts';
import { isCardRead } from './routes.ts';

/** Lets a request pass, at once or after a while; throws the Refusal of one that may not. */
type Stage = (asked: Asked) => Promise<void> | undefined;

export interface PipelineOptions {
  readonly cors: Cors | undefined;
  readonly route: (request: ExchangeRequest) => Asked;
  /** Undefined: everybody may call. */
  readonly guard: Guard | undefined;
  readonly opening: Opening;
  readonly handlers: RouteHandlers;
  readonly log: Logger;
}

/**
 * The way of a request through the server: cors -> route -> authenticate -> ready -> handle. A stage that lets a request
 * pass at once costs no promise. A refusal has the shape of the binding and dialect that was asked, and CORS headers.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #stages: readonly Stage[];
  /** A 401 without a challenge of its own asks for a bearer token, where nothing else is configured. */
  readonly #challenge: string;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#challenge = options.guard?.challenge ?? 'Bearer';
    this.#stages = options.guard ? [this.#authenticate, this.#ready] : [this.#ready];
  }

  handle(request: ExchangeRequest): Promise<ExchangeResponse> {
    const { cors } = this.#options;
    return cors ? cors.around(request, () => this.#pass(request)) : this.#pass(request);
  }

  async #pass(request: ExchangeRequest): Promise<ExchangeResponse> {
    const { route, handlers, log } = this.#options;
    try {
      const asked = route(request);
      const checking = this.#refusalOf(asked);
      const refusal = checking && (await checking);
      const response = await (refusal ? handlers.refuse(asked, refusal.error) : handlers.handle(asked));
      return challenged(response, refusal?.challenge ?? this.#challenge);
    } catch (error) {
      log.error('A request failed', { error });
      return httpError('INTERNAL', 'Internal error');
    }
  }

  /** Undefined for a request that passes every stage. */
  #refusalOf(asked: Asked): Promise<Refusal | undefined> | undefined {
    const { guard, opening } = this.#options;
    if (!guard && opening.isOpen) return undefined;
    return this.#stageByStage(asked);
  }

  async #stageByStage(asked: Asked): Promise<Refusal | undefined> {
    try {
      for (const stage of this.#stages) await stage(asked);
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  readonly #authenticate: Stage = ({ request, route }) => this.#options.guard?.check(request, route);

  /** Waits for the store where the request needs it. Cards, the list of agents and the sign of life are there without one. */
  readonly #ready: Stage = (asked) => {
    const { opening, log } = this.#options;
    if (opening.isOpen || !needsStore(asked)) return undefined;
    return opening.whenOpen().catch((error: unknown) => {
      log.error('A request was refused, because the server could not be opened', { error });
      throw new Refusal(new A2AError('UNAVAILABLE', 'The server is not ready'));
    });
  };
}

function needsStore({ request, route }: Asked): boolean {
  if (route?.kind === 'health') return route.isReadiness;
  return route?.kind === 'operations' && !isCardRead(request, route);
}
