import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { agents } from '../../../../examples/agents/index.ts';

/** A server with the console, on a port of its own. */
export interface ServedConsole extends AsyncDisposable {
  readonly server: A2AServer;
  /** The origin. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** What agents of tests fail with is no news. */
const QUIET = { error: () => undefined, warn: () => undefined };

/** Serves the agents of the demo, or others, with the console beside them; on a port of its own unless one is named. */
export async function serveConsole(options: Partial<A2AServerOptions> = {}, port = 0): Promise<ServedConsole> {
  const server = new A2AServer({
    agents,
    anonymous: 'shared',
    open: true,
    console: true,
    drainTimeout: 0,
    log: QUIET,
    ...options,
  });
  await server.listen({ port, host: '127.0.0.1' });
  const close = () => server.close();
  return { server, url: new URL(server.url ?? '').origin, close, [Symbol.asyncDispose]: close };
}
