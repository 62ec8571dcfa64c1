import type { ExchangeRequest, ExchangeResponse } from '../../bindings/exchange.ts';
import type { Clock, Logger } from '../../engine/ports.ts';
import type { HeldBodies } from '../http/held/held-bodies.ts';
import type { HeldResponses } from '../http/held/held-responses.ts';
import type { ServerLimits } from '../limits/limits.ts';
import type { Address } from '../routing/addresses.ts';

/** The key under which adapters find the core of a server. Registered, so that two copies of this package agree on it. */
export const CORE: unique symbol = Symbol.for('parley-a2a.core');

/** The server as an adapter uses it: it responds to exchanges; reading and writing bytes is the adapter's part. */
export interface AdaptedCore {
  readonly limits: ServerLimits;
  readonly clock: Clock;
  readonly log: Logger;
  /** The memory that bodies of requests may hold. */
  readonly bodies: HeldBodies;
  /** The memory that long responses hold. */
  readonly responses: Pick<HeldResponses, 'size'>;
  /** Opens the store and takes up what the last process left. */
  open(): Promise<void>;
  /** Begins to open; nothing waits for it. */
  start(): void;
  handle(request: ExchangeRequest): Promise<ExchangeResponse>;
  /** Tells whether a framework passes a request on to this server. `url`: below the prefix. */
  serves(url: string, prefix?: string): boolean;
  /** The addresses that a framework routes to this server, below the prefix. */
  addresses(prefix?: string): readonly Address[];
}

/** An `A2AServer`, as adapters see it. */
export interface HostedServer {
  readonly [CORE]: AdaptedCore;
}

/** `adapter`: who asks, for the error text. */
export function coreOf(server: HostedServer, adapter: string): AdaptedCore {
  const core = (server as Partial<HostedServer> | undefined)?.[CORE];
  if (!core) throw new TypeError(`${adapter} needs an A2AServer: ${adapter}(new A2AServer({ agents: [agent] }))`);
  return core;
}
