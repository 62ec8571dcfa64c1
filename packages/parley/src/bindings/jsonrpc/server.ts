import { detectDialect, dialectOfHeaders } from '../../dialects/detect.ts';
import type { Dialect, ErrorCircumstances } from '../../dialects/dialect.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { isoTime } from '../../model/basics/timestamps.ts';
import { type Call, isStreamCall } from '../../model/call.ts';
import { A2AError, invalidParams, quoted } from '../../model/errors/errors.ts';
import {
  isStreamOperation,
  type OperationInputs,
  type OperationName,
  type SendInput,
  type StreamOperationName,
  type UnaryOperationName,
} from '../../model/operations.ts';
import type { BindingCall, BindingRequest, ServedBinding } from '../binding.ts';
import { type ExchangeRequest, type ExchangeResponse, header as headerOf } from '../exchange.ts';
import { type Answer, answerHeaders, retryHeaders, versionSigns } from '../http/answer.ts';
import { parseBody, requireSound } from '../http/body/body.ts';
import { requireNoPage } from '../http/body/page-bodies.ts';
import { isErrorInStream } from '../http/early-errors.ts';
import { essence } from '../http/media-type.ts';
import { resultText } from '../http/result-text.ts';
import { traceOf } from '../http/trace.ts';
import type { BindingOptions } from '../options.ts';
import type { UnaryResult } from '../service.ts';
import type { SseEncoding } from '../sse/encoding.ts';
import { DONE, SSE_HEADERS } from '../sse/format.ts';
import { openSse } from '../sse/open.ts';
import { hasId, idOf, invalidRequest, type JsonRpcId, parseEnvelope } from './envelope.ts';
import { httpStatusOf, NEWEST, rpcErrorOf } from './errors.ts';
import { JSON_RPC } from './name.ts';

/** Filled in as the request is understood; what is known by then shapes an error as well. */
interface RpcAnswer extends Answer {
  id: JsonRpcId;
  method: string | undefined;
  operation: OperationName | undefined;
}

const JSON_TYPE = 'application/json';
const JSON_HEADERS = { 'content-type': JSON_TYPE };

const UNKNOWN: Readonly<RpcAnswer> = {
  id: null,
  dialect: NEWEST,
  reason: 'not known yet',
  extensions: [],
  method: undefined,
  operation: undefined,
};

const MOST_IN_BATCH = 100;

/** Serves JSON-RPC: reads it in its dialect, performs it, and answers in the same dialect. */
export class JsonRpcBinding implements ServedBinding {
  readonly #options: BindingOptions;

  constructor(options: BindingOptions) {
    this.#options = options;
  }

