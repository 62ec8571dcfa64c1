import { OFFERED_DIALECTS } from '../../../dialects/detect.ts';
import type { Dialect } from '../../../dialects/dialect.ts';
import { FILES_HEADER, namedEncoding } from '../../../dialects/file-encoding.ts';
import { type Call, isStreamCall } from '../../../model/call.ts';
import { RESUME_EXTENSION } from '../../../model/card.ts';
import { A2AError, quoted } from '../../../model/errors/errors.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  StreamOperationName,
  UnaryOperationName,
} from '../../../model/operations.ts';
import type { Task } from '../../../model/task.ts';
import type { BindingCall, BindingRequest, ServedBinding, ServerBinding } from '../../binding.ts';
import { type ExchangeResponse, header, type ResponseHeaders, Truncated, Unread } from '../../exchange.ts';
import { answerHeaders, retryHeaders } from '../../http/answer.ts';
import { LiveStream } from '../../live-stream.ts';
import type { BindingOptions } from '../../options.ts';
import { readMessage } from '../codec/read.ts';
import { writeFrame, writeFrames } from '../codec/write.ts';
import { GRPC } from '../name.ts';
import { grpcTarget } from '../routing.ts';
import type { GrpcVersion, Rpc } from '../services.ts';
import { protoCardV0_3 } from './card.ts';
import { EventMessages, STATUS_FRAME, WholeResponse } from './frames.ts';
import { paramsOfV0_3 } from './params.ts';
import type { GrpcRequest } from './request.ts';
import { type GrpcStatus, statusOf } from './status.ts';

/** The library of gRPC for JavaScript, whose SDK keeps to the proto in how it encodes files. */
const NODE_CLIENT = /\bgrpc-node-js\//;

const NO_HEADERS: ResponseHeaders = {};
const NO_EXTENSIONS: readonly string[] = [];

/** The metadata by which a client says where its stream is to go on. */
const POSITION = 'a2a-last-event-id';

/** Served on a port of its own: it has no path. */
export const grpcBinding: ServerBinding<ExchangeResponse> = {
  protocolBinding: GRPC,
  path: '',
  serve: (options) => new GrpcBinding(options),
};

/** Serves calls of gRPC (reference: v1-bindings §7; 0.3: v03 §9). */
class GrpcBinding implements ServedBinding {
  readonly #options: BindingOptions;

  constructor(options: BindingOptions) {
    this.#options = options;
  }

  async handle(binding: BindingCall): Promise<ExchangeResponse> {
    const request = binding.request as GrpcRequest;
    const { rpc } = request;
    let extensions: readonly string[] = NO_EXTENSIONS;
    try {
      requireVersion(request);
      const bytes = bodyOf(request);
      if (bytes.length > binding.limits.bodyBytes) throw tooLarge(binding.limits.bodyBytes);
      const json = readMessage(rpc.request, bytes, binding.limits);
      request.releaseBody?.();
      const params = rpc.version === '0.3' ? paramsOfV0_3(rpc.operation, json) : routed(json);
      const dialect = this.#dialectFor(request, params);
      const resumeAt = header(request.headers, POSITION);
      const call: Call = binding.newCall({ operation: rpc.operation, binding: GRPC, dialect: dialect.name, resumeAt });
      extensions = binding.service.admit(call);
      const input = dialect.decode[rpc.operation](params, binding.limits);
      if (isStreamCall(call)) return await this.#stream(binding, call, input, dialect);
      return await this.#unary(binding, call as Call<UnaryOperationName>, input, dialect, extensions);
    } catch (error) {
      return this.#refusal(request, A2AError.from(error), extensions);
    }
  }

  refuse({ request }: BindingRequest, error: A2AError): ExchangeResponse {
    return this.#refusal(request as GrpcRequest, error, NO_EXTENSIONS);
  }

