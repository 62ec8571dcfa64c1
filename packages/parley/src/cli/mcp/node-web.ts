import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_BYTES } from '../../bridges/mcp/serving/limits.ts';

export class BodyTooLarge extends Error {
  constructor() {
    super(`A request has at most ${REQUEST_BYTES} bytes`);
  }
}

/** The body as text. Throws where it is larger than it may be. */
export async function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > REQUEST_BYTES) throw new BodyTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > REQUEST_BYTES) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
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

/** Writes a response, a stream as fast as its reader takes it. */
export async function respond(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answer.body.getReader();
  const onClose = () => void reader.cancel().catch(() => {});
  response.once('close', onClose);
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      if (response.destroyed) return;
      if (!response.write(step.value)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  } finally {
    response.off('close', onClose);
  }
}
