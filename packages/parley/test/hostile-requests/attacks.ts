import { gzipSync } from 'node:zlib';
import { sendParams } from '../support/rpc.ts';
import { head, type Response, type Target } from './target.ts';

/** One line of the table: what is sent, and how much memory it may cost while it lasts. */
export interface Attack {
  readonly name: string;
  /** Megabytes. */
  readonly memory: number;
  /** Made before anything is measured. */
  readonly prepare?: ((target: Target, size: number) => Promise<string>) | undefined;
  /** `size`: 1 for the full form, less for a short one. Returns the responses, if there are any. */
  readonly run: (target: Target, size: number, prepared: string) => Promise<readonly Response[]>;
}

const MEGABYTE = 1024 * 1024;
const LONG = (size: number, bytes: number, character = 'x') => character.repeat(Math.ceil(bytes * size));
const times = <Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: Math.max(1, Math.round(count)) }, (_, index) => make(index)));

/** Members of a message that are echoed or stored. */
const echoed = (member: string): Attack => ({
  name: `a ${member} of 1 MB, ten times`,
  memory: 250,
  run: (target, size) =>
    times(10, () => target.rpc('SendMessage', sendParams('x', { [member]: LONG(size, MEGABYTE) }))),
});

/** Where messages of each dialect are sent, and how they name other tasks. */
const REFERENCING = [
  { path: '/a2a', method: 'SendMessage' },
  { path: '/draft', method: 'SendMessage' },
  { path: '/api/a2a', method: 'message/send' },
  { path: '/cogitator', method: 'message/send' },
  { path: '/jaf', method: 'message/send' },
];

export const ATTACKS: readonly Attack[] = [
  ...REFERENCING.map(
    ({ path, method }): Attack => ({
      name: `1e6 references at ${path}`,
      memory: 400,
      run: (target, size) => {
        const referenceTaskIds = Array.from({ length: 1_000_000 * size }, (_, index) => `t${index}`);
        const message = { messageId: 'm', role: 'user', kind: 'message', referenceTaskIds };
        const parts = [{ kind: 'text', type: 'text', text: 'x' }];
        return times(1, () => target.rpc(method, { message: { ...message, parts } }, path));
      },
    }),
  ),
  ...['contextId', 'taskId', 'messageId'].map(echoed),
  {
    name: 'a JSON-RPC id of 1 MB on a stream of 1,000 chunks',
    memory: 200,
    run: (target, size) =>
      times(1, () =>
        target.rpc('SendStreamingMessage', sendParams('chunks 1000'), '/a2a', { id: LONG(size, MEGABYTE) }),
      ),
  },
  {
    name: 'a method of 5 MB at every address of JSON-RPC',
    memory: 250,
    run: (target, size) =>
      times(4, (index) => target.rpc(LONG(size, 5 * MEGABYTE), {}, ['/a2a', '/api/a2a', '/jaf', '/draft'][index])),
  },
  {
    name: 'url-safe base64 of 15 MB',
    memory: 300,
    run: (target, size) => {
      const raw = LONG(size, 15 * MEGABYTE, '_-');
      return times(1, () => target.rpc('SendMessage', { message: { ...sendParams('x').message, parts: [{ raw }] } }));
    },
  },
  {
    name: 'a cursor of 15 MB',
    memory: 300,
    run: (target, size) =>
      times(2, (index) =>
        target.rpc(
          'ListTasks',
          { [index === 0 ? 'pageToken' : 'cursor']: LONG(size, 15 * MEGABYTE, 'W') },
          ['/a2a', '/draft'][index],
        ),
      ),
  },
  {
    name: 'JSON of depth 1e6',
    memory: 200,
    run: (target, size) => times(2, () => target.ask({ path: '/a2a', body: `{"params":${'['.repeat(1e6 * size)}` })),
  },
  {
    name: 'an object of 1e6 members',
    memory: 400,
    run: (target, size) => {
      const metadata = Object.fromEntries(Array.from({ length: 1e6 * size }, (_, index) => [`m${index}`, 0]));
      return times(1, () => target.rpc('SendMessage', sendParams('x', { metadata })));
    },
  },
  {
    name: 'gzip that becomes 1 GB',
    memory: 150,
    run: (target, size) => {
      const body = gzipSync(Buffer.alloc(1024 * MEGABYTE * size, 'x'));
      return times(4, () => target.ask({ path: '/a2a', body, headers: { 'content-encoding': 'gzip' } }));
    },
  },
  {
    name: '60 bodies of 15.9 MB to nowhere, never finished',
    memory: 150,
    run: async (target, size) => {
      const body = Buffer.alloc(15.9 * MEGABYTE * size, 'x');
      await times(60, async () => {
        await Promise.race([
          target.open(Buffer.concat([Buffer.from(head('POST', '/nowhere', body.length + 1)), body]), { reads: true }),
          new Promise((resolve) => setTimeout(resolve, 1_000)),
        ]);
      });
      return [];
    },
  },
  {
    name: '60 bodies of 15.9 MB to an agent, never finished',
    memory: 600,
    run: async (target, size) => {
      const body = Buffer.alloc(15.9 * MEGABYTE * size, 'x');
      await times(60, async () => {
        await Promise.race([
          target.open(Buffer.concat([Buffer.from(head('POST', '/a2a', body.length + 1)), body]), { reads: true }),
          new Promise((resolve) => setTimeout(resolve, 1_000)),
        ]);
      });
      return [];
    },
  },
  {
    name: '500 connections that never finish their headers',
    memory: 60,
    run: async (target, size) => {
      await times(500 * size, () => target.open('POST /a2a HTTP/1.1\r\nHost: localhost\r\nX-A'));
      return [];
    },
  },
  {
    name: '60 responses of 50 MB that nobody reads',
    memory: 700,
    prepare: (target, size) => target.task(`megabytes ${Math.ceil(50 * size)}`),
    run: async (target, size, id) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } });
      await times(60 * size, () => target.open(head('POST', '/a2a', body.length) + body));
      return [];
    },
  },
  {
    name: 'a list of 300 MB of artifacts',
    memory: 900,
    prepare: async (target, size) => {
      for (let count = 0; count < 6; count += 1) await target.task(`megabytes ${Math.ceil(50 * size)}`);
      return '';
    },
    run: (target) => times(1, () => target.rpc('ListTasks', { includeArtifacts: true })),
  },
  {
    name: '40 readers of a task of 200,000 events, from its beginning',
    memory: 300,
    prepare: (target, size) => target.task(`chunks ${200_000 * size}`),
    run: async (target, size, id) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
      const request = head('POST', '/a2a', body.length, ['Last-Event-ID: 0', 'Connection: close']) + body;
      await times(40 * size, async () => {
        const socket = await target.open(request, { reads: true });
        await new Promise((resolve) => socket.once('close', resolve));
      });
      return [];
    },
  },
  {
    name: '10,000 questions that nobody answers',
    memory: 200,
    run: async (target, size) => {
      for (let count = 0; count < 10_000 * size; count += 50) await times(50, () => target.task('ask'));
      return [];
    },
  },
];
