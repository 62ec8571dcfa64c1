import type { IncomingMessage, ServerResponse } from 'node:http';
import { StallWatch } from '../../adapters/node/stall-watch.ts';
import { REQUEST_BYTES, STALL_TIMEOUT } from '../../bridges/mcp/serving/limits.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { HeldBodies, HeldBody } from '../../server/http/held/held-bodies.ts';

/** The text of a request, which counts among those that are held until it is released. */
export interface ReadBody {
  readonly text: string;
  readonly release: () => void;
}

/** Reads the body. Throws the A2AError of one that is too large, too late, or too much beside what others sent. */
export async function readBody(request: IncomingMessage, bodies: HeldBodies): Promise<ReadBody> {
  let held: HeldBody | undefined;
  try {
    const text = await new Promise<string>((resolve, reject) => {
      const body = bodies.begin(REQUEST_BYTES, reject);
      held = body;
      const tooMuch = body.grow(Number(request.headers['content-length'] ?? 0));
      if (tooMuch) {
        reject(tooMuch);
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        const reason = body.grow(size);
        if (reason) reject(reason);
        else chunks.push(chunk);
      });
      request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      request.once('error', reject);
      request.once('close', () => reject(new A2AError('INVALID_REQUEST', 'The body was cut off')));
    });
    held?.arrived();
    return { text, release: () => held?.release() };
  } catch (error) {
    held?.release();
    request.removeAllListeners('data');
    throw error;
  }
}

/** The request as the web has it, without its body. `signal`: aborted when the client leaves. */
export function requestOf(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: string,
  signal: AbortSignal,
): Request {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of Array.isArray(value) ? value : [value]) all.append(name, one);
  }
  const hasBody = method === 'POST';
  return new Request(new URL(url, 'http://localhost'), { method, headers: all, signal, ...(hasBody && { body }) });
}

/** Writes a response, a stream as fast as its reader takes it. A client that takes nothing for long is cut. */
export async function respond(
  response: ServerResponse,
  answer: Response,
  stallTimeout: number = STALL_TIMEOUT,
): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answer.body.getReader();
  const onClose = () => void reader.cancel().catch(() => {});
  response.once('close', onClose);
  const watch = new StallWatch(response, stallTimeout);
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      if (response.destroyed) return;
      if (response.write(step.value)) continue;
      watch.start();
      await whenDrained(response);
      watch.stop();
    }
    response.end();
  } finally {
    watch.stop();
    response.off('close', onClose);
  }
}

/** Resolves when the client has read, or left. */
function whenDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      response.off('drain', over);
      response.off('close', over);
      resolve();
    };
    response.once('drain', over);
    response.once('close', over);
    if (response.destroyed) over();
  });
}
