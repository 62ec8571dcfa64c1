import { detectRestDialect, dialectOfPrefix, OFFERED_DIALECTS } from '../../dialects/detect.ts';
import type { Dialect, RestStatus } from '../../dialects/dialect.ts';
import { FILES_HEADER, namedEncoding } from '../../dialects/file-encoding.ts';
import { type Call, isStreamCall } from '../../model/call.ts';
import { A2AError, isKeyConflict, quoted } from '../../model/errors/errors.ts';
import type {
  OperationInputs,
  OperationName,
  StreamOperationName,
  UnaryOperationName,
} from '../../model/operations.ts';
import type { BindingCall, BindingRequest, ServedBinding } from '../binding.ts';
import { type ExchangeRequest, type ExchangeResponse, header, type ResponseHeaders } from '../exchange.ts';
import { type Answer, answerHeaders, retryHeaders, versionSigns } from '../http/answer.ts';
import { requireSound } from '../http/body/body.ts';
import { isErrorInStream, refusalStatusOf } from '../http/early-errors.ts';
import { restStatusFor } from '../http/http-refusals.ts';
import { resultText } from '../http/result-text.ts';
import type { BindingOptions } from '../options.ts';
import { SSE_HEADERS } from '../sse/format.ts';
import { openSse } from '../sse/open.ts';
import { KEY_CONFLICT, restStatusOf } from './errors.ts';
import { answerType, requireMediaType } from './media-types.ts';
import { HTTP_JSON } from './name.ts';
import { readRestBody, restParameters } from './parameters.ts';
import { matchRoute, type RestMatch } from './routes.ts';

/** Filled in as the request is understood; what is known by then shapes an error as well. */
interface RestAnswer extends Answer {
  readonly place: BindingRequest['place'];
  operation: OperationName | undefined;
}

/** Keeps a response out of caches: it is for this caller, whom a cache does not tell by an API key or a certificate. */
const PRIVATE: ResponseHeaders = { 'cache-control': 'private, no-store' };
const NO_HEADERS: ResponseHeaders = {};

/** An `EventSource`, which only GETs, opens every stream again that ends; an error will be the same the next moment. */
const LATER = 'retry: 3600000\n';

const NEWEST = OFFERED_DIALECTS[0] as Dialect;

const UNKNOWN = { dialect: NEWEST, reason: 'not known yet', extensions: [], operation: undefined };

/** Serves one HTTP+JSON request (reference: v1-bindings §5; 0.3: v03 §8). */
export class RestBinding implements ServedBinding {
  readonly #options: BindingOptions;

  constructor(options: BindingOptions) {
    this.#options = options;
  }

  /** Tells whether a path is that of an operation, in any version. */
  isOperation(path: string): boolean {
    return OFFERED_DIALECTS.some(({ rest }) => matchRoute('GET', path, rest.paths) !== undefined);
  }

  async handle(rest: BindingCall): Promise<ExchangeResponse> {
    const { request, query, path, place, service } = rest;
    const answer: RestAnswer = { ...UNKNOWN, place };
    try {
      const { dialect, reason } = this.#detect(rest);
      answer.dialect = dialect;
      answer.reason = reason;
      const { operation, params } = routed(request.method, path, dialect);
      requireMediaType(request, dialect.rest.mediaTypes);
      answer.operation = operation;
      const body = readRestBody(request, operation, rest.limits.values);
      if (request.isBodyLarge) request.releaseBody?.();
      requireSound(body, rest.limits.depth);
      const form = this.#formOf(dialect, request, body, place);
      answer.dialect = form;
      const resumeAt = operation === 'subscribeToTask' ? queriedPosition(rest) : undefined;
      const call: Call = rest.newCall({ operation, binding: HTTP_JSON, dialect: form.name, resumeAt });
      answer.extensions = service.admit(call);
      const input = form.decode[operation](restParameters(request.method, body, query, params), rest.limits);
      if (isStreamCall(call)) return await this.#stream(rest, call, input, answer);
      return await this.#unary(rest, call as Call<UnaryOperationName>, input, answer);
    } catch (error) {
      return this.#failure(rest, A2AError.from(error), known(answer, rest));
    }
  }

