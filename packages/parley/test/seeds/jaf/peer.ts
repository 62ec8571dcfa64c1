import { A2AServer, type A2AServerOptions, type Agent } from 'parley-a2a';
import { onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { readSse } from '../../support/sse.ts';

export interface NamedFrame {
  readonly event: string | undefined;
  /** The line of data as it came. */
  readonly data: string;
  readonly response: Wire;
}

type Headers = Readonly<Record<string, string>>;

/** A client of JAF, written from its document: JSON-RPC over HTTP, streams by the names of their events. */
export class JafPeer {
  readonly base: string;
  readonly #path: string;

  constructor(base: string, path = '/a2a') {
    this.base = base;
    this.#path = path;
  }

  at(path: string): JafPeer {
    return new JafPeer(this.base, path);
  }

  post(method: string, params: unknown, headers: Headers = {}, signal?: AbortSignal): Promise<Response> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'req-1', method, params });
    const all = { 'content-type': 'application/json', ...headers };
    return fetch(`${this.base}${this.#path}`, { method: 'POST', headers: all, body, signal: signal ?? null });
  }

  /** The whole answer. */
  async call(method: string, params: unknown, headers?: Headers): Promise<Wire> {
    return (await this.post(method, params, headers)).json();
  }

  async result(method: string, params: unknown, headers?: Headers): Promise<Wire> {
    const answer = await this.call(method, params, headers);
    if (answer.error) throw new Error(JSON.stringify(answer.error));
    return answer.result;
  }

  async error(method: string, params: unknown, headers?: Headers): Promise<Wire> {
    const answer = await this.call(method, params, headers);
    if (!answer.error) throw new Error(`It succeeded: ${JSON.stringify(answer.result)}`);
    return answer.error;
  }

  async *frames(method: string, params: unknown, headers?: Headers, signal?: AbortSignal): AsyncGenerator<NamedFrame> {
    const response = await this.post(method, params, headers, signal);
    const type = response.headers.get('content-type') ?? '';
    if (!type.startsWith('text/event-stream') || !response.body) throw new Error(await response.text());
    for await (const { event, data, id } of readSse(response.body)) {
      if (id !== undefined) throw new Error('The document has no ids');
      yield { event, data, response: JSON.parse(data) };
    }
  }

  async stream(method: string, params: unknown, headers?: Headers): Promise<readonly NamedFrame[]> {
    return all(this.frames(method, params, headers));
  }

  async get(path: string, headers: Headers = {}): Promise<Response> {
    return fetch(`${this.base}${path}`, { headers });
  }
}

/** Frames until the stream ends. */
export async function all(frames: AsyncIterable<NamedFrame>): Promise<NamedFrame[]> {
  const found: NamedFrame[] = [];
  for await (const frame of frames) found.push(frame);
  return found;
}

let messages = 0;

/** A message with all that the document requires. */
export function said(text: string, more: Wire = {}): Wire {
  messages += 1;
  const parts = [{ kind: 'text', text }];
  return { role: 'user', parts, messageId: `msg-${messages}`, contextId: 'ctx-1', kind: 'message', ...more };
}

export const sending = (text: string, more: Wire = {}, configuration?: Wire): Wire => ({
  message: said(text, more),
  ...(configuration && { configuration }),
});

/** A server on a socket that speaks JAF at `/a2a`, closed when the test ends. */
export async function serveJaf(
  agents: Agent | readonly Agent[],
  options: Partial<A2AServerOptions> = {},
): Promise<{ readonly server: A2AServer; readonly peer: JafPeer }> {
  const server = new A2AServer({
    agents: Array.isArray(agents) ? agents : [agents as Agent],
    mounts: [{ path: '/a2a', dialect: 'jaf' }],
    log: { error: () => {}, warn: () => {} },
    drainTimeout: 0,
    ...options,
  });
  const { url } = await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  return { server, peer: new JafPeer(String(url).replace(/\/$/, '')) };
}
