import { gzipSync } from 'node:zlib';
import { sendParams } from '../support/rpc.ts';
import { head, type Response, type Target } from './target.ts';

/** One line of the table: what is sent, and how much memory it may cost while it lasts. */
export interface Attack {
  readonly name: string;
  /** Megabytes. */
  readonly memory: number;
  /**
   * Makes what is sent, before anything is measured, and returns the attack itself, which gives the responses, if there
   * are any. `size`: 1 for the full form, less for a short one.
   */
  readonly prepare: (target: Target, size: number) => Promise<() => Promise<readonly Response[]>>;
}

const MEGABYTE = 1024 * 1024;
const LONG = (size: number, bytes: number, character = 'x') => character.repeat(Math.ceil(bytes * size));
const times = <Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: Math.max(1, Math.round(count)) }, (_, index) => make(index)));

/** The body of a JSON-RPC request. */
const rpc = (method: string, params: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** The same request, so many times at once. */
const posted = (name: string, memory: number, count: number, path: string, body: (size: number) => string): Attack => ({
  name,
  memory,
  prepare: async (target, size) => {
    const text = body(size);
    return () => times(count, () => target.ask({ path, body: text }));
  },
});

/** Connections that send this and then nothing, and take what comes or not. */
const left = async (target: Target, count: number, sent: string | Uint8Array, reads: boolean) => {
  // A server that does not read on lets nobody write on.
  const patience = new Promise((resolve) => setTimeout(resolve, 1_000));
  await times(count, () => Promise.race([target.open(sent, { reads }), patience]));
  return [];
};

const unfinished = (path: string, memory: number): Attack => ({
  name: `60 bodies of 15.9 MB to ${path}, never finished`,
  memory,
  prepare: async (target, size) => {
    const body = Buffer.alloc(15.9 * MEGABYTE * size, 'x');
    const sent = Buffer.concat([Buffer.from(head('POST', path, body.length + 1)), body]);
    return () => left(target, 60, sent, true);
  },
});

/** Where messages of each dialect are sent. */
const SENDING = [
  { path: '/a2a', method: 'SendMessage' },
  { path: '/draft', method: 'SendMessage' },
  { path: '/api/a2a', method: 'message/send' },
  { path: '/cogitator', method: 'message/send' },
  { path: '/jaf', method: 'message/send' },
];

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

export const ATTACKS: readonly Attack[] = [
  ...SENDING.map(({ path, method }) =>
    posted(`1e6 references at ${path}`, 250, 1, path, (size) => {
      const parts = [{ kind: 'text', type: 'text', text: 'x' }];
      const referenceTaskIds = numbered(1_000_000 * size);
      return rpc(method, { message: { messageId: 'm', role: 'user', kind: 'message', parts, referenceTaskIds } });
    }),
  ),
  ...['contextId', 'taskId', 'messageId'].map((member) =>
    posted(`a ${member} of 1 MB, ten times`, 150, 10, '/a2a', (size) =>
      rpc('SendMessage', sendParams('x', { [member]: LONG(size, MEGABYTE) })),
    ),
  ),
  posted('a JSON-RPC id of 1 MB on a stream of 1,000 chunks', 100, 1, '/a2a', (size) =>
    rpc('SendStreamingMessage', sendParams('chunks 1000'), LONG(size, MEGABYTE)),
  ),
  ...['/a2a', '/api/a2a', '/jaf', '/draft'].map((path) =>
    posted(`a method of 5 MB at ${path}`, 150, 1, path, (size) => rpc(LONG(size, 5 * MEGABYTE), {})),
  ),
  posted('url-safe base64 of 15 MB', 250, 1, '/a2a', (size) =>
    rpc('SendMessage', { message: { ...sendParams('x').message, parts: [{ raw: LONG(size, 7 * MEGABYTE, '_-') }] } }),
  ),
  posted('a page token of 15 MB', 200, 1, '/a2a', (size) =>
    rpc('ListTasks', { pageToken: LONG(size, 15 * MEGABYTE, 'W') }),
  ),
  posted('a cursor of 15 MB', 200, 1, '/draft', (size) => rpc('ListTasks', { cursor: LONG(size, 15 * MEGABYTE, 'W') })),
  posted('JSON of depth 1e6', 100, 2, '/a2a', (size) => `{"params":${'['.repeat(1e6 * size)}`),
  posted('an object of 1e6 members', 400, 1, '/a2a', (size) => {
    const metadata = Object.fromEntries(numbered(1e6 * size).map((name) => [name, 0]));
    return rpc('SendMessage', sendParams('x', { metadata }));
  }),
  {
    name: 'gzip that becomes 1 GB, four times',
    memory: 150,
    prepare: async (target, size) => {
      const body = gzipSync(Buffer.alloc(1024 * MEGABYTE * size, 'x'));
      return () => times(4, () => target.ask({ path: '/a2a', body, headers: { 'content-encoding': 'gzip' } }));
    },
  },
  unfinished('/nowhere', 200),
  unfinished('/a2a', 600),
  {
    name: '500 connections that never finish their headers',
    memory: 60,
    prepare: async (target, size) => () =>
      left(target, 500 * size, 'POST /a2a HTTP/1.1\r\nHost: localhost\r\nX-A', false),
  },
  {
    name: '60 responses of 50 MB that nobody reads',
    memory: 700,
    prepare: async (target, size) => {
      const body = rpc('GetTask', { id: await target.task(`megabytes ${Math.ceil(50 * size)}`) });
      return () => left(target, 60 * size, head('POST', '/a2a', body.length) + body, false);
    },
  },
  {
    name: 'a list of 300 MB of artifacts',
    memory: 500,
    prepare: async (target, size) => {
      for (let count = 0; count < 6; count += 1) await target.task(`megabytes ${Math.ceil(50 * size)}`);
      return () => times(1, () => target.rpc('ListTasks', { includeArtifacts: true }));
    },
  },
  {
    name: '40 readers of a task of 200,000 events, from its beginning',
    memory: 400,
    prepare: async (target, size) => {
      const body = rpc('SubscribeToTask', { id: await target.task(`chunks ${200_000 * size}`) });
      const request = head('POST', '/a2a', body.length, ['Last-Event-ID: 0', 'Connection: close']) + body;
      return async () => {
        await times(40 * size, async () => {
          const socket = await target.open(request, { reads: true });
          await new Promise((resolve) => socket.once('close', resolve));
        });
        return [];
      };
    },
  },
  {
    name: '10,000 questions that nobody answers',
    memory: 250,
    prepare: async (target, size) => async () => {
      for (let count = 0; count < 10_000 * size; count += 50) await times(50, () => target.task('ask'));
      return [];
    },
  },
];