  handle(rpc: BindingCall): ExchangeResponse | Promise<ExchangeResponse> {
    const { request, limits } = rpc;
    let body: unknown;
    try {
      requireJson(request);
      body = parseBody(request.body, limits.values);
    } catch (error) {
      return this.#failure(request, error, this.#unread(rpc));
    }
    if (request.isBodyLarge) request.releaseBody?.(isPlainObject(body) ? { ...body, params: undefined } : undefined);
    if (Array.isArray(body) && this.#options.batch) return this.#batch(rpc, body);
    return this.#one(rpc, body, true);
  }

  /** A body of another type is refused by its header alone. */
  wantsBody({ request }: BindingRequest): boolean {
    try {
      requireJson(request);
      return true;
    } catch {
      return false;
    }
  }

  /** Refuses a request in its own dialect; no agent sees it. */
  refuse({ request, query, pinned, limits }: BindingRequest, error: A2AError): ExchangeResponse {
    const answer: RpcAnswer = { ...this.#unread({ request, query, pinned }) };
    try {
      const body = parseBody(request.body, limits.values);
      answer.id = idOf(body, limits.idLength);
      const { id, method, params } = parseEnvelope(body, limits.idLength);
      answer.id = id;
      Object.assign(answer, this.#detect({ request, query, pinned }, method, params));
      // If it is no error of HTTP either, a client that asked for a stream looks for it there.
      if (httpStatusOf(A2AError.from(error), answer.dialect, undefined) === 200) {
        answer.operation = operationOf(answer.dialect, method, params);
      }
    } catch {
      // An unreadable request is refused anyway.
    }
    return this.#failure(request, error, answer);
  }

  /** Returns the facts of a request before its body is read: its address, and headers that only one dialect has. */
  #unread({ request, query, pinned }: Pick<BindingRequest, 'request' | 'query' | 'pinned'>): Readonly<RpcAnswer> {
    const header = (name: string) => headerOf(request.headers, name);
    const dialect = pinned ?? dialectOfHeaders({ ...versionSigns(request, query), header }, this.#options.dialects);
    return dialect ? { ...UNKNOWN, dialect, reason: pinned ? 'by its address' : 'by its headers' } : UNKNOWN;
  }

  #detect(
    { request, query, pinned }: Pick<BindingRequest, 'request' | 'query' | 'pinned'>,
    method: string,
    params: unknown,
  ) {
    const header = (name: string) => headerOf(request.headers, name);
    const signs = { ...versionSigns(request, query), method, params, header };
    const { lenient, dialects } = this.#options;
    return detectDialect(signs, { lenient, dialects, pinned });
  }

  /** Answers a batch with the list of its answers (a setting: batches are no part of A2A). */
  async #batch(rpc: BindingCall, items: readonly unknown[]): Promise<ExchangeResponse> {
    const { request } = rpc;
    const unknown = this.#unread(rpc);
    if (items.length === 0 || items.length > MOST_IN_BATCH) {
      return this.#failure(request, invalidRequest(`a batch must have 1 to ${MOST_IN_BATCH} requests`), unknown);
    }
    const answers = await Promise.all(items.map((item) => this.#one(rpc, item, false)));
    const headers = answerHeaders(JSON_HEADERS, unknown, request);
    // Only what does not stream is in a batch, so every body is a text.
    const texts = answers.map(({ body }) => (typeof body === 'string' ? body : 'null'));
    return { status: 200, headers, body: `[${texts.join(',')}]` };
  }

  async #one(rpc: BindingCall, body: unknown, isAlone: boolean): Promise<ExchangeResponse> {
    const { request, service } = rpc;
    const answer: RpcAnswer = { ...UNKNOWN, id: idOf(body, rpc.limits.idLength) };
    try {
      const { id, method, params } = parseEnvelope(body, rpc.limits.idLength);
      answer.id = id;
      const { dialect, reason } = this.#detect(rpc, method, params);
      answer.method = method;
      answer.dialect = dialect;
      answer.reason = reason;
      if (dialect.quirks?.requiresId && !hasId(body)) throw invalidRequest('"id" is missing');
      requireSound(body, rpc.limits.depth);
      const operation = operationOf(dialect, method, params);
      if (!isAlone && isStreamOperation(operation)) throw invalidRequest(`${method} streams: it cannot be in a batch`);
      answer.operation = operation;
      const call: Call = rpc.newCall({ operation, binding: JSON_RPC, dialect: dialect.name });
      if (!isAlone && call.idempotencyKey !== undefined && operation === 'sendMessage') throw keyOfBatch();
      answer.extensions = service.admit(call);
      const input = withSettings(dialect, operation, dialect.decode[operation](params, rpc.limits), request);
      if (isStreamCall(call)) return await this.#stream(rpc, call, input, answer);
      const done = await service.unary(call as Call<UnaryOperationName>, input as OperationInputs[UnaryOperationName]);
      return this.#respond(request, done, input, answer as RpcAnswer & { readonly operation: UnaryOperationName });
    } catch (error) {
      if (answer.method === undefined) {
        const { dialect, reason } = this.#unread(rpc);
        Object.assign(answer, { dialect, reason });
      }
      return this.#failure(request, error, answer, isAlone);
    }
  }

  #respond<Name extends UnaryOperationName>(
    request: ExchangeRequest,
    { result, isReplayed }: UnaryResult<Name>,
    input: OperationInputs[OperationName],
    answer: RpcAnswer & { readonly operation: Name },
  ): ExchangeResponse {
    answer.isReplayed = isReplayed;
    const text = resultText(answer.dialect, answer.operation, result, input as OperationInputs[Name]);
    const body = `${resultPrefix(answer.id)}${text}}`;
    return { status: 200, headers: answerHeaders(JSON_HEADERS, answer, request), body };
  }

  async #stream(
    { request, service }: BindingCall,
    call: Call<StreamOperationName>,
    input: OperationInputs[OperationName],
    answer: RpcAnswer,
  ): Promise<ExchangeResponse> {
    const { dialect } = answer;
    const isBare = dialect.quirks?.bareEvents === true;
    const encoding: SseEncoding = {
      dialect,
      before: isBare ? '' : resultPrefix(answer.id),
      after: isBare ? '' : '}',
      error: (error) => {
        const told = dialect.quirks?.streamError?.(error, this.#circumstances(request, answer)) ?? error;
        return JSON.stringify({ jsonrpc: '2.0', id: answer.id, error: told });
      },
    };
    const asked = input as OperationInputs[StreamOperationName];
    const { result, body } = await openSse({
      ...this.#options,
      streamTimeout: call.traffic?.streamTimeout ?? this.#options.streamTimeout,
      input: asked,
      encoding,
      open: (form) => service.stream(call, asked, form),
      failure: (error) => errorFrame(dialect, this.#errorText(request, error, answer)),
      last: isBare ? `data: ${DONE}\n\n` : undefined,
    });
    answer.isReplayed = result.isReplayed;
    const headers = answerHeaders(SSE_HEADERS, { ...answer, extensions: result.extensions }, request);
    return { status: 200, headers, body };
  }

  /** `isAlone`: it is not one of a batch, which never streams. */
  #failure(request: ExchangeRequest, thrown: unknown, answer: Readonly<RpcAnswer>, isAlone = true): ExchangeResponse {
    const error = A2AError.from(thrown);
    const text = this.#errorText(request, error, answer);
    const { dialect, operation } = answer;
    const status = httpStatusOf(error, dialect, operation);
    if (isAlone && status === 200 && isErrorInStream(dialect, operation, request)) {
      const headers = answerHeaders({ ...SSE_HEADERS, ...retryHeaders(error) }, answer, request);
      return { status, headers, body: errorFrame(dialect, text), error };
    }
    const headers = answerHeaders({ ...JSON_HEADERS, ...retryHeaders(error) }, answer, request);
    return { status, headers, body: text, error };
  }

  #errorText(request: ExchangeRequest, thrown: unknown, answer: RpcAnswer): string {
    const { id, dialect, reason, operation } = answer;
    const known = dialect.errorOf(A2AError.from(thrown), operation);
    const error = known.code === 'INTERNAL' ? (this.#options.onInternalError(known, request) ?? known) : known;
    const about = this.#circumstances(request, answer);
    const told = rpcErrorOf(error, reason === UNKNOWN.reason ? undefined : dialect, about);
    return JSON.stringify({ jsonrpc: '2.0', id, error: told });
  }

  #circumstances(request: ExchangeRequest, { id, method, operation }: RpcAnswer): ErrorCircumstances {
    const { now, agents = [] } = this.#options;
    return {
      method: method && quoted(method),
      operation,
      requestId: id,
      time: isoTime(now()),
      traceId: traceOf(request.headers)?.id,
      agents,
    };
  }
}

