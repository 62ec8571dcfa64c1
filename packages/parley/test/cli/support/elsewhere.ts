import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An address where nothing listens. */
export async function unusedUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

/** A server of any kind until the test ends. */
export async function httpServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Lets nobody in without the token. */
export function refusingServer(token = 'secret', then?: RequestListener): Promise<string> {
  return httpServer((request, response) => {
    if (then && request.headers.authorization === `Bearer ${token}`) then(request, response);
    else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  });
}

/** Serves one document at every address. */
export function documentServer(document: unknown): Promise<string> {
  return httpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
}
