import type { ClientInterceptor } from 'parley-a2a/client';
import type { SentRequest, SnippetCall, SnippetTarget } from '../../../../parley/src/snippets/recorded-call.ts';
import { maskedText } from '../../../../parley/src/snippets/secrets.ts';
import type { WireEnd } from './exchange.ts';
import { FrameSplitter } from './frame-splitter.ts';
import type { WireLog } from './wire-log.ts';

/** Tells `fetch` which call a request is for. It is taken off before anything is sent. */
const CALL_HEADER = 'x-parley-console-call';
/** Calls whose request never came, such as those that an interceptor answered, are forgotten beyond this. */
const MOST_CALLS = 200;

type SentAs = (response: Response) => Omit<SentRequest, 'body'> | undefined;

interface Purpose {
  readonly target?: SnippetTarget | undefined;
  readonly call?: SnippetCall | undefined;
  readonly sentAs?: SentAs | undefined;
}

/** Hidden texts that are remembered. */
const MOST_HIDDEN = 50;

/** What a client is given so that its traffic is recorded. */
export interface RecordedClient {
  readonly fetch: typeof fetch;
  readonly interceptors: readonly ClientInterceptor[];
}

/** Records the traffic of this page in a log. */
export class Recorder {
  readonly log: WireLog;
  readonly #fetch: typeof fetch;
  readonly #now: () => number;
  #nextId = 1;
  /** Texts that are recorded as `***`. */
  #hidden: readonly string[] = [];

  constructor(log: WireLog, inner: typeof fetch = (input, init) => fetch(input, init), now: () => number = Date.now) {
    this.log = log;
    this.#fetch = inner;
    this.#now = now;
  }

  /** From now on this text is never recorded, wherever it stands: a person typed it into a hidden field. */
  hide(secret: string): void {
    this.#hidden = [...this.#hidden.filter((one) => one !== secret), secret].slice(-MOST_HIDDEN);
  }

  /** For requests of the console itself. */
  readonly fetch: typeof fetch = (input, init) => this.#send(input, init, this.#fetch);

  /**
   * For a client of an agent.
   *
   * @param inner carries the requests, such as a relay: they are recorded as the client sends them
   * @param sentAs the request as a relay sent it on
   */
  forClient(target: SnippetTarget, inner: typeof fetch = this.#fetch, sentAs?: SentAs): RecordedClient {
    const calls = new Map<string, SnippetCall>();
    let count = 0;
    const interceptor: ClientInterceptor = (call, next) => {
      count += 1;
      const name = String(count);
      calls.set(name, { operation: call.operation, input: call.input });
      if (calls.size > MOST_CALLS) calls.delete(calls.keys().next().value ?? '');
      return next({ ...call, headers: { ...call.headers, [CALL_HEADER]: name } });
    };
    const send: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      const name = headers.get(CALL_HEADER) ?? '';
      headers.delete(CALL_HEADER);
      return this.#send(input, { ...init, headers }, inner, { target, call: calls.get(name), sentAs });
    };
    return { fetch: send, interceptors: [interceptor] };
  }

  async #send(
    input: string | URL | Request,
    init: RequestInit | undefined,
    inner: typeof fetch,
    { target, call, sentAs }: Purpose = {},
  ): Promise<Response> {
    const id = this.#nextId;
    this.#nextId += 1;
    this.log.begin({
      id,
      time: this.#now(),
      request: this.#cleared(requestOf(input, init)),
      target,
      call: this.#cleared(call),
    });
    let response: Response;
    try {
      response = await inner(input, init);
    } catch (error) {
      this.#end(id, isAbort(init?.signal) ? 'left' : 'failed', error);
      throw error;
    }
    const sent = sentAs?.(response);
    if (sent) this.log.correct(id, sent);
    const { status } = response;
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    this.log.respond(id, { status, headers: [...response.headers], time: this.#now() }, isStream);
    if (!response.body) {
      this.#end(id, 'closed');
      return response;
    }
    const body = this.#recorded(response.body, id, isStream, init?.signal);
    const { statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }

  /** The same bytes, chunk by chunk when they are asked for; a copy of their text goes to the log. */
  #recorded(
    source: ReadableStream<Uint8Array>,
    id: number,
    isStream: boolean,
    signal: AbortSignal | null | undefined,
  ): ReadableStream<Uint8Array> {
    const reader: ReadableStreamDefaultReader<Uint8Array> = source.getReader();
    const decoder = new TextDecoder();
    const splitter = new FrameSplitter();
    const addFrame = (frame: string) => this.log.addFrame(id, this.#masked(frame), this.#now());
    const take = (text: string) =>
      isStream ? splitter.push(text, addFrame) : this.log.addBody(id, this.#masked(text));
    const finish = (kind: WireEnd['kind'], error?: unknown) => {
      take(decoder.decode());
      if (splitter.pending > 0) addFrame(splitter.flush());
      this.#end(id, kind, error);
    };
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read();
            if (done) {
              finish('closed');
              controller.close();
              return;
            }
            controller.enqueue(value);
            this.log.receive(id, value.length);
            take(decoder.decode(value, { stream: true }));
          } catch (error) {
            finish(isAbort(signal) ? 'left' : 'failed', error);
            controller.error(error);
          }
        },
        cancel: (reason) => {
          finish('left');
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  #masked(text: string): string {
    return this.#hidden.length === 0 ? text : maskedText(text, { values: this.#hidden });
  }

  /** A value of JSON without what is hidden; the same one where nothing is. */
  #cleared<Value extends SentRequest | SnippetCall | undefined>(value: Value): Value {
    if (this.#hidden.length === 0 || value === undefined) return value;
    const hide = (_: string, member: unknown) => (typeof member === 'string' ? this.#clearedText(member) : member);
    return JSON.parse(JSON.stringify(value, hide)) as Value;
  }

  /** A short secret is hidden where it is all of a text. */
  #clearedText(text: string): string {
    return this.#hidden.includes(text) ? '***' : this.#masked(text);
  }

  #end(id: number, kind: WireEnd['kind'], error?: unknown): void {
    this.log.end(id, { kind, time: this.#now(), error: error === undefined ? undefined : words(error) });
  }
}

function requestOf(input: string | URL | Request, init: RequestInit = {}): SentRequest {
  const isRequest = input instanceof Request;
  const method = (init.method ?? (isRequest ? input.method : 'GET')).toUpperCase();
  const headers = [...new Headers(init.headers ?? (isRequest ? input.headers : undefined))];
  const body =
    typeof init.body === 'string' ? init.body : init.body instanceof URLSearchParams ? `${init.body}` : undefined;
  return { method, url: isRequest ? input.url : String(input), headers, body };
}

function isAbort(signal: AbortSignal | null | undefined): boolean {
  return signal?.aborted === true;
}

function words(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