function errorFrame({ quirks }: Dialect, text: string): string {
  return `${quirks?.errorEvent ? `event: ${quirks.errorEvent}\n` : ''}data: ${text}\n\n`;
}

/** One header cannot be the key of several sends. */
function keyOfBatch(): A2AError {
  const description = 'is for one send and cannot go with a batch; send the message alone, or without a key';
  return invalidParams({ field: 'Idempotency-Key', description });
}

function requireJson(request: ExchangeRequest): void {
  const type = headerOf(request.headers, 'content-type');
  if (type === undefined) requireNoPage(request, JSON_TYPE);
  if (type === undefined || essence(type) === JSON_TYPE) return;
  throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', `The body must be ${JSON_TYPE}, not ${quoted(essence(type))}`);
}

function operationOf(dialect: Dialect, method: string, params: unknown): OperationName {
  const operation = dialect.quirks?.operationOf?.(method, params) ?? dialect.methods.get(method);
  if (operation) return operation;
  const known = [...dialect.methods.keys()].join(', ');
  throw new A2AError('METHOD_NOT_FOUND', `Method not found: ${quoted(method)}. A2A ${dialect.version} has ${known}`);
}

/** The settings in the headers of a send hold where its parameters have none. */
function withSettings(
  dialect: Dialect,
  operation: OperationName,
  input: OperationInputs[OperationName],
  request: ExchangeRequest,
): OperationInputs[OperationName] {
  const { requireVersion, sendSettings } = dialect.quirks ?? {};
  if (!sendSettings || (operation !== 'sendMessage' && operation !== 'sendStreamingMessage')) return input;
  const header = (name: string) => headerOf(request.headers, name);
  requireVersion?.(header);
  const { timeout, priority, maxTurns, trace } = sendSettings(header);
  const send = input as SendInput;
  return {
    ...send,
    timeout: send.timeout ?? timeout,
    priority: send.priority ?? priority,
    maxTurns: send.maxTurns ?? maxTurns,
    trace: send.trace ?? trace,
  };
}

function resultPrefix(id: JsonRpcId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}
