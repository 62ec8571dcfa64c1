import { detectDialect, OFFERED_DIALECTS } from '../../dialects/detect.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { A2AError, quoted } from '../../model/errors.ts';
import { JSONRPC_CODES } from '../../model/jsonrpc-codes.ts';
import {
  isStreamOperation,
  type OperationInputs,
  type OperationName,
  type StreamOperationName,
  type UnaryOperationName,
} from '../../model/operations.ts';
import { type Answer, answerHeaders, retryHeaders, versionSigns } from '../answer.ts';
import { parseBody, requireShallow } from '../body.ts';
import { type ExchangeRequest, type ExchangeResponse, header } from '../exchange.ts';
import { essence } from '../media-type.ts';
import type { BindingOptions } from '../options.ts';
import { resultText } from '../result-text.ts';
import type { CallContext, Service } from '../service.ts';
import { SSE_HEADERS, SseStream } from '../sse.ts';
import { idOf, invalidRequest, type JsonRpcId, parseEnvelope } from './envelope.ts';
import { httpStatusOf } from './errors.ts';

/** Filled in as the request is understood; what is known by then shapes an error as well. */
interface RpcAnswer extends Answer {
  id: JsonRpcId;
  operation: OperationName | undefined;
}

const JSON_TYPE = 'application/json';
const JSON_HEADERS = { 'content-type': JSON_TYPE };

/** Errors that come before any dialect is known have the shape of the newest one. */
const NEWEST = OFFERED_DIALECTS[0] as Dialect;

const UNKNOWN: Readonly<RpcAnswer> = {
  id: null,
  dialect: NEWEST,
  reason: 'not known yet',
  extensions: [],
  operation: undefined,
};

const MOST_IN_BATCH = 100;

/** Serves JSON-RPC: reads it in its dialect, performs it, and answers in the same dialect. */
export class JsonRpcBinding {
  readonly #options: BindingOptions;

  constructor(options: BindingOptions) {
    this.#options = options;
  }

  async handle(
    request: ExchangeRequest,
    query: URLSearchParams,
    service: Service,
    call: CallContext,
  ): Promise<ExchangeResponse> {
    let body: unknown;
    try {
      requireJson(request);
      body = parseBody(request.body);
    } catch (error) {
      return this.#failure(request, error, UNKNOWN);
    }
    const one = (item: unknown, isAlone: boolean) => this.#one(request, query, service, call, item, isAlone);
    return Array.isArray(body) && this.#options.batch ? this.#batch(request, body, one) : one(body, true);
  }

