import type { CallingDialect, CallingRest, RestCallRequest } from '../../dialects/calling.ts';
import { FILES_HEADER, FileHabits } from '../../dialects/file-encoding.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError, type A2AErrorCode, isA2AError } from '../../model/errors/errors.ts';
import { type ErrorSubject, operationCodeOf } from '../../model/errors/http-status-codes.ts';
import type {
  OperationInputs,
  OperationName,
  StreamOperationName,
  UnaryOperationName,
} from '../../model/operations.ts';
import type { BindingCaller, BindingCallerOptions, BindingCallOptions, ReceivedEvent } from '../caller.ts';
import {
  describeType,
  isEventStream,
  isOk,
  notA2A,
  parseJson,
  readText,
  refusal,
  send,
  withResponse,
} from '../http/response.ts';
import { SseReader } from '../sse/reader.ts';
import { eventsOf, receivedStream } from '../sse/received-stream.ts';

/** Calls over HTTP+JSON (reference: v1-bindings §5; v03 §8). */
export function restCaller(options: BindingCallerOptions): BindingCaller {
  const { dialect, limits } = options;
  const files = options.files ?? new FileHabits();
  const spoken = restOf(dialect);
  const { withHabits } = spoken;
  const rest = withHabits?.(files) ?? spoken;

  const exchange = async (request: RestCallRequest, call: BindingCallOptions, accept: string): Promise<Response> => {
    const { verb: method, body } = request;
    const headers: Record<string, string> = { accept, 'a2a-version': dialect.version };
    if (body !== undefined) Object.assign(headers, { 'content-type': rest.mediaType }, withHabits && files.headers);
    const response = await send(options, addressOf(options.url, request), { method, headers, body }, call);
    files.notice(response.headers.get(FILES_HEADER));
    return response;
  };

  /** The body of an answer; throws the error that it is. `subject`: where the status alone may tell which. */
  const bodyOf = async (
    response: Response,
    operation: OperationName,
    call: BindingCallOptions,
    subject?: ErrorSubject,
  ): Promise<unknown> => {
    const text = await readText(response, limits.bodyBytes, call.signal);
    const body = parseJson(text);
    if (isOk(response)) {
      if (body !== undefined) return body;
      if (text.trim() === '' && BODY_OPTIONAL.has(operation)) return undefined;
      throw notA2A(response, text, describeType(response, text));
    }
    const error = rest.decodeError(body, operation);
    if (error) throw withResponse(error, response, subject && operationCodeOf(response.status, subject));
    if (body === undefined && text.trim() !== '') throw notA2A(response, text, describeType(response, text));
    throw refusal(response, body, text, subject);
  };

  /** The answer to a request in the form that the server reads. */
  const answerTo = async (
    request: RestCallRequest,
    operation: OperationName,
    call: BindingCallOptions,
    subject: ErrorSubject,
  ): Promise<unknown> => {
    const { otherBody, ...own } = request;
    try {
      return await bodyOf(await exchange(own, call, rest.accept), operation, call, subject);
    } catch (error) {
      if (otherBody === undefined || !isA2AError(error) || !NOT_UNDERSTOOD.has(error.code)) throw error;
      const other = await exchange({ ...own, body: otherBody }, call, rest.accept);
      return bodyOf(other, operation, call, subject).catch(() => {
        throw error;
      });
    }
  };

  const openStream = async (
    request: RestCallRequest,
    operation: OperationName,
    call: BindingCallOptions,
  ): Promise<Response> => {
    const accept = `text/event-stream, ${rest.accept}`;
    const response = await exchange(request, call, accept);
    const { otherVerb } = request;
    if (otherVerb === undefined || !UNKNOWN_HERE.has(response.status)) return response;
    const refused = await bodyOf(response, operation, call).catch((error: unknown) => error);
    // A task that is not there is not there for another verb either.
    if (!isA2AError(refused) || refused.code === 'TASK_NOT_FOUND') throw refused;
    return exchange({ ...request, verb: otherVerb, body: undefined }, call, accept);
  };

  return {
    async unary<Name extends UnaryOperationName>(
      operation: Name,
      input: OperationInputs[Name],
      call: BindingCallOptions,
    ) {
      const request = rest.encodeRequest[operation](input);
      const body = await answerTo(request, operation, call, subjectOf(operation, input));
      return rest.decodeResult[operation](body, input);
    },

    async stream<Name extends StreamOperationName>(
      operation: Name,
      input: OperationInputs[Name],
      call: BindingCallOptions,
    ) {
      const response = await openStream(rest.encodeRequest[operation](input), operation, call);
      const received = (id: string | undefined, event: unknown): ReceivedEvent => {
        if (isPlainObject(event) && event.error !== undefined) throw errorEvent(event, operation, response);
        const bare = unwrapped(event);
        return { id, event: rest.decodeEvent(bare), final: dialect.isFinal(bare) };
      };
      if (response.status === NO_CONTENT) return eventsOf();
      if (!isEventStream(response) || !isOk(response)) {
        const answer = await bodyOf(response, operation, call, subjectOf(operation, input));
        return eventsOf(received(undefined, answer));
      }
      if (response.body === null) return eventsOf();
      const { body } = response;
      const frames = new SseReader({ body, eventBytes: limits.eventBytes, signal: call.signal });
      return receivedStream(frames, (frame) => {
        const payload = parseJson(frame.data);
        if (payload === undefined && !frame.complete) return undefined;
        if (frame.event === 'error') throw errorEvent(payload ?? frame.data, operation, response);
        if (payload === undefined) throw notA2A(response, frame.data, 'an event of the stream is not valid JSON');
        return [received(frame.id, payload)];
      });
    },
  };

  /** The status of the answer says nothing of an error that came in its stream. */
  function errorEvent(body: unknown, operation: OperationName, response: Response): A2AError {
    const error = rest.decodeError(body, operation);
    if (error) return error;
    return notA2A(response, typeof body === 'string' ? body : JSON.stringify(body), 'an error event is not of A2A');
  }
}

