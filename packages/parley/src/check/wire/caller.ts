import { grpcNaming, procedureOf } from '../grpc/requests.ts';
import type { Binding, Version } from '../table/rule-info.ts';
import { skip } from '../verdict.ts';
import { grpcError, restError, rpcError, type WireError } from './errors.ts';
import { type Exchange, mediaTypeOf, type Outgoing } from './exchange.ts';
import { parseJson } from './json.ts';
import { LiveStream } from './live-stream.ts';
import { METHODS, type Naming, type Operation, routeOf } from './operations.ts';
import type { Manner, Sender } from './sender.ts';
import { type Form, formOf } from './shapes.ts';
import { GRPC_METHOD } from './transport.ts';

/** One interface of a card. */
export interface Target {
  readonly version: Version;
  readonly binding: Binding;
  /** Without a slash at its end; over gRPC the host and port behind `http://`, or `https://` for TLS. */
  readonly url: string;
  readonly tenant?: string | undefined;
}

/** A response, read as the binding has it. Where there is neither result nor error, it could not be read. */
export interface Answer {
  readonly exchange: Exchange;
  /** The body as JSON. */
  readonly json: unknown;
  readonly result: unknown;
  readonly error: WireError | undefined;
}

export interface CallOptions extends Manner, Naming {
  /** Members of the request beside those that name things. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** Headers beside the usual ones; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** The id of the JSON-RPC request. */
  readonly rpcId?: string | number | undefined;
}

/** Headers that prove who calls, for a URL. */
export type Credentials = (url: string) => Promise<Readonly<Record<string, string>>>;

/** Unanswered requests in a row after which an interface counts as dead. */
const MOST_LATE = 3;
/** A stream without its content type never ends: it gets the full time once, and then only this. */
const UNSTREAMED_MS = 300;

/** Calls one interface, operation by operation, and keeps every exchange. */
export class Caller {
  readonly target: Target;
  readonly form: Form;
  readonly exchanges: Exchange[] = [];
  readonly streams: LiveStream[] = [];
  readonly #sender: Sender;
  readonly #credentials: Credentials;
  /** The time for reading the body of a stream that is none. */
  #bodyMs: number | undefined;
  #nextId = 0;
  #late = 0;

  constructor(target: Target, sender: Sender, credentials: Credentials) {
    this.target = target;
    this.form = formOf(target.version, target.binding);
    this.#sender = sender;
    this.#credentials = credentials;
  }

  /** An operation with one response. */
  async call(operation: Operation, options: CallOptions = {}): Promise<Answer> {
    return this.read(await this.outgoing(operation, options), options);
  }

  /** An operation whose response is a stream of events, or else an answer. The caller of a rule closes what is open. */
  async open(operation: 'stream' | 'subscribe', options: CallOptions = {}): Promise<LiveStream | Answer> {
    const accept = 'application/json, text/event-stream';
    const headers = { accept, ...options.headers };
    return this.openRaw(await this.outgoing(operation, { ...options, headers }), options);
  }

  async openRaw(sent: Outgoing, manner: Manner = {}): Promise<LiveStream | Answer> {
    this.#refuseDead();
    const opened = await this.#sender.stream(sent, { ...manner, bodyMs: this.#bodyMs });
    if (!(opened instanceof LiveStream)) {
      if (opened.got?.status === 200 && opened.late) this.#bodyMs = UNSTREAMED_MS;
      return this.#answer(opened);
    }
    this.#late = 0;
    this.streams.push(opened);
    return opened;
  }

  /** A request as it is; credentials are added. */
  async raw(sent: Outgoing, manner: Manner = {}): Promise<Answer> {
    const proof = await this.#credentials(sent.url);
    return this.read({ ...sent, headers: { ...proof, ...sent.headers } }, { odd: true, ...manner });
  }

  async read(sent: Outgoing, manner: Manner = {}): Promise<Answer> {
    this.#refuseDead();
    return this.#answer(await this.#sender.exchange(sent, manner));
  }

  /** Sends a request and goes away before the response. */
  async abandon(sent: Outgoing, afterMs: number): Promise<void> {
    await this.#sender.abandon(sent, afterMs);
  }

  /** The request of an operation. */
  async outgoing(operation: Operation, options: CallOptions = {}): Promise<Outgoing> {
    const { url, binding, version } = this.target;
    const proof = await this.#credentials(url);
    const isHttp = binding !== 'grpc';
    const usual = {
      ...(isHttp && { accept: 'application/json' }),
      ...(version === '1.0' && { 'a2a-version': '1.0' }),
      ...proof,
    };
    const request = this.#request(operation, options);
    const typed = isHttp && request.body !== undefined ? { 'content-type': 'application/json' } : {};
    const headers = { ...usual, ...typed, ...options.headers };
    return { ...request, headers: Object.fromEntries(Object.entries(headers).filter(isGiven)) };
  }

