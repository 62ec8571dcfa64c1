import type { A2AServer } from 'parley-a2a';
import { A2AClient, type ClientOptions } from 'parley-a2a';

/** One request that a client made. */
export interface Sent {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

export type Answer = (request: Request) => Response | Promise<Response>;

/** A `fetch` that asks a function instead of the network, and notes what was asked. */
export function fetchOf(answer: Answer): { readonly fetch: typeof fetch; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    sent.push({ url: new URL(request.url), method: request.method, headers: request.headers, body });
    init?.signal?.throwIfAborted();
    return answer(request);
  };
  return { fetch: send, sent };
}

/** A client of a server that has no socket. */
export async function clientOf(server: A2AServer, options: ClientOptions = {}) {
  const { fetch: send, sent } = fetchOf((request) => server.fetch(request));
  const agent = await A2AClient.connect('http://localhost', { fetch: send, ...options });
  return { agent, sent };
}

export function jsonOf(value: unknown, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** A 1.0 card with one interface, and more. */
export function cardOf(more: object = {}) {
  return {
    name: 'Echo',
    description: 'Repeats input',
    version: '1.0.0',
    supportedInterfaces: [{ url: 'https://agent.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    ...more,
  };
}

const TASK = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } };

/** Answers GetTask of 1.0 over JSON-RPC, and the well-known path with the card. */
export function agentWith(card: object, headers: Record<string, string> = {}): Answer {
  return async (request) => {
    if (new URL(request.url).pathname.startsWith('/.well-known/')) return jsonOf(card, headers);
    const body = (await request.json()) as { id: number; method: string };
    if (body.method === 'GetExtendedAgentCard')
      return jsonOf({ jsonrpc: '2.0', id: body.id, result: { ...card, name: 'Extended' } });
    return jsonOf({ jsonrpc: '2.0', id: body.id, result: body.method.endsWith('Message') ? { task: TASK } : TASK });
  };
}