  /** In 0.3 the encoding of files differs between SDKs; requests show it (reference: v03 §9). */
  #dialectFor({ rpc, headers }: GrpcRequest, body: unknown): Dialect {
    const dialect = DIALECTS[rpc.version];
    if (rpc.version === '1.0') return dialect;
    const { read, write } = this.#options.fileEncoding ?? {};
    const usual = NODE_CLIENT.test(header(headers, 'user-agent') ?? '') ? 'once' : 'twice';
    const files = { read: namedEncoding(header(headers, FILES_HEADER)) ?? read, write, usual } as const;
    const hasMessage = rpc.operation === 'sendMessage' || rpc.operation === 'sendStreamingMessage';
    return dialect.rest.dialectFor({ verb: 'POST', body: hasMessage ? body : undefined, place: 'agent', files });
  }

  async #unary<Name extends UnaryOperationName>(
    { request, service }: BindingCall,
    call: Call<Name>,
    input: OperationInputs[OperationName],
    dialect: Dialect,
    extensions: readonly string[],
  ): Promise<ExchangeResponse> {
    const { rpc } = request as GrpcRequest;
    const asked = input as OperationInputs[Name];
    const { result, isReplayed } = await service.unary(call, asked);
    const frame = resultFrame(rpc, dialect, result, asked);
    const headers = answerHeaders(NO_HEADERS, { dialect, extensions, isReplayed, reason: rpc.path }, request);
    return { status: 200, headers, body: new WholeResponse(frame) };
  }

  async #stream(
    { request, service }: BindingCall,
    call: Call<StreamOperationName>,
    input: OperationInputs[OperationName],
    dialect: Dialect,
  ): Promise<ExchangeResponse> {
    const { rpc } = request as GrpcRequest;
    const result = await service.stream(call, streamInput(rpc, input));
    const { extensions, isReplayed } = result;
    const headers = answerHeaders(NO_HEADERS, { dialect, extensions, isReplayed, reason: rpc.path }, request);
    if (result.kind === 'reply') {
      const reply = dialect.encodeEvent({ kind: 'message', message: result.message });
      return { status: 200, headers, body: new WholeResponse(writeFrame(rpc.response, reply)) };
    }
    const frames = new EventMessages(result.events, {
      message: rpc.response,
      form: dialect.name,
      encodeEvent: dialect.encodeEvent,
      hasPositions: extensions.includes(RESUME_EXTENSION),
    });
    const failure = (error: unknown) => statusFrame(this.#statusOf(request as GrpcRequest, A2AError.from(error)));
    const body = new LiveStream({
      ...this.#options,
      streamTimeout: call.traffic?.streamTimeout ?? this.#options.streamTimeout,
      frames,
      failure,
      comeBackText: COME_BACK,
    });
    return { status: 200, headers, body };
  }

  /** The status is in headers, so that proxies need not know of gRPC. */
  #refusal(request: GrpcRequest, error: A2AError, extensions: readonly string[]): ExchangeResponse {
    const { code, message, details } = this.#statusOf(request, error);
    const { version, path } = request.rpc;
    const answer = { dialect: DIALECTS[version], extensions, reason: path };
    const headers: Record<string, string> = {
      ...answerHeaders(NO_HEADERS, answer, request),
      ...retryHeaders(error),
      'grpc-status': String(code),
      'grpc-message': message,
      'grpc-status-details-bin': base64(details),
    };
    return { status: HTTP_STATUSES[code] ?? 200, headers, body: undefined, error };
  }

  #statusOf(request: GrpcRequest, thrown: A2AError): GrpcStatus {
    const known = DIALECTS[request.rpc.version].errorOf(thrown, request.rpc.operation);
    const error = known.code === 'INTERNAL' ? (this.#options.onInternalError(known, request) ?? known) : known;
    return statusOf(error, this.#options.errorTable, request.rpc.version);
  }
}

/** For those who challenge and measure: gRPC itself always has 200. */
const HTTP_STATUSES: Readonly<Record<number, number>> = { 16: 401, 7: 403, 8: 429, 13: 500, 14: 503 };