/** Servers that share their streams between the bindings leave the envelope of JSON-RPC around the events. */
function restOf({ rest, version }: CallingDialect): CallingRest {
  if ('encodeRequest' in rest) return rest;
  throw new A2AError('UNSUPPORTED_OPERATION', `A2A ${version} is not spoken over HTTP+JSON here`);
}

function unwrapped(event: unknown): unknown {
  return isPlainObject(event) && event.jsonrpc !== undefined && event.result !== undefined ? event.result : event;
}

/** All but lists, cards and messages that begin something are about a task. */
function subjectOf<Name extends OperationName>(operation: Name, input: OperationInputs[Name]): ErrorSubject {
  const namesTask = 'message' in input ? input.message.taskId !== undefined : 'id' in input || 'taskId' in input;
  return { operation, namesTask: namesTask || 'config' in input };
}

const NOT_UNDERSTOOD: ReadonlySet<A2AErrorCode> = new Set<A2AErrorCode>([
  'INVALID_PARAMS',
  'INVALID_REQUEST',
  'PARSE_ERROR',
]);
const NO_CONTENT = 204;
const UNKNOWN_HERE: ReadonlySet<number> = new Set([404, 405]);
/** Servers in use answer these with 204 (reference: v1-bindings §5.1). */
const BODY_OPTIONAL: ReadonlySet<OperationName> = new Set(['deletePushConfig']);

/** The routes below the interface's address, whose own query stays. */
function addressOf(base: string, { path, query }: RestCallRequest): string {
  const [address = '', ownQuery] = base.split('#')[0]?.split('?') ?? [];
  const parameters = new URLSearchParams(ownQuery);
  for (const [name, value] of Object.entries(query)) parameters.set(name, value);
  const search = parameters.size > 0 ? `?${parameters.toString()}` : '';
  return `${address.replace(/(?<!\/)\/+$/, '')}${path}${search}`;
}
