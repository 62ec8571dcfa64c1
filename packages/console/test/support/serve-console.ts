import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { a2aNode } from 'parley-a2a/node';
import { agents } from '../../../../examples/agents/index.ts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob: data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A server with the console, on a port of its own. */
export interface ServedConsole extends AsyncDisposable {
  readonly server: A2AServer;
  /** The origin. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves the agents of the demo, or others, with the console beside them; on a port of its own unless one is named. */
export async function serveConsole(options: Partial<A2AServerOptions> = {}, port = 0): Promise<ServedConsole> {
  const server = new A2AServer({ agents, anonymous: 'shared', open: true, drainTimeout: 0, ...options });
  const listener = a2aNode(server);
  const http = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    if (!pathname.startsWith('/console')) return listener(request, response);
    const file = extname(pathname) ? normalize(pathname.slice('/console'.length)) : '/index.html';
    readFile(join(DIST, file)).then(
      (body) =>
        response
          .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain', 'content-security-policy': POLICY })
          .end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const close = async () => {
    http.close();
    http.closeAllConnections();
    await server.close();
  };
  return { server, url, close, [Symbol.asyncDispose]: close };
}