const DIALECTS: Readonly<Record<GrpcVersion, Dialect>> = { '1.0': dialectOf('1.0'), '0.3': dialectOf('0.3') };

function dialectOf(version: GrpcVersion): Dialect {
  return OFFERED_DIALECTS.find((dialect) => dialect.version === version) as Dialect;
}

/** The stream was cut before its end; the task goes on. */
const COME_BACK = statusFrame(
  statusOf(
    A2AError.from(
      new A2AError('UNAVAILABLE', 'The stream was ended before the task; subscribe again', { retryAfter: 1000 }),
    ),
    '1.0.1',
  ),
);

/** Each by its own service. */
const SUPPORTED = '1.0, 0.3';

/** A service of one version is not asked in the words of another (reference: mapping §1). */
function requireVersion({ rpc, headers }: GrpcRequest): void {
  const named = header(headers, 'a2a-version')?.trim();
  if (!named || named === rpc.version) return;
  const [, version] = /^(\d+\.\d+)(?:\.\d+)?$/.exec(named) ?? [];
  if (version === rpc.version) return;
  const requested = quoted(named);
  const text = `${rpc.path} is A2A ${rpc.version}, and a2a-version says "${requested}"; supported: ${SUPPORTED}`;
  throw new A2AError('VERSION_NOT_SUPPORTED', text, { metadata: { supported: SUPPORTED, requested } });
}

function bodyOf({ body }: GrpcRequest): Uint8Array {
  if (body instanceof Unread) throw body.reason;
  if (body instanceof Truncated || !(body instanceof Uint8Array)) {
    throw new A2AError('PARSE_ERROR', 'Invalid protobuf payload: the call has no message');
  }
  return body;
}

function tooLarge(limit: number): A2AError {
  return new A2AError('PAYLOAD_TOO_LARGE', `The message is larger than the ${limit} bytes that are allowed`);
}

/** The routing string named the agent, which was found by it; what is left of it is the tenant. */
function routed(json: Record<string, unknown>): Record<string, unknown> {
  if (typeof json.tenant === 'string') json.tenant = grpcTarget(json.tenant).tenant;
  return json;
}

/** A subscription of 0.3 to a task that has ended brings the task (reference: mapping §10). */
function streamInput(rpc: Rpc, input: OperationInputs[OperationName]): OperationInputs[StreamOperationName] {
  const asked = input as OperationInputs[StreamOperationName];
  return rpc.version === '0.3' && rpc.operation === 'subscribeToTask' ? { ...asked, alsoEnded: true } : asked;
}

interface Written {
  readonly dialect: Dialect;
  readonly frame: Uint8Array;
}

/** The last message of each task that does not change any more. */
const lastWritten: WeakMap<Task, Written> = new WeakMap();

function resultFrame<Name extends UnaryOperationName>(
  rpc: Rpc,
  dialect: Dialect,
  result: OperationResults[Name],
  input: OperationInputs[Name],
): Uint8Array {
  const operation = rpc.operation as Name;
  if (rpc.version === '0.3' && operation === 'getExtendedCard') {
    return writeFrame(rpc.response, protoCardV0_3(result as OperationResults['getExtendedCard'], DIALECTS));
  }
  const json = () => dialect.encode[operation](result, input);
  if (operation !== 'getTask' || !Object.isFrozen(result)) return writeFrame(rpc.response, json());
  const task = result as Task;
  const written = lastWritten.get(task);
  if (written?.dialect === dialect) return written.frame;
  const frame = writeFrames(rpc.response, [json()]);
  lastWritten.set(task, { dialect, frame });
  return frame;
}

function statusFrame({ details }: GrpcStatus): Uint8Array {
  const frame = Buffer.allocUnsafe(details.length + 5);
  frame[0] = STATUS_FRAME;
  frame.writeUInt32BE(details.length, 1);
  frame.set(details, 5);
  return frame;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