  #request(operation: Operation, options: CallOptions): Omit<Outgoing, 'headers'> {
    switch (this.target.binding) {
      case 'jsonrpc':
        return this.#rpcRequest(operation, options);
      case 'rest':
        return this.#restRequest(operation, options);
      case 'grpc':
        return this.#grpcRequest(operation, options);
    }
  }

  #grpcRequest(operation: Operation, { params, taskId, configId }: CallOptions): Omit<Outgoing, 'headers'> {
    const { url, version, tenant } = this.target;
    const named = grpcNaming(operation, version, { taskId, configId }, params ?? {});
    const body = JSON.stringify({ ...(tenant !== undefined && { tenant }), ...named });
    return { method: GRPC_METHOD, url: `${url}${procedureOf(operation, version)}`, body };
  }

  #restRequest(operation: Operation, { params = {}, taskId, configId }: CallOptions): Omit<Outgoing, 'headers'> {
    const { url, version, tenant } = this.target;
    const { method, path, carries } = routeOf(operation, version, { taskId, configId });
    const base = `${url}${tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`}${path}`;
    if (carries === 'body') return { method, url: base, body: JSON.stringify(params) };
    if (carries === 'nothing') return { method, url: base };
    const query = new URLSearchParams(params as Record<string, string>).toString();
    return { method, url: query === '' ? base : `${base}?${query}` };
  }

  #rpcRequest(operation: Operation, options: CallOptions): Omit<Outgoing, 'headers'> {
    const { url, version, tenant } = this.target;
    const method = METHODS[version][operation] ?? operation;
    this.#nextId += 1;
    const id = options.rpcId ?? this.#nextId;
    const params = {
      ...(tenant !== undefined && { tenant }),
      ...rpcNaming(operation, version, options),
      ...options.params,
    };
    return { method: 'POST', url, body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) };
  }

  #answer(exchange: Exchange): Answer {
    // Odd requests, and those barely waited for, tell nothing.
    if (exchange.odd !== true) this.#late = exchange.late === true && exchange.got === undefined ? this.#late + 1 : 0;
    this.exchanges.push(exchange);
    return readAnswer(exchange, this.target.binding);
  }

  /** A server that has stopped to answer is left alone. */
  #refuseDead(): void {
    if (this.#late >= MOST_LATE) skip(`the server left ${MOST_LATE} requests in a row without a response`);
  }
}

function isGiven(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}

function rpcNaming(operation: Operation, version: Version, { taskId, configId }: Naming): Record<string, unknown> {
  if (taskId === undefined) return {};
  const isPush = operation.endsWith('Push');
  if (version === '1.0') return isPush ? { taskId, ...(configId !== undefined && { id: configId }) } : { id: taskId };
  if (operation === 'createPush') return { taskId };
  return { id: taskId, ...(configId !== undefined && { pushNotificationConfigId: configId }) };
}

/** Reads a response as its binding has it. */
export function readAnswer(exchange: Exchange, binding: Binding): Answer {
  const { got } = exchange;
  const json =
    got === undefined
      ? undefined
      : parseJson(mediaTypeOf(exchange) === 'text/event-stream' ? firstData(got.text) : got.text);
  if (got === undefined) return { exchange, json, result: undefined, error: undefined };
  if (binding === 'grpc') {
    const failed = got.grpc !== undefined && got.grpc !== 0;
    return {
      exchange,
      json,
      result: failed ? undefined : json,
      error: failed ? grpcError(json, got.grpc ?? 2, got.status) : undefined,
    };
  }
  if (binding === 'rest') {
    const isGood = got.status >= 200 && got.status < 300;
    return {
      exchange,
      json,
      result: isGood ? json : undefined,
      error: isGood ? undefined : restError(json, got.status),
    };
  }
  const error = rpcError(json, got.status) ?? (got.status >= 400 ? restError(json, got.status) : undefined);
  const result =
    error === undefined && typeof json === 'object' && json !== null
      ? (json as { result?: unknown }).result
      : undefined;
  return { exchange, json, result, error };
}

/** The data of the first event, for an error that came as a stream. */
function firstData(text: string): string {
  return /^data: ?(.*)$/m.exec(text)?.[1] ?? '';
}