  /** Only operations that are posted have a body. */
  wantsBody(rest: BindingRequest): boolean {
    try {
      const { method } = rest.request;
      routed(method, rest.path, this.#detect(rest).dialect);
      return method === 'POST';
    } catch {
      return false;
    }
  }

  /** Refuses a request, in its own dialect, whatever it asks for. */
  refuse(rest: BindingRequest, error: A2AError): ExchangeResponse {
    const { request, path, place } = rest;
    const answer: RestAnswer = { ...UNKNOWN, place };
    try {
      const { dialect, reason } = this.#detect(rest);
      answer.dialect = dialect;
      answer.reason = reason;
      const { operation } = routed(request.method, path, dialect);
      answer.operation = operation;
      const body = readRestBody(request, operation, rest.limits.values);
      answer.dialect = this.#formOf(dialect, request, body, place);
    } catch {
      // An unreadable request is refused anyway.
    }
    return this.#refusal(request, error, known(answer, rest));
  }

  /**
   * The form of a request. Peers of our own say how they write files; for others it counts whether they are of JavaScript,
   * whose `fetch` alone sends this header.
   */
  #formOf(dialect: Dialect, request: ExchangeRequest, body: unknown, place: BindingRequest['place']): Dialect {
    const { read, write } = this.#options.fileEncoding ?? {};
    const said = namedEncoding(header(request.headers, FILES_HEADER));
    const usual = header(request.headers, 'sec-fetch-mode') === undefined ? 'twice' : 'once';
    const files = { read: said ?? read, write, usual } as const;
    return dialect.rest.dialectFor({ verb: request.method, body, place, files });
  }

