import { openStream, type Wire } from '../support/rpc.ts';
import type { Form } from './forms.ts';
import { type Frame, type Frames, type Peer, PeerError, reasonOfCode, type Sending } from './peer.ts';

export type Fetch = (request: Request) => Promise<Response>;

function framesOf(response: Response, read: (data: Wire) => Frame['event']): Frames {
  if (!response.body) throw new Error('A stream has no body');
  const stream = openStream(response, response.body, (parsed) => parsed);
  const next = async (): Promise<Frame | undefined> => {
    const frame = await stream.next();
    return frame && { id: frame.id, event: read(frame.result) };
  };
  const until = async (fits: (frame: Frame) => boolean): Promise<Frame[]> => {
    const frames: Frame[] = [];
    for (let frame = await next(); frame; frame = await next()) {
      frames.push(frame);
      if (fits(frame)) break;
    }
    return frames;
  };
  return { next, until, rest: () => until(() => false), close: () => stream.close() };
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

const keyOf = ({ key }: Sending): Record<string, string> => (key === undefined ? {} : { 'idempotency-key': key });
const at = (position: number | undefined): Record<string, string> =>
  position === undefined ? {} : { 'last-event-id': String(position) };

export interface RpcMethods {
  readonly send: string;
  readonly stream: string;
  readonly get: string;
  readonly cancel: string;
  readonly subscribe: string;
  readonly list: string | undefined;
}

/** What a client is, whatever carries it. */
export interface Carried {
  readonly name: string;
  readonly fetch: Fetch;
  /** The agent's address. */
  readonly base: string;
  readonly version: '1.0' | '0.3';
  readonly form: Form;
}

/** A2A over JSON-RPC. 0.3 clients send no version. */
export function rpcPeer({ name, fetch, base, version, form }: Carried, methods: RpcMethods): Peer {
  let id = 0;
  const post = (method: string, params: Wire, headers: Record<string, string> = {}): Promise<Response> => {
    id += 1;
    const named = version === '1.0' ? { 'a2a-version': '1.0' } : {};
    return fetch(
      new Request(base, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...named, ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      }),
    );
  };
  const resultOf = ({ result, error }: Wire): Wire => {
    if (error === undefined) return result;
    const reason = reasonOfCode(error.code);
    const info = version === '1.0' ? error.data?.find((detail: Wire) => detail.reason !== undefined) : undefined;
    if (info !== undefined && info.reason !== reason) throw new Error(`Code ${error.code} is not ${info.reason}`);
    throw new PeerError(reason, error.message);
  };
  const call = async (method: string, params: Wire, headers?: Record<string, string>): Promise<Wire> =>
    resultOf(await (await post(method, params, headers)).json());
  const open = async (method: string, params: Wire, headers?: Record<string, string>): Promise<Frames> => {
    const response = await post(method, params, headers);
    if (!isStream(response)) return resultOf(await response.json());
    return framesOf(response, (data) => form.readEvent(resultOf(data)));
  };
  const { list } = methods;
  return {
    name,
    version,
    send: async (sending) => form.readAnswer(await call(methods.send, form.encodeSend(sending), keyOf(sending))),
    stream: (sending) => open(methods.stream, form.encodeSend(sending), keyOf(sending)),
    get: async (taskId, historyLength) => form.readTask(await call(methods.get, { id: taskId, historyLength })),
    cancel: async (taskId) => form.readTask(await call(methods.cancel, { id: taskId })),
    subscribe: (taskId, position) => open(methods.subscribe, { id: taskId }, at(position)),
    list: list === undefined ? undefined : async (contextId) => pageOf(await call(list, { contextId })),
    callUnknown: () => call(`${methods.get}s`, {}),
    sendAs: (type, sending) => call(methods.send, form.encodeSend(sending), { 'content-type': type }),
  };
}

export interface RestShape {
  /** Before every route. */
  readonly prefix: string;
  /** The form of answers to requests that have no message to tell theirs. */
  readonly plainForm: Form;
  readonly reasonOf: (body: Wire) => string;
  readonly lists: boolean;
}

/** A2A over HTTP+JSON. */
export function restPeer({ name, fetch, base, version, form }: Carried, shape: RestShape): Peer {
  const request = (verb: string, route: string, body?: Wire, headers: Record<string, string> = {}) => {
    const named = version === '1.0' ? { 'a2a-version': '1.0' } : {};
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const init = { method: verb, headers: { ...named, ...type, ...headers } };
    const url = `${base}${shape.prefix}${route}`;
    return fetch(new Request(url, body === undefined ? init : { ...init, body: JSON.stringify(body) }));
  };
  const jsonOf = async (response: Response): Promise<Wire> => {
    const body: Wire = await response.json();
    if (response.status === 200) return body;
    throw new PeerError(shape.reasonOf(body), `${response.status} ${JSON.stringify(body)}`);
  };
  const call = async (...parameters: Parameters<typeof request>): Promise<Wire> => jsonOf(await request(...parameters));
  const open = async (answers: Form, ...parameters: Parameters<typeof request>): Promise<Frames> => {
    const response = await request(...parameters);
    return isStream(response) ? framesOf(response, answers.readEvent) : jsonOf(response);
  };
  const { plainForm } = shape;
  const send = (sending: Sending, route: string) => ['POST', route, form.encodeSend(sending), keyOf(sending)] as const;
  const task = (id: string) => `/tasks/${encodeURIComponent(id)}`;
  return {
    name,
    version,
    send: async (sending) => form.readAnswer(await call(...send(sending, '/message:send'))),
    stream: (sending) => open(form, ...send(sending, '/message:stream')),
    get: async (id, length) =>
      plainForm.readTask(await call('GET', `${task(id)}${length === undefined ? '' : `?historyLength=${length}`}`)),
    cancel: async (id) => plainForm.readTask(await call('POST', `${task(id)}:cancel`)),
    subscribe: (id, position) => open(plainForm, 'POST', `${task(id)}:subscribe`, undefined, at(position)),
    list: shape.lists
      ? async (contextId) => pageOf(await call('GET', `/tasks?contextId=${encodeURIComponent(contextId)}`))
      : undefined,
    callUnknown: () => call('GET', '/jobs'),
    sendAs: (type, sending) => call('POST', '/message:send', form.encodeSend(sending), { 'content-type': type }),
  };
}

function pageOf({ tasks, totalSize }: Wire): { ids: string[]; totalSize: number } {
  return { ids: tasks.map((task: Wire) => task.id), totalSize };
}
