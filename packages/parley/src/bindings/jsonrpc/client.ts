import { isPlainObject } from '../../model/basics/json.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type {
  OperationInputs,
  OperationName,
  StreamOperationName,
  UnaryOperationName,
} from '../../model/operations.ts';
import type { BindingCaller, BindingCallerOptions, BindingCallOptions, ReceivedEvent } from '../caller.ts';
import {
  describeType,
  discard,
  isEventStream,
  isOk,
  notA2A,
  parseJson,
  readText,
  send,
  withResponse,
} from '../http/response.ts';
import { SseReader } from '../sse/reader.ts';
import { eventsOf, receivedStream } from '../sse/received-stream.ts';

/** Calls over JSON-RPC (reference: v1-bindings §4; v03 §4). */
export function jsonRpcCaller(options: BindingCallerOptions): BindingCaller {
  const { dialect, limits } = options;
  let lastId = 0;
  let streamUrl = addressBelow(options.url, dialect.streamSegment);

  const request = async <Name extends OperationName>(
    operation: Name,
    input: OperationInputs[Name],
    call: BindingCallOptions,
    accept: string,
    url = options.url,
  ): Promise<Exchange> => {
    const method = dialect.methodOf[operation];
    const params = dialect.encodeRequest[operation](input);
    if (method === undefined) throw unsupported(operation, dialect.version);
    lastId += 1;
    const body = { jsonrpc: '2.0', id: lastId, method, params };
    const own = dialect.headers ?? { 'a2a-version': dialect.version };
    const headers = { 'content-type': JSON_TYPE, accept, ...own };
    return {
      id: lastId,
      operation,
      response: await send(options, url, { method: 'POST', headers, body }, call),
    };
  };

  const requestStream = async <Name extends StreamOperationName>(
    operation: Name,
    input: OperationInputs[Name],
    call: BindingCallOptions,
  ): Promise<Exchange> => {
    const exchange = await request(operation, input, call, `${STREAM_TYPE}, ${JSON_TYPE}`, streamUrl);
    const isNotThere = exchange.response.status === 404 || exchange.response.status === 405;
    if (!isNotThere || streamUrl === options.url) return exchange;
    discard(exchange.response);
    streamUrl = options.url;
    return requestStream(operation, input, call);
  };

  /** Returns the result of an envelope; throws its error. */
  const resultOf = (envelope: unknown, exchange: Exchange): unknown => {
    const { id, operation, response } = exchange;
    if (!isPlainObject(envelope)) throw invalidEnvelope(response, 'it is not a JSON object');
    if (envelope.error !== undefined && envelope.error !== null) {
      // A server that could not read the request does not know its id.
      if (envelope.id !== null && envelope.id !== undefined) checkId(envelope.id, id, response);
      throw withResponse(dialect.decodeError(envelope.error, operation), response);
    }
    const isMissing = !('result' in envelope) && !RESULT_OPTIONAL.has(operation);
    if (isMissing) throw invalidEnvelope(response, 'it has neither a result nor an error');
    checkId(envelope.id, id, response);
    return envelope.result;
  };

  const readResult = async (exchange: Exchange, signal: AbortSignal | undefined): Promise<unknown> => {
    const { response, operation } = exchange;
    const text = await readText(response, limits.bodyBytes, signal);
    const body = parseJson(text);
    if (body === undefined) throw notA2A(response, text, describeType(response, text));
    if (isOk(response) || isEnvelope(body)) return resultOf(body, exchange);
    const error = dialect.rest.decodeError(body, operation);
    throw error ? withResponse(error, response) : notA2A(response, text, 'the body is not a JSON-RPC answer');
  };

  return {
    async unary<Name extends UnaryOperationName>(
      operation: Name,
      input: OperationInputs[Name],
      call: BindingCallOptions,
    ) {
      const exchange = await request(operation, input, call, JSON_TYPE);
      const result = await readResult(exchange, call.signal);
      return dialect.decodeResult[operation](result, input);
    },

    async stream<Name extends StreamOperationName>(
      operation: Name,
      input: OperationInputs[Name],
      call: BindingCallOptions,
    ) {
      const exchange = await requestStream(operation, input, call);
      const { response } = exchange;
      const decode = dialect.streamDecoder?.() ?? ((event: unknown) => [dialect.decodeEvent(event)]);
      const received = (id: string | undefined, result: unknown): readonly ReceivedEvent[] => {
        const events = decode(result);
        const final = dialect.isFinal(result);
        return events.map((event, index) => ({ id, event, final: final && index === events.length - 1 }));
      };
      if (!isEventStream(response) || !isOk(response)) {
        return eventsOf(...received(undefined, await readResult(exchange, call.signal)));
      }
      if (response.body === null) return eventsOf();
      const { body } = response;
      const frames = new SseReader({ body, eventBytes: limits.eventBytes, signal: call.signal });
      return receivedStream(frames, (frame) => {
        const envelope = parseJson(frame.data);
        if (envelope === undefined && !frame.complete) return undefined;
        if (envelope === undefined) throw notA2A(response, frame.data, 'an event of the stream is not valid JSON');
        if (frame.event === 'error' && !isEnvelope(envelope)) throw errorEvent(envelope, exchange);
        const isBare = dialect.bareEvents && isPlainObject(envelope) && !('jsonrpc' in envelope);
        return received(frame.id, isBare ? envelope : resultOf(envelope, exchange));
      });
    },
  };

  function errorEvent(body: unknown, { operation, response }: Exchange): A2AError {
    const error = dialect.rest.decodeError(body, operation);
    return error ?? invalidEnvelope(response, 'an error event does not hold an error');
  }
}

interface Exchange {
  readonly id: number;
  readonly operation: OperationName;
  readonly response: Response;
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** The result is null, and the servers of the Python and Go SDKs leave it out. */
const RESULT_OPTIONAL: ReadonlySet<OperationName> = new Set(['deletePushConfig']);

/** The address itself where there is no such segment, or where it is the last one already. */
function addressBelow(url: string, segment: string | undefined): string {
  const address = segment === undefined ? null : URL.parse(url);
  if (!address) return url;
  const path = address.pathname.replace(/(?<!\/)\/+$/, '');
  if (path.endsWith(`/${segment}`)) return url;
  address.pathname = `${path}/${segment}`;
  return address.href;
}

function isEnvelope(body: unknown): boolean {
  return isPlainObject(body) && 'jsonrpc' in body && ('error' in body || 'result' in body);
}

/** Some servers make a text of the number; there is one request in every exchange, so that is clear enough. */
function checkId(received: unknown, sent: number, response: Response): void {
  if (received === sent || received === String(sent)) return;
  // An object may be too deep to be shown.
  const shown = typeof received === 'object' ? received && 'an object' : (JSON.stringify(received) ?? 'missing');
  throw invalidEnvelope(response, `its id is ${shown} instead of ${sent}`);
}

function invalidEnvelope({ status }: Response, problem: string): A2AError {
  const message = `The server's answer is not a valid JSON-RPC response: ${problem}`;
  return new A2AError('INVALID_RESPONSE', message, { httpStatus: status });
}

function unsupported(operation: OperationName, version: string): A2AError {
  return new A2AError('UNSUPPORTED_OPERATION', `A2A ${version} has no operation ${operation}`);
}