  #detect({ request, query, path, pinned }: Pick<BindingRequest, 'request' | 'query' | 'path' | 'pinned'>): {
    readonly dialect: Dialect;
    readonly reason: string;
  } {
    const signs = { ...versionSigns(request, query), prefix: path.split('/')[1] };
    return detectRestDialect(signs, { lenient: this.#options.lenient, pinned });
  }

  async #unary<Name extends UnaryOperationName>(
    { request, service }: BindingCall,
    call: Call<Name>,
    input: OperationInputs[OperationName],
    answer: RestAnswer,
  ): Promise<ExchangeResponse> {
    const asked = input as OperationInputs[Name];
    const { result, isReplayed } = await service.unary(call, asked);
    answer.isReplayed = isReplayed;
    const body = resultText(answer.dialect, call.operation, result, asked);
    return { status: 200, headers: jsonHeaders(isReading(request) ? PRIVATE : NO_HEADERS, answer, request), body };
  }

  async #stream(
    { request, service }: BindingCall,
    call: Call<StreamOperationName>,
    input: OperationInputs[OperationName],
    answer: RestAnswer,
  ): Promise<ExchangeResponse> {
    const asked = input as OperationInputs[StreamOperationName];
    const { result, body } = await openSse({
      ...this.#options,
      streamTimeout: call.traffic?.streamTimeout ?? this.#options.streamTimeout,
      input: asked,
      encoding: { dialect: answer.dialect, before: '', after: '' },
      open: (form) => service.stream(call, asked, form),
      failure: (error) => this.#errorFrame(request, A2AError.from(error), answer),
    });
    answer.isReplayed = result.isReplayed;
    const headers = answerHeaders(SSE_HEADERS, { ...answer, extensions: result.extensions }, request);
    return { status: 200, headers, body };
  }

  #failure({ request }: BindingCall, error: A2AError, answer: RestAnswer): ExchangeResponse {
    // A client that has everything already is told so without an error; an EventSource then stops.
    if (isReading(request) && error.metadata.position === 'end') {
      return { status: 204, headers: answerHeaders(PRIVATE, answer, request), body: undefined };
    }
    if (this.#isEvent(request, error, answer)) {
      const headers = answerHeaders(SSE_HEADERS, answer, request);
      return {
        status: 200,
        headers,
        body: `${isReading(request) ? LATER : ''}${this.#errorFrame(request, error, answer)}`,
      };
    }
    return this.#refusal(request, error, answer);
  }

  #refusal(request: ExchangeRequest, error: A2AError, answer: RestAnswer): ExchangeResponse {
    const base: Record<string, string> = { ...(isReading(request) && PRIVATE), ...retryHeaders(error) };
    if (error.code === 'METHOD_NOT_ALLOWED' && error.metadata.allow) base.allow = error.metadata.allow;
    return {
      status: this.#statusOf(error).http,
      headers: jsonHeaders(base, answer, request),
      body: this.#errorText(request, error, answer),
      error,
    };
  }

  /**
   * Tells whether an error before the first event is an event of its stream. Refusals by HTTP keep their status, and so do all
   * errors of 0.3, whose clients go by it (reference: v03 §8).
   */
  #isEvent(request: ExchangeRequest, error: A2AError, { dialect, operation }: RestAnswer): boolean {
    if (dialect.errorsInStream !== 'accepted' || operation === undefined) return false;
    if (refusalStatusOf(error) !== undefined) return false;
    return isErrorInStream(dialect, operation, request);
  }

  /** Without the `event:` line two of the big client SDKs do not see the error (reference: v1-bindings §5.5). */
  #errorFrame(request: ExchangeRequest, error: A2AError, answer: RestAnswer): string {
    return `event: error\ndata: ${this.#errorText(request, error, answer)}\n\n`;
  }

  #errorText(request: ExchangeRequest, thrown: A2AError, { dialect, place, operation }: RestAnswer): string {
    const known = dialect.errorOf(thrown, operation);
    const error = known.code === 'INTERNAL' ? (this.#options.onInternalError(known, request) ?? known) : known;
    return JSON.stringify(dialect.rest.errorBody(error, this.#statusOf(error), place));
  }

  #statusOf(error: A2AError): RestStatus {
    if (isKeyConflict(error)) return KEY_CONFLICT;
    return restStatusFor(error, restStatusOf(error.code, this.#options.errorTable));
  }
}

/** A request whose dialect is not found, such as one of a version that is not served, is answered in that of its address. */
function known(answer: RestAnswer, { path, pinned }: BindingRequest): RestAnswer {
  if (answer.reason !== UNKNOWN.reason) return answer;
  return { ...answer, dialect: pinned ?? dialectOfPrefix(path.split('/')[1]) ?? NEWEST };
}

/**
 * An `EventSource` cannot set headers when it first connects, so the query may say where to begin. When it connects
 * again it sends the header to the same address: the header wins.
 */
function queriedPosition({ request, query }: BindingCall): string | undefined {
  return isReading(request) ? query.getAll('after').join(', ') || undefined : undefined;
}

function isReading({ method }: ExchangeRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function routed(verb: string, path: string, dialect: Dialect): RestMatch {
  const route = matchRoute(verb, path, dialect.rest.paths);
  if (!route) throw new A2AError('METHOD_NOT_FOUND', `A2A ${dialect.version} has no route ${quoted(path)}`);
  if ('operation' in route) return route;
  const { allow } = route;
  throw new A2AError('METHOD_NOT_ALLOWED', `${quoted(verb)} is not allowed here; use ${allow}`, {
    metadata: { allow },
  });
}

function jsonHeaders(base: ResponseHeaders, answer: Answer, request: ExchangeRequest): ResponseHeaders {
  const type = answerType(request, answer.dialect.rest.mediaTypes);
  return answerHeaders({ ...base, 'content-type': type }, answer, request);
}