  /** Answers a batch with the list of its answers (a setting: batches are no part of A2A). */
  async #batch(
    request: ExchangeRequest,
    items: readonly unknown[],
    one: (item: unknown, isAlone: boolean) => Promise<ExchangeResponse>,
  ): Promise<ExchangeResponse> {
    if (items.length === 0 || items.length > MOST_IN_BATCH) {
      return this.#failure(request, invalidRequest(`a batch must have 1 to ${MOST_IN_BATCH} requests`), UNKNOWN);
    }
    const answers = await Promise.all(items.map((item) => one(item, false)));
    const headers = answerHeaders(JSON_HEADERS, UNKNOWN, request);
    // Only what does not stream is in a batch, so every body is a text.
    const texts = answers.map(({ body }) => (typeof body === 'string' ? body : 'null'));
    return { status: 200, headers, body: `[${texts.join(',')}]` };
  }

  async #one(
    request: ExchangeRequest,
    query: URLSearchParams,
    service: Service,
    call: CallContext,
    body: unknown,
    isAlone: boolean,
  ): Promise<ExchangeResponse> {
    const answer: RpcAnswer = { ...UNKNOWN, id: idOf(body) };
    try {
      const { id, method, params } = parseEnvelope(body);
      answer.id = id;
      const { headerVersion, queryVersion } = versionSigns(request, query);
      const { dialect, reason } = detectDialect({ headerVersion, queryVersion, method, params }, this.#options);
      answer.dialect = dialect;
      answer.reason = reason;
      requireShallow(body, this.#options.depth);
      const operation = operationOf(dialect, method);
      if (!isAlone && isStreamOperation(operation)) throw invalidRequest(`${method} streams: it cannot be in a batch`);
      answer.operation = operation;
      answer.extensions = service.admit(operation, call);
      const input = dialect.decode[operation](params);
      if (isStreamOperation(operation)) return await this.#stream(request, service, operation, input, call, answer);
      return await this.#unary(request, service, operation, input, call, answer);
    } catch (error) {
      return this.#failure(request, error, answer);
    }
  }

  async #unary<Name extends UnaryOperationName>(
    request: ExchangeRequest,
    service: Service,
    operation: Name,
    input: OperationInputs[OperationName],
    call: CallContext,
    answer: RpcAnswer,
  ): Promise<ExchangeResponse> {
    const asked = input as OperationInputs[Name];
    const result = await service.unary(operation, asked, call);
    const body = `${resultPrefix(answer.id)}${resultText(answer.dialect, operation, result, asked)}}`;
    return { status: 200, headers: answerHeaders(JSON_HEADERS, answer, request), body };
  }

  async #stream(
    request: ExchangeRequest,
    service: Service,
    operation: StreamOperationName,
    input: OperationInputs[OperationName],
    call: CallContext,
    answer: RpcAnswer,
  ): Promise<ExchangeResponse> {
    const { dialect } = answer;
    const encoding = { dialect, before: resultPrefix(answer.id), after: '}' };
    const result = await service.stream(operation, input as OperationInputs[StreamOperationName], call, encoding);
    const headers = answerHeaders(SSE_HEADERS, { ...answer, extensions: result.extensions }, request);
    if (result.kind === 'reply') {
      const payload = JSON.stringify(dialect.encodeEvent({ kind: 'message', message: result.message }));
      return { status: 200, headers, body: `data: ${encoding.before}${payload}${encoding.after}\n\n` };
    }
    const body = new SseStream({
      ...this.#options,
      frames: result.frames,
      failure: (error) => `data: ${this.#errorText(error, answer)}\n\n`,
    });
    return { status: 200, headers, body };
  }

  #failure(request: ExchangeRequest, thrown: unknown, answer: Readonly<RpcAnswer>): ExchangeResponse {
    const error = A2AError.from(thrown);
    const text = this.#errorText(error, answer);
    if (answer.operation && answer.dialect.errorsInStream.has(answer.operation)) {
      return { status: 200, headers: answerHeaders(SSE_HEADERS, answer, request), body: `data: ${text}\n\n` };
    }
    const headers = answerHeaders({ ...JSON_HEADERS, ...retryHeaders(error) }, answer, request);
    return { status: httpStatusOf(error.code), headers, body: text };
  }

  #errorText(thrown: unknown, { id, dialect, operation }: RpcAnswer): string {
    const error = dialect.errorOf(A2AError.from(thrown), operation);
    if (error.code === 'INTERNAL') this.#options.onInternalError(error);
    const { code, message } = error;
    const data = dialect.errorDetails(error);
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: JSONRPC_CODES[code], message, data } });
  }
}

function requireJson(request: ExchangeRequest): void {
  const type = header(request.headers, 'content-type');
  if (type === undefined || essence(type) === JSON_TYPE) return;
  throw new A2AError('CONTENT_TYPE_NOT_SUPPORTED', `The body must be ${JSON_TYPE}, not ${quoted(essence(type))}`);
}

function operationOf(dialect: Dialect, method: string): OperationName {
  const operation = dialect.methods.get(method);
  if (operation) return operation;
  const known = [...dialect.methods.keys()].join(', ');
  throw new A2AError('METHOD_NOT_FOUND', `Method not found: ${quoted(method)}. A2A ${dialect.version} has ${known}`);
}

function resultPrefix(id: JsonRpcId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}
