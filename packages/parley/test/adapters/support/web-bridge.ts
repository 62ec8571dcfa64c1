import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

type Answer = (request: Request, surroundings: { incoming: IncomingMessage }) => Response | Promise<Response>;

/**
 * What runtimes with web requests do, on `node:http`: for tests of handlers that have no server of their own. Like that of
 * Hono it hands on the request of Node.
 */
export function webServer(answer: Answer): Server {
  return createServer((incoming, outgoing) => {
    bridge(answer, incoming, outgoing).catch(() => outgoing.destroy());
  });
}

async function bridge(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const response = await answer(webRequest(incoming, gone.signal), { incoming });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  const { body } = response;
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: gone.signal });
    }
    outgoing.end();
  } finally {
    incoming.resume();
  }
}

function webRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const { method = 'GET' } = incoming;
  const body = method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
  const init = { method, headers, signal, body, duplex: 'half' } as RequestInit;
  return new Request(`http://${incoming.headers.host ?? 'localhost'}${incoming.url}`, init);
}
