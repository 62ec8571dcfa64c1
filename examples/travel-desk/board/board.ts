import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type A2AClient, isTask } from 'parley-a2a';
import { newPushSecret, pushReceiver } from 'parley-a2a/push';

const PAGE = readFileSync(new URL('page.html', import.meta.url));
const BODY_BYTES = 10_000;

export interface Board {
  readonly url: string;
  readonly close: () => void;
}

/**
 * A page that watches journeys without asking for them: the planner tells its webhook what happens, and the webhook tells
 * every browser. It holds no stream to the planner, however long a question stays open.
 */
export async function startBoard(planner: A2AClient, port = 0): Promise<Board> {
  const secret = newPushSecret();
  const browsers = new Set<ServerResponse>();
  const receiver = pushReceiver({
    secret,
    onEvent(event, { taskId }) {
      for (const browser of browsers) browser.write(`data: ${JSON.stringify({ taskId, event })}\n\n`);
    },
  });
  const server: Server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response
        .writeHead(400, { 'content-type': 'text/plain' })
        .end(error instanceof Error ? error.message : 'Bad request');
    });
  });
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = `${request.method} ${request.url}`;
    if (route === 'GET /') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
    else if (route === 'POST /hook') await receiver.node(request, response);
    else if (route === 'GET /events') watch(response);
    else if (route === 'POST /messages') await send(request, response);
    else response.writeHead(404).end('There is nothing here');
  }

  function watch(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': here\n\n');
    browsers.add(response);
    response.on('close', () => browsers.delete(response));
  }

  /** Sends a message of the page to the planner: a new journey, or the answer to a question. */
  async function send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Pages of other sites cannot send this type without being asked first.
    if (request.headers['content-type'] !== 'application/json') throw new Error('Send application/json');
    if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > BODY_BYTES) throw new Error('Too long');
    const { words, taskId } = JSON.parse(await text(request)) as {
      readonly words?: unknown;
      readonly taskId?: unknown;
    };
    if (typeof words !== 'string') throw new Error('words must be a text');
    const sent = await planner.sendMessage(words, {
      ...(typeof taskId === 'string' && { taskId }),
      returnImmediately: true,
      pushConfig: { url: `${address()}/hook`, token: secret },
    });
    response.writeHead(202, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ taskId: isTask(sent) ? sent.id : undefined }));
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: address(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
