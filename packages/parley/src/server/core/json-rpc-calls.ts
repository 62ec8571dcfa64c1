import type { ExchangeRequest, ExchangeResponse, RequestHeaders } from '../../bindings/exchange.ts';
import { piecesOf } from '../../bindings/http/stream-pieces.ts';
import { idOf } from '../../bindings/jsonrpc/envelope.ts';
import { JsonRpcException } from '../../bindings/jsonrpc/error-objects.ts';
import { createErrorResponse, type JsonRpcResponse } from '../../bindings/jsonrpc/messages.ts';
import { DONE } from '../../bindings/sse/format.ts';
import { SseParser } from '../../bindings/sse/reader.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { ANONYMOUS } from '../../model/call.ts';
import { A2AError, quoted } from '../../model/errors/errors.ts';
import { JSONRPC_CODES } from '../../model/errors/jsonrpc-codes.ts';
import type { ServerCore } from './core.ts';

/** Facts about a JSON-RPC call that does not come over HTTP. */
export interface JsonRpcCallOptions {
  /** Headers as of an HTTP request, e.g. `a2a-version` or `last-event-id`; names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The agent to call, by its name in the address. Default: the default agent. */
  readonly agent?: string | undefined;
}

type CalledCore = Pick<ServerCore, 'handle' | 'dialects'>;

/** Responds to a JSON-RPC body that a framework has read, without any HTTP around it (S3.2). */
export async function callJsonRpc(
  core: CalledCore,
  path: string,
  body: unknown,
  options: JsonRpcCallOptions = {},
): Promise<JsonRpcResponse> {
  const method = streamingMethod(body, core);
  if (method !== undefined) {
    const problem = `${quoted(method)} streams: handleJsonRpcStream answers it`;
    return createErrorResponse(idOf(body), new A2AError('UNSUPPORTED_OPERATION', problem));
  }
  const response = await core.handle(exchangeOf(path, body, options));
  return envelopeOf(response, body);
}

/**
 * The results of a JSON-RPC method that streams, as they are written to the wire. One that does not stream gives its
 * only result. An error is thrown, with the number that JSON-RPC has for it as its `code`.
 */
export async function* streamJsonRpc(
  core: CalledCore,
  path: string,
  body: unknown,
  options: JsonRpcCallOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const response = await core.handle(exchangeOf(path, body, options));
  if (typeof response.body !== 'object' && !isEventStream(response)) {
    yield resultOf(envelopeOf(response, body));
    return;
  }
  const parser = new SseParser(Number.POSITIVE_INFINITY);
  for await (const bytes of piecesOf(response.body)) {
    parser.push(bytes);
    for (const { data } of parser.frames.splice(0)) if (data !== DONE) yield eventOf(JSON.parse(data));
  }
}

function streamingMethod(body: unknown, { dialects }: CalledCore): string | undefined {
  const method = isPlainObject(body) ? body.method : undefined;
  return typeof method === 'string' && dialects.streamingMethods.has(method) ? method : undefined;
}

function exchangeOf(path: string, body: unknown, { headers }: JsonRpcCallOptions): ExchangeRequest {
  const all: RequestHeaders = { host: 'localhost', 'content-type': 'application/json', ...headers };
  // A program that holds the server need not prove who it is.
  return { method: 'POST', url: path === '' ? '/' : path, headers: all, body, peer: {}, caller: ANONYMOUS };
}

function isEventStream({ headers }: ExchangeResponse): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function textOf({ body }: ExchangeResponse): string {
  if (typeof body === 'object') body.close();
  return typeof body === 'string' ? body : 'null';
}

/** Refusals that come before any binding, such as that of an unknown agent, have no envelope yet. */
function envelopeOf(response: ExchangeResponse, body: unknown): JsonRpcResponse {
  const answer = JSON.parse(textOf(response)) as JsonRpcResponse;
  if (Array.isArray(answer) || answer?.jsonrpc === '2.0') return answer;
  const code = response.status === 404 ? JSONRPC_CODES.NOT_FOUND : JSONRPC_CODES.INTERNAL;
  return createErrorResponse(idOf(body), { code, message: answer?.error?.message ?? 'Internal error' });
}

/** Returns the result of an envelope; throws its error. */
function resultOf({ error, result }: JsonRpcResponse): unknown {
  if (error) throw new JsonRpcException(error);
  return result;
}

/** Returns the content of a frame: of an envelope its result, else the frame itself. */
function eventOf(frame: unknown): unknown {
  return isPlainObject(frame) && 'jsonrpc' in frame ? resultOf(frame as unknown as JsonRpcResponse) : frame;
}
