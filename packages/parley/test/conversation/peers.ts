import type { Wire } from '../support/rpc.ts';
import { type Carried, type Fetch, type RestShape, type RpcMethods, restPeer, rpcPeer } from './carriers.ts';
import { formOf } from './forms.ts';
import { type Peer, reasonOfCode } from './peer.ts';
import { WORDS_03_PROTO, WORDS_03_TEXT, WORDS_10 } from './words.ts';

const METHODS_10: RpcMethods = {
  send: 'SendMessage',
  stream: 'SendStreamingMessage',
  get: 'GetTask',
  cancel: 'CancelTask',
  subscribe: 'SubscribeToTask',
  list: 'ListTasks',
};

const METHODS_03: RpcMethods = {
  send: 'message/send',
  stream: 'message/stream',
  get: 'tasks/get',
  cancel: 'tasks/cancel',
  subscribe: 'tasks/resubscribe',
  list: undefined,
};

const V10 = formOf(WORDS_10, { wrapped: true });
const V03 = formOf(WORDS_03_TEXT, { wrapped: false });
const V03_TEXT = formOf(WORDS_03_TEXT, { wrapped: true });
const V03_PROTO = formOf(WORDS_03_PROTO, { wrapped: true });

/** The reason of a 1.0 error; what is not of the protocol is told by its gRPC code. */
function reasonOf10({ error }: Wire): string {
  const { reason } = error.details.find((detail: Wire) => detail.reason !== undefined) ?? {};
  if (reason !== undefined) return reason;
  const isBadRequest = error.details.some((detail: Wire) => detail.fieldViolations !== undefined);
  if (error.status === 'INVALID_ARGUMENT') return isBadRequest ? 'INVALID_PARAMS' : 'PARSE_ERROR';
  return error.code === 404 && error.status === 'UNIMPLEMENTED' ? 'METHOD_NOT_FOUND' : error.status;
}

const REST_10: RestShape = { prefix: '', plainForm: V10, reasonOf: reasonOf10, lists: true };
const REST_03: RestShape = {
  prefix: '/v1',
  plainForm: V03_PROTO,
  reasonOf: ({ code }) => reasonOfCode(code),
  lists: false,
};

type Reach = Pick<Carried, 'name' | 'fetch' | 'base'>;

const MAKERS: Readonly<Record<string, (reach: Reach) => Peer>> = {
  '1.0 over JSON-RPC': (reach) => rpcPeer({ ...reach, version: '1.0', form: V10 }, METHODS_10),
  '1.0 over HTTP+JSON': (reach) => restPeer({ ...reach, version: '1.0', form: V10 }, REST_10),
  '0.3 over JSON-RPC': (reach) => rpcPeer({ ...reach, version: '0.3', form: V03 }, METHODS_03),
  '0.3 over HTTP+JSON, as its text has it': (reach) => restPeer({ ...reach, version: '0.3', form: V03_TEXT }, REST_03),
  '0.3 over HTTP+JSON, as its proto has it': (reach) =>
    restPeer({ ...reach, version: '0.3', form: V03_PROTO }, REST_03),
};

export const PEER_NAMES: readonly string[] = Object.keys(MAKERS);

/** One client for each version and binding. */
export function peersOf(fetch: Fetch, base = 'http://localhost/a2a'): readonly Peer[] {
  return Object.entries(MAKERS).map(([name, make]) => make({ name, fetch, base }));
}

/** A client that takes another version or binding for each call. */
export function rotatingPeer(peers: readonly Peer[]): Peer {
  let calls = 0;
  const next = (): Peer => {
    const peer = peers[calls % peers.length];
    if (!peer) throw new Error('There are no peers');
    calls += 1;
    return peer;
  };
  return {
    name: 'all of them in turn',
    version: '1.0',
    send: (sending) => next().send(sending),
    stream: (sending) => next().stream(sending),
    get: (id, historyLength) => next().get(id, historyLength),
    cancel: (id) => next().cancel(id),
    subscribe: (id, position) => next().subscribe(id, position),
    list: undefined,
    callUnknown: () => next().callUnknown(),
    sendAs: (type, sending) => next().sendAs(type, sending),
  };
}
