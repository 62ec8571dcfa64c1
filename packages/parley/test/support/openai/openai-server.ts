import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Completion } from './completion.ts';
import type { Move } from './moves.ts';

export { CUT, callTool, callTools, END_EARLY, type Move, think, tokensOf } from './moves.ts';

/** A response that is no completion: an error with its status, or bytes of another type. */
export interface Refusal {
  readonly status: number;
  /** Becomes `{"error": {"message", "type", "code"}}`, as OpenAI writes it. */
  readonly error?: { readonly message: string; readonly type?: string; readonly code?: string };
  /** Takes the place of the error. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a request gets: moves that are streamed one by one, or a refusal. A generator may wait between its moves. */
export type Reply = Refusal | Iterable<Move> | AsyncIterable<Move>;

/** The server's half of a conversation: one reply for each request in turn, or a function that makes them. */
export type ModelScript = readonly Reply[] | ((request: ModelRequest) => Reply | Promise<Reply>);

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: unknown;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** A request as it came. */
export interface ModelRequest {
  /** 1 for the first request of this server. */
  readonly number: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly ChatMessage[];
    readonly stream?: boolean;
    readonly stream_options?: { readonly include_usage?: boolean };
    readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: unknown } }[];
    readonly [member: string]: unknown;
  };
  /** Aborted when the client leaves before the response has ended. */
  readonly left: AbortSignal;
  /** Settles with how the response has ended. */
  readonly ended: Promise<'whole' | 'cut' | 'left'>;
}

export interface OpenAIServerOptions {
  /** Requests with another key get 401. Left out, every key is taken. */
  readonly apiKey?: string;
  /** How many requests are answered; those after it get a 400 that says so. */
  readonly requests?: number;
}

export interface OpenAIServer {
  /** What clients take as `baseURL`. */
  readonly url: string;
  /** All chat requests so far, also refused ones. */
  readonly requests: readonly ModelRequest[];
  /** Resolves when the server has got that many requests. */
  whenRequests(count: number): Promise<ModelRequest>;
  close(): Promise<void>;
}

const MOST_REQUESTS = 10_000;
const MOST_BODY_BYTES = 4_000_000;
const COMPLETIONS = '/v1/chat/completions';

/** A server on 127.0.0.1 that speaks OpenAI's chat completions, streamed or whole, with answers that a script gives. */
export async function openaiServer(script: ModelScript, options: OpenAIServerOptions = {}): Promise<OpenAIServer> {
  const requests: ModelRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: (request: ModelRequest) => void }[] = [];
  const { apiKey, requests: most = MOST_REQUESTS } = options;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url?.split('?')[0];
    if (incoming.method !== 'POST' || path !== COMPLETIONS) return refuse(response, notFound(incoming));
    if (apiKey !== undefined && incoming.headers.authorization !== `Bearer ${apiKey}`) {
      return refuse(response, {
        status: 401,
        error: { message: 'Incorrect API key provided', code: 'invalid_api_key' },
      });
    }
    const body = await bodyOf(incoming);
    if (!('messages' in body)) return refuse(response, body);
    const left = new AbortController();
    const ended = Promise.withResolvers<'whole' | 'cut' | 'left'>();
    const request = {
      number: requests.length + 1,
      headers: incoming.headers,
      body,
      left: left.signal,
      ended: ended.promise,
    };
    response.once('close', () => {
      const how = response.writableFinished ? 'whole' : response.errored ? 'cut' : 'left';
      if (how === 'left') left.abort(new Error('The client has left'));
      ended.resolve(how);
    });
    requests.push(request);
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve(request);
    const reply = requests.length > most ? exhausted(most) : await replyOf(script, request);
    if ('status' in reply) return refuse(response, reply);
    return body.stream === true ? stream(request, reply, response) : respondWhole(request, reply, response);
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    whenRequests: (count) => {
      const last = requests[count - 1];
      return last ? Promise.resolve(last) : new Promise((resolve) => waiting.push({ count, resolve }));
    },
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function replyOf(script: ModelScript, request: ModelRequest): Promise<Reply> {
  if (typeof script === 'function') return script(request);
  return script[request.number - 1] ?? exhausted(script.length);
}

/** Writes move after move, at the pace of the reader, until the script ends or the client has left. */
async function stream(request: ModelRequest, reply: Exclude<Reply, Refusal>, response: ServerResponse): Promise<void> {
  const completion = completionOf(request);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': `req-${request.number}` });
  response.flushHeaders();
  for await (const move of reply) {
    if (request.left.aborted) return;
    if (typeof move === 'object' && 'cut' in move) return void response.destroy(new Error('Cut by the script'));
    if (typeof move === 'object' && 'end' in move) return void response.end();
    const text = completion.frameOf(move);
    if (text !== '' && !response.write(text)) await drained(response, request.left);
  }
  response.end(completion.tail(request.body.stream_options?.include_usage === true));
}

async function respondWhole(
  request: ModelRequest,
  reply: Exclude<Reply, Refusal>,
  response: ServerResponse,
): Promise<void> {
  const completion = completionOf(request);
  for await (const move of reply) {
    if (request.left.aborted) return;
    if (typeof move === 'object' && ('cut' in move || 'end' in move))
      return void response.destroy(new Error('Cut by the script'));
    completion.frameOf(move);
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion.whole()));
}

function completionOf({ number, body: { model, messages } }: ModelRequest): Completion {
  return new Completion(number, model, messages.length);
}

function drained(response: ServerResponse, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    left.addEventListener('abort', () => resolve(), { once: true });
  });
}

function refuse(response: ServerResponse, { status, error, body, headers }: Refusal): void {
  const { message = `Status ${status}`, type = 'error', code = null } = error ?? {};
  const text = body ?? JSON.stringify({ error: { message, type, param: null, code } });
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

function notFound({ method, url }: IncomingMessage): Refusal {
  return { status: 404, error: { message: `Unknown request URL: ${method} ${url}`, type: 'invalid_request_error' } };
}

/** No status that clients retry: whoever gets it has asked more often than the test allows. */
function exhausted(count: number): Refusal {
  return { status: 400, error: { message: `The script has ${count} replies, and this request wants one more` } };
}

async function bodyOf(incoming: IncomingMessage): Promise<ModelRequest['body'] | Refusal> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of incoming) {
    size += (piece as Buffer).length;
    if (size > MOST_BODY_BYTES)
      return { status: 413, error: { message: `The body has more than ${MOST_BODY_BYTES} bytes` } };
    pieces.push(piece as Buffer);
  }
  try {
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    if (typeof body?.model === 'string' && Array.isArray(body.messages)) return body;
    return { status: 400, error: { message: 'The body needs "model" and "messages"', type: 'invalid_request_error' } };
  } catch {
    return { status: 400, error: { message: 'The body is not JSON', type: 'invalid_request_error' } };
  }
}
