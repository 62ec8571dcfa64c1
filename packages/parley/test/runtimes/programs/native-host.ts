import { a2aFetch } from 'parley-a2a/fetch';
import { type LocalHost, localHost } from '../../adapters/support/host.ts';

type Answer = (request: Request, surroundings: unknown) => Promise<Response>;

interface Listening {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** What runtimes have in the place of `node:http`. */
interface Globals {
  readonly Bun?: {
    serve(options: {
      readonly port: 0;
      readonly hostname: string;
      readonly idleTimeout: number;
      readonly fetch: Answer;
    }): {
      readonly port: number;
      stop(closeActive: boolean): Promise<void>;
    };
  };
  readonly Deno?: {
    serve(
      options: { readonly port: 0; readonly hostname: string; readonly onListen: () => void },
      answer: Answer,
    ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
  };
}

const hostname = '127.0.0.1';

function listen(answer: Answer): Listening {
  const { Bun, Deno } = globalThis as unknown as Globals;
  if (Bun) {
    const server = Bun.serve({ port: 0, hostname, idleTimeout: 0, fetch: answer });
    return { port: server.port, stop: () => server.stop(true) };
  }
  if (!Deno) throw new Error('Neither Bun nor Deno');
  const server = Deno.serve({ port: 0, hostname, onListen: () => {} }, answer);
  return { port: server.addr.port, stop: () => server.shutdown() };
}

/** `server.fetch` behind the runtime's own HTTP server. */
export const nativeHost: LocalHost = localHost(
  { name: 'native', isApp: false, mounts: true, parsing: ['lost'] },
  async (server, app) => {
    const handler = a2aFetch(server, { prefix: app.prefix });
    const { port, stop } = listen(async (request, surroundings) => {
      if (app.parsing === 'lost' && request.body) await request.text();
      return handler(request, surroundings);
    });
    return { url: `http://${hostname}:${port}`, stop };
  },
);
