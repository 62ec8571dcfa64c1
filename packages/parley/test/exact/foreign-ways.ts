/** A request as a reader that knows nothing of us would write it. */
export interface RawRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One form of streams: how they are asked for, and how to go on with one. */
export interface Way {
  readonly name: string;
  readonly send: (text: string) => RawRequest;
  readonly subscribe: (taskId: string) => RawRequest;
}

let sent = 0;
const ids = () => {
  sent += 1;
  return { messageId: `m-${sent}` };
};

const rpc = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
const V1 = { 'a2a-version': '1.0' };

const official = (text: string) => ({ message: { ...ids(), role: 'ROLE_USER', parts: [{ text }] } });
const older = (text: string) => ({
  message: { kind: 'message', ...ids(), role: 'user', parts: [{ kind: 'text', text }] },
});
const proto = (text: string) => ({ message: { ...ids(), role: 'ROLE_USER', content: [{ text }] } });

/** 0.3 over JSON-RPC and its variants. */
const slashed = (name: string, path: string, methods = { send: 'message/stream', back: 'tasks/resubscribe' }): Way => ({
  name,
  send: (text) => ({ path, body: rpc(methods.send, older(text)) }),
  subscribe: (id) => ({ path, body: rpc(methods.back, { id }) }),
});

const restful = (name: string, base: string, message: (text: string) => unknown, headers = {}): Way => ({
  name,
  send: (text) => ({ path: `${base}/message:stream`, headers, body: message(text) }),
  subscribe: (id) => ({ path: `${base}/tasks/${id}:subscribe`, headers }),
});

/** Every form of a stream whose frames have positions. */
export const WAYS: readonly Way[] = [
  {
    name: '1.0 JSON-RPC',
    send: (text) => ({ path: '/a2a', headers: V1, body: rpc('SendStreamingMessage', official(text)) }),
    subscribe: (id) => ({ path: '/a2a', headers: V1, body: rpc('SubscribeToTask', { id }) }),
  },
  restful('1.0 HTTP+JSON', '/a2a', official, V1),
  slashed('0.3 JSON-RPC', '/a2a'),
  restful('0.3 HTTP+JSON as its text has it', '/a2a/v1', older),
  restful('0.3 HTTP+JSON as its proto has it', '/a2a/v1', proto),
  restful('0.3 at the root', '/v1', older),
  slashed('rxjs', '/api/a2a'),
  {
    ...slashed('rxjs that comes back with tasks/get', '/api/a2a'),
    subscribe: (taskId) => ({ path: '/api/a2a', body: rpc('tasks/get', { taskId }) }),
  },
  slashed('rxjs in its older spellings', '/older'),
  slashed('banterop', '/a2a/v1'),
  slashed('cogitator', '/cogitator', { send: 'message/sendStream', back: 'tasks/resubscribe' }),
  {
    name: 'the draft',
    send: (text) => ({ path: '/draft/stream', body: rpc('SendStreamingMessage', older(text)) }),
    subscribe: (taskId) => ({ path: '/draft/stream', body: rpc('Resubscribe', { taskId }) }),
  },
];
