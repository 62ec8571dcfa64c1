import { isPlainObject } from '../../model/basics/json.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { type ErrorSubject, operationCodeOf } from '../../model/errors/http-status-codes.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  StreamOperationName,
  UnaryOperationName,
} from '../../model/operations.ts';
import { isStreamOperation } from '../../model/operations.ts';
import type { StreamEvent } from '../../model/task.ts';
import type { BindingCaller, BindingCallerOptions, BindingCallOptions, ReceivedEvent } from '../caller.ts';
import { eventsOf } from '../sse/events-of.ts';
import { SseReader } from '../sse/reader.ts';
import {
  describeType,
  isEventStream,
  notA2A,
  type Outgoing,
  parseJson,
  readText,
  refusal,
  send,
  withResponse,
} from './response.ts';

/** One call as a binding carries it over HTTP. */
interface HttpCall {
  /** The request, and others for servers that do not know its address, or not for its verb. */
  readonly requests: readonly Outgoing[];
  /** The media types of responses that are not streams. */
  readonly accept: string;
  /** The request that a refusal by HTTP alone is about; undefined if such a refusal is not the binding's. */
  readonly subject?: ErrorSubject | undefined;
  /** Recognises a body of the binding's own, whatever the status of the response. */
  readonly isOwn?: ((body: unknown) => boolean) | undefined;
  /** Takes the result out of a body or an event; throws the error that it is. */
  readonly resultOf: (payload: unknown, response: Response) => unknown;
  readonly decodeResult: (result: unknown, input: never) => unknown;
  readonly decodeEvents: (result: unknown) => readonly StreamEvent[];
}

/** Writes a call; throws where the version has no such operation. */
type WriteCall = <Name extends OperationName>(operation: Name, input: OperationInputs[Name]) => HttpCall;

/** Makes the calls of a binding that writes them so. */
export function httpCaller(options: BindingCallerOptions, write: WriteCall): BindingCaller {
  const { dialect, limits } = options;

  const readBody = async (
    response: Response,
    operation: OperationName,
    { subject, isOwn, resultOf }: HttpCall,
    { signal }: BindingCallOptions,
  ): Promise<unknown> => {
    const text = await readText(response, limits.bodyBytes, signal);
    const body = parseJson(text);
    const isEmpty = text.trim() === '';
    if (response.ok ? body !== undefined : isOwn?.(body)) return resultOf(body, response);
    // Servers in use answer it with 204 (reference: v1-bindings §5.1).
    if (response.ok && isEmpty && subject && operation === 'deletePushConfig') return undefined;
    const error = response.ok ? undefined : dialect.rest.decodeError(body, operation);
    if (error) throw withResponse(error, response, subject && operationCodeOf(response.status, subject));
    if (subject && !response.ok && (isEmpty || body !== undefined)) throw refusal(response, body, text, subject);
    throw notA2A(response, text, body === undefined ? describeType(response, text) : 'it is not valid JSON-RPC');
  };

  /** Sends the requests of a call until one has an address and a verb that the server knows. */
  const exchange = async (operation: OperationName, http: HttpCall, call: BindingCallOptions): Promise<Response> => {
    const [request, ...others] = http.requests as readonly [Outgoing];
    const accept = isStreamOperation(operation) ? `text/event-stream, ${http.accept}` : http.accept;
    const response = await send(options, request, accept, call);
    if (others.length === 0 || (response.status !== 404 && response.status !== 405)) return response;
    // The status alone does not tell that the task is missing.
    const subject = http.subject && { operation, namesTask: false };
    const refused = await readBody(response, operation, { ...http, subject }, call).catch((error: unknown) => error);
    // A task that is not there is not there for another verb either.
    if (!isA2AError(refused) || refused.code === 'TASK_NOT_FOUND') throw refused;
    return exchange(operation, { ...http, requests: others }, call);
  };

  return {
    async unary<Name extends UnaryOperationName>(
      operation: Name,
      input: OperationInputs[Name],
      call: BindingCallOptions,
    ) {
      const http = write(operation, input);
      const result = await readBody(await exchange(operation, http, call), operation, http, call);
      return http.decodeResult(result, input as never) as OperationResults[Name];
    },

    async stream<Name extends StreamOperationName>(
      operation: Name,
      input: OperationInputs[Name],
      call: BindingCallOptions,
    ) {
      const http = write(operation, input);
      const response = await exchange(operation, http, call);
      const received = (result: unknown, facts: Omit<ReceivedEvent, 'event' | 'final'>): readonly ReceivedEvent[] => {
        const events = http.decodeEvents(result);
        const final = dialect.isFinal(result);
        return events.map((event, index) => ({ ...facts, event, final: final && index === events.length - 1 }));
      };
      const { body, status } = response;
      if (status === NO_CONTENT) return eventsOf();
      if (!isEventStream(response) || !response.ok) {
        return eventsOf(...received(await readBody(response, operation, http, call), { id: undefined }));
      }
      if (body === null) return eventsOf();
      const { signal } = call;
      return new SseReader({ body, eventBytes: limits.eventBytes, signal }, ({ data, event, id, complete }, end) => {
        const payload = parseJson(data);
        if (payload === undefined && !complete) {
          end();
          return [];
        }
        if (payload === undefined) throw notA2A(response, data, 'an event is not valid JSON');
        // The status of the response says nothing of an error that came in its stream.
        if (event === 'error' && !(isPlainObject(payload) && 'jsonrpc' in payload))
          throw dialect.rest.decodeError(payload, operation) ?? notA2A(response, data, 'an error event is not A2A');
        const size = data.length;
        const events = received(http.resultOf(payload, response), complete ? { id, size } : { id, size, isCut: true });
        if (events.at(-1)?.final) end();
        return events;
      });
    },
  };
}

const NO_CONTENT = 204;
