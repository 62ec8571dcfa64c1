import { detectDialect } from '../../dialects/detect.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { A2AError } from '../../model/errors.ts';
import {
  isStreamOperation,
  type OperationInputs,
  type OperationName,
  type OperationResults,
  type StreamOperationName,
  type UnaryOperationName,
} from '../../model/operations.ts';
import { parseBody } from '../body.ts';
import { type ExchangeRequest, type ExchangeResponse, header, type ResponseHeaders } from '../exchange.ts';
import { essence } from '../media-type.ts';
import type { CallContext, Service } from '../service.ts';
import { SSE_HEADERS, SseStream } from '../sse.ts';
import { idOf, type JsonRpcId, parseEnvelope } from './envelope.ts';
import { httpStatusOf, JSONRPC_CODES } from './errors.ts';

export interface JsonRpcOptions {
  /** A PascalCase method without `A2A-Version` is taken for 1.0. */
  readonly lenient: boolean;
  readonly keepAlive: number;
  readonly streamTimeout: number;
  /** Calls back after so many milliseconds; gives a function that prevents it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
  /** Is told of failures that a peer only sees as an internal error. */
  readonly onInternalError: (error: A2AError) => void;
  /** The dialect of errors that come before any is known. */
  readonly fallback: Dialect;
}

/** How the answer to one request is written. */
interface Reply {
  readonly id: JsonRpcId;
  readonly dialect: Dialect;
  readonly extensions: readonly string[];
}

const JSON_TYPE = 'application/json';

/** Serves one JSON-RPC request: reads it in its dialect, performs it, and answers in the same dialect. */
export async function handleJsonRpc(
  request: ExchangeRequest,
  query: URLSearchParams,
  service: Service,
  call: CallContext,
  options: JsonRpcOptions,
): Promise<ExchangeResponse> {
  let reply: Reply = { id: null, dialect: options.fallback, extensions: [] };
  try {
    requireJson(request);
    const body = parseBody(request.body);
    reply = { ...reply, id: idOf(body) };
    const { id, method, params } = parseEnvelope(body);
    const { dialect, operation } = detect(request, query, method, params, options.lenient);
    reply = { id, dialect, extensions: [] };
    reply = { id, dialect, extensions: service.admit(operation, call) };
    const input = dialect.decode[operation](params);
    if (isStreamOperation(operation)) return await stream(service, operation, input, call, reply, options);
    return await unary(service, operation, input, call, reply);
  } catch (error) {
    return failure(A2AError.from(error), reply, options);
  }
}

function requireJson(request: ExchangeRequest): void {
  const type = header(request.headers, 'content-type');
  if (type === undefined || essence(type) === JSON_TYPE) return;
  throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', `The body must be ${JSON_TYPE}, not ${essence(type)}`);
}

function detect(request: ExchangeRequest, query: URLSearchParams, method: string, params: unknown, lenient: boolean) {
  const headerVersion = header(request.headers, 'a2a-version');
  // Service parameters have names without case, in the query too (reference: v1-bindings §3).
  const queryVersion = [...query].find(([name]) => name.toLowerCase() === 'a2a-version')?.[1];
  const { dialect } = detectDialect({ headerVersion, queryVersion, method, params }, { lenient });
  const operation = dialect.methods.get(method);
  if (!operation) {
    const known = [...dialect.methods.keys()].join(', ');
    throw new A2AError('METHOD_NOT_FOUND', `Method not found: ${method}. A2A ${dialect.version} has ${known}`);
  }
  return { dialect, operation };
}

async function unary<Name extends UnaryOperationName>(
  service: Service,
  operation: Name,
  input: OperationInputs[OperationName],
  call: CallContext,
  reply: Reply,
): Promise<ExchangeResponse> {
  const result: OperationResults[Name] = await service.unary(operation, input as OperationInputs[Name], call);
  const body = `${resultPrefix(reply.id)}${JSON.stringify(reply.dialect.encode[operation](result, input as OperationInputs[Name]))}}`;
  return { status: 200, headers: jsonHeaders(reply), body };
}

async function stream(
  service: Service,
  operation: StreamOperationName,
  input: OperationInputs[OperationName],
  call: CallContext,
  reply: Reply,
  options: JsonRpcOptions,
): Promise<ExchangeResponse> {
  const prefix = `data: ${resultPrefix(reply.id)}`;
  const frame = (payload: string, seq: number) => `id: ${seq}\n${prefix}${payload}}\n\n`;
  const encoding = { dialect: reply.dialect, frame };
  const result = await service.stream(operation, input as OperationInputs[StreamOperationName], call, encoding);
  const headers = withExtensions(SSE_HEADERS, result);
  if (result.kind === 'reply') {
    const payload = JSON.stringify(reply.dialect.encodeEvent({ kind: 'message', message: result.message }));
    return { status: 200, headers, body: `${prefix}${payload}}\n\n` };
  }
  const body = new SseStream({
    frames: result.frames,
    failure: (error) => `data: ${errorBody(report(A2AError.from(error), options), reply)}\n\n`,
    keepAlive: options.keepAlive,
    limit: options.streamTimeout,
    after: options.after,
  });
  return { status: 200, headers, body };
}

function failure(error: A2AError, reply: Reply, options: JsonRpcOptions): ExchangeResponse {
  report(error, options);
  const headers: Record<string, string> = { ...jsonHeaders(reply) };
  if (error.code === 'OVERLOADED' || error.code === 'UNAVAILABLE') headers['retry-after'] = '1';
  return { status: httpStatusOf(error.code), headers, body: errorBody(error, reply) };
}

function report(error: A2AError, options: JsonRpcOptions): A2AError {
  if (error.code === 'INTERNAL') options.onInternalError(error);
  return error;
}

function resultPrefix(id: JsonRpcId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

function errorBody(error: A2AError, { id, dialect }: Reply): string {
  const { code, message } = error;
  const data = dialect.errorDetails(error);
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: JSONRPC_CODES[code], message, data } });
}

function jsonHeaders(reply: Reply): ResponseHeaders {
  return withExtensions({ 'content-type': JSON_TYPE }, reply);
}

/** The answer lists exactly the extensions that were active. */
function withExtensions(headers: ResponseHeaders, { extensions }: Pick<Reply, 'extensions'>): ResponseHeaders {
  return extensions.length === 0 ? headers : { ...headers, 'a2a-extensions': extensions.join(', ') };
}
