import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type A2AServer, isValidRequest } from 'parley-a2a/compat';
import { onTestFinished } from 'vitest';

/** A request as it came in. */
export interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: what a peer sent is what a test is about to check
  readonly body: any;
}

/**
 * The HTTP side as the document has it (S3, Task 13): all cards at `/.well-known/agent.json`, JSON-RPC at `/a2a`, events
 * written as they are, `[DONE]` at the end.
 */
export async function serveAsDocumented(server: A2AServer): Promise<{ readonly url: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const http = createServer((request, response) => {
    answer(server, request, response, seen).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  );
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, seen };
}

async function answer(server: A2AServer, request: IncomingMessage, response: ServerResponse, seen: Seen[]) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  seen.push({ path: request.url ?? '', headers: request.headers, body });
  if (request.method === 'GET' && request.url === '/.well-known/agent.json') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(server.getAgentCards()));
  } else if (request.method === 'POST' && request.url === '/a2a') {
    if (isValidRequest(body) && body.method === 'message/sendStream') await stream(server, body, response);
    else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(await server.handleJsonRpc(body)));
    }
  } else {
    response.writeHead(404).end();
  }
}

async function stream(server: A2AServer, body: unknown, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for await (const event of server.handleJsonRpcStream(body)) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end('data: [DONE]\n\n');
}
