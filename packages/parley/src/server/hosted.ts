import type { ServerCore } from './core.ts';

/** Where an adapter finds the server behind its public face. Registered, so that two copies of this package agree on it. */
export const CORE: unique symbol = Symbol.for('parley-a2a.core');

/** What an adapter needs of a server: exchanges are answered, and bytes are its own affair. */
export type AdaptedCore = Pick<ServerCore, 'limits' | 'log' | 'open' | 'start' | 'handle' | 'serves' | 'addresses'>;

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
