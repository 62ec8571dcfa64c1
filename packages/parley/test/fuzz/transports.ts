import { Agent, request } from 'node:http';
import type { A2AServer } from 'parley-a2a';
import type { FuzzedRequest } from './mutations.ts';
import type { FuzzedResponse } from './oracle.ts';

/** Gets a request to the server and returns its response; of a stream, what comes at once. */
export interface Transport {
  ask(fuzzed: FuzzedRequest): Promise<FuzzedResponse>;
  close(): void;
}

/** A stream that has brought nothing for so many turns of the event loop waits for its task. */
const IDLE_TURNS = 3;

/** Without a socket: fast. */
export function throughFetch(server: A2AServer): Transport {
  return {
    async ask({ method, target, headers, body }) {
      const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
      const init = { method, headers, ...(hasBody && { body: body.slice() }) };
      const response = await server.fetch(new Request(`http://localhost${target}`, init));
      const type = response.headers.get('content-type') ?? '';
      const text = type.startsWith('text/event-stream') ? await beginningOf(response) : await response.text();
      return { status: response.status, type, text };
    },
    close() {},
  };
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  let text = '';
  let idle = 0;
  let isOver = reader === undefined;
  const decoder = new TextDecoder();
  const readAll = async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      idle = 0;
      text += decoder.decode(value, { stream: true });
    }
    isOver = true;
  };
  const reading = readAll();
  while (!isOver && idle < IDLE_TURNS) {
    idle += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (!isOver) await reader?.cancel();
  await reading;
  return text.slice(0, text.lastIndexOf('\n\n') + 2);
}

/** Over connections that are used again, as clients do. */
export function throughSockets(url: string, connections: number): Transport {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  return {
    ask: ({ method, target, headers, body }) =>
      new Promise((resolve, reject) => {
        const framing = { host: `localhost:${port}`, 'content-length': String(body?.length ?? 0) };
        const options = { agent, hostname, port, method, path: target, headers: { ...headers, ...framing } };
        const outgoing = request(options, (incoming) => {
          const type = incoming.headers['content-type'] ?? '';
          const pieces: Buffer[] = [];
          const end = () => {
            const text = Buffer.concat(pieces).toString();
            const isStream = type.startsWith('text/event-stream');
            const whole = isStream ? text.slice(0, text.lastIndexOf('\n\n') + 2) : text;
            resolve({ status: incoming.statusCode ?? 0, type, text: whole });
          };
          incoming.on('data', (piece: Buffer) => {
            pieces.push(piece);
            // A stream may wait for its task for ever: the first frames are enough.
            if (type.startsWith('text/event-stream')) incoming.destroy();
          });
          incoming.on('close', end);
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
}
