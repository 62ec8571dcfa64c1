import { A2AError, type A2AErrorCode, isA2AError, type StreamEvent } from 'parley-a2a';
import { type Dialect, v1_0 } from 'parley-a2a/dialects';
import {
  type BindingCall,
  type BindingCaller,
  type BindingCallerOptions,
  type BindingCallOptions,
  type BindingOptions,
  type Call,
  type ClientBinding,
  EventTexts,
  type ExchangeResponse,
  isStreamCall,
  LiveStream,
  type OperationInputs,
  type OperationName,
  type ReceivedEvent,
  readJson,
  refusalStatusOf,
  type ServerBinding,
  type StreamOperationName,
  type UnaryOperationName,
} from 'parley-a2a/ports';

/**
 * A binding of our own, both halves in one file: a request is one JSON object that is posted to `/lines` below an agent's
 * address, and every line of the response is a JSON object with a result, an event or an error.
 */
export const LINES = 'https://parley.example/bindings/lines/v1';

const DIALECT = v1_0.serving as Dialect;
const HEADERS = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' };

export const lines: ServerBinding = {
  protocolBinding: LINES,
  path: '/lines',
  methods: ['POST'],
  versions: ['1.0'],
  serve: (options) => ({
    handle: (asked) => handleLine(asked, options).catch((error) => refusal(error, options)),
    refuse: (_, error) => refusal(error, options),
  }),
};

async function handleLine(asked: BindingCall, options: BindingOptions): Promise<ExchangeResponse> {
  const { operation, params } = (readJson(asked.request, asked.limits) ?? {}) as {
    operation: unknown;
    params: unknown;
  };
  if (!isOperation(operation)) throw new A2AError('METHOD_NOT_FOUND', 'There is no such operation');
  const call: Call = asked.newCall({ operation, binding: LINES, dialect: DIALECT.name });
  asked.service.admit(call);
  const input: unknown = DIALECT.decode[operation](params, asked.limits);
  const body = isStreamCall(call)
    ? await streamBody(asked, call, input as OperationInputs[StreamOperationName], options)
    : await resultLine(asked, call as Call<UnaryOperationName>, input as OperationInputs[UnaryOperationName]);
  return { status: 200, headers: HEADERS, body };
}

function isOperation(name: unknown): name is OperationName {
  return typeof name === 'string' && Object.hasOwn(DIALECT.decode, name);
}

async function resultLine<Name extends UnaryOperationName>(
  { service }: BindingCall,
  call: Call<Name>,
  input: OperationInputs[Name],
): Promise<string> {
  const { result } = await service.unary(call, input);
  return line({ result: DIALECT.encode[call.operation](result, input) });
}

async function streamBody(
  { service }: BindingCall,
  call: Call<StreamOperationName>,
  input: OperationInputs[StreamOperationName],
  options: BindingOptions,
): Promise<ExchangeResponse['body']> {
  const write = (event: StreamEvent, position?: number) => line({ position, event: DIALECT.encodeEvent(event) });
  const result = await service.stream(call, input);
  if (result.kind === 'reply') return write({ kind: 'message', message: result.message });
  const frames = new EventTexts(result.events, { form: `${LINES} ${DIALECT.name}`, write });
  return new LiveStream({ ...options, frames, idleText: '\n', failure: (error) => errorLine(error, options) });
}

function refusal(error: unknown, options: BindingOptions): ExchangeResponse {
  const body = errorLine(error, options);
  return { status: refusalStatusOf(A2AError.from(error)) ?? 200, headers: HEADERS, body };
}

function errorLine(thrown: unknown, { onInternalError }: BindingOptions): string {
  const error = A2AError.from(thrown);
  if (error.code === 'INTERNAL') onInternalError(error);
  return line({ error: { code: error.code, message: error.message } });
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

export const callLines: ClientBinding = { protocolBinding: LINES, open: (options) => new LineCaller(options) };

interface ReceivedLine {
  readonly result?: unknown;
  readonly event?: unknown;
  readonly position?: number;
  readonly error?: { readonly code: A2AErrorCode; readonly message: string };
}

class LineCaller implements BindingCaller {
  readonly #options: BindingCallerOptions;

  constructor(options: BindingCallerOptions) {
    this.#options = options;
  }

  async unary<Name extends UnaryOperationName>(
    operation: Name,
    input: OperationInputs[Name],
    call: BindingCallOptions,
  ) {
    for await (const { result } of await this.#post(operation, input, call)) {
      return this.#options.dialect.decodeResult[operation](result, input);
    }
    throw new A2AError('UNREACHABLE', 'The response has no line');
  }

  async stream<Name extends StreamOperationName>(
    operation: Name,
    input: OperationInputs[Name],
    call: BindingCallOptions,
  ): Promise<AsyncIterableIterator<ReceivedEvent>> {
    const received = await this.#post(operation, input, call);
    const first = await received.next();
    return this.#events(first, received);
  }

  /** The first line tells whether there is a stream at all. */
  async *#events(
    first: IteratorResult<ReceivedLine>,
    received: AsyncIterator<ReceivedLine>,
  ): AsyncGenerator<ReceivedEvent> {
    for (let step = first; !step.done; step = await received.next()) {
      const { position, event } = step.value;
      const id = position === undefined ? undefined : String(position);
      yield { id, event: this.#options.dialect.decodeEvent(event), final: false };
    }
  }

  async #post<Name extends OperationName>(
    operation: Name,
    input: OperationInputs[Name],
    { headers, signal }: BindingCallOptions,
  ): Promise<AsyncGenerator<ReceivedLine>> {
    const { url, dialect, fetch } = this.#options;
    const body = JSON.stringify({ operation, params: dialect.encodeRequest[operation](input) });
    try {
      const response = await fetch(url, { method: 'POST', headers: { ...headers }, body, signal: signal ?? null });
      return linesOf(response, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new A2AError('UNREACHABLE', 'There is no connection', { cause });
    }
  }
}

async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<ReceivedLine> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const bytes of response.body ?? []) {
      const [last = '', ...whole] = (rest + decoder.decode(bytes, { stream: true })).split('\n').reverse();
      rest = last;
      for (const text of whole.reverse()) {
        if (text === '') continue;
        const received = JSON.parse(text) as ReceivedLine;
        if (received.error) throw new A2AError(received.error.code, received.error.message);
        yield received;
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (isA2AError(error)) throw error;
    throw new A2AError('UNREACHABLE', 'The connection was lost', { cause: error });
  }
}
