import { gzipSync } from 'node:zlib';
import {
  answers,
  beginStream,
  frameOf,
  IDS,
  showsTask,
  statusOf,
  streams,
  turns,
  writes,
  writesForEver,
} from '../frames.ts';
import type { Attack } from '../hostile-server.ts';
import { connect, getTask, type HostileEntry, MEBIBYTE, SMALL } from './entry.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** Expands to 256 MiB. */
const BOMB = gzipSync(Buffer.alloc(256 * MEBIBYTE, ' '));

/** A stream that begins as it should and goes on without an end. */
const floods =
  (piece: string | Uint8Array | ((attack: Attack) => string)) =>
  async (attack: Attack): Promise<void> => {
    if (attack.method === 'GetTask') return answers(attack, showsTask('WORKING').task);
    beginStream(attack);
    attack.response.write(frameOf(attack, showsTask('WORKING')));
    await writesForEver(attack, typeof piece === 'function' ? () => piece(attack) : piece);
  };

const lost = { fails: ['STREAM_INTERRUPTED'], options: SMALL, mostRequests: 8, mostBytes: 48 * MEBIBYTE } as const;
let messages = 0;

/** Servers that send too much. */
export const FLOODS: readonly HostileEntry[] = [
  {
    name: 'frames without an end',
    attack: floods((attack) => frameOf(attack, writes('x'.repeat(1000)))),
    ...lost,
    cause: 'PAYLOAD_TOO_LARGE',
  },
  {
    name: 'status messages without an end',
    attack: floods((attack) => {
      messages += 1;
      const message = { messageId: `m-${messages}`, role: 'ROLE_AGENT', parts: [{ text: 'x'.repeat(500) }] };
      return frameOf(attack, turns('WORKING', { status: statusOf('WORKING', message) }));
    }),
    ...lost,
    cause: 'PAYLOAD_TOO_LARGE',
  },
  {
    name: 'metadata without an end',
    attack: floods((attack) => {
      messages += 1;
      return frameOf(attack, turns('WORKING', { metadata: { [`m-${messages}`]: 'x'.repeat(500) } }));
    }),
    ...lost,
    cause: 'PAYLOAD_TOO_LARGE',
  },
  {
    name: 'artifacts without an end',
    attack: floods((attack) => {
      messages += 1;
      const artifact = { artifactId: `a-${messages}`, parts: [{ text: 'x' }] };
      return frameOf(attack, { artifactUpdate: { ...IDS, artifact, append: false } });
    }),
    ...lost,
    cause: 'PAYLOAD_TOO_LARGE',
  },
  { name: 'one endless line', attack: floods('x'.repeat(65_536)), ...lost, cause: 'INVALID_RESPONSE' },
  {
    name: 'lines of data without an end',
    attack: floods(`data: ${'x'.repeat(65_000)}\n`),
    ...lost,
    cause: 'INVALID_RESPONSE',
  },
  { name: 'comments without an end', attack: floods(': x\n\n'.repeat(10_000)), ...lost, cause: 'INVALID_RESPONSE' },
  { name: 'bytes that are no text', attack: floods(Buffer.alloc(65_536, 0xff)), ...lost, cause: 'INVALID_RESPONSE' },
  {
    name: 'an event that is too large',
    attack: (attack) => streams(attack, showsTask('WORKING'), writes('x'.repeat(2 * MEBIBYTE))),
    ...lost,
  },
  {
    name: 'a header block without an end',
    attack: async (attack) => {
      attack.socket.write('HTTP/1.1 200 OK\r\n');
      await writesForEver({ ...attack, response: attack.socket as never }, `x-a: ${'b'.repeat(4000)}\r\n`);
    },
    call: getTask,
    fails: ['UNREACHABLE'],
    mostRequests: 4,
  },
  {
    name: 'a response without an end',
    attack: async (attack) => {
      attack.response.writeHead(200, JSON_TYPE).write('[');
      await writesForEver(attack, ' '.repeat(65_536));
    },
    call: getTask,
    options: SMALL,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
    mostBytes: 16 * MEBIBYTE,
  },
  {
    name: 'a card of 100 MB',
    serveCard: async (attack) => {
      attack.response.writeHead(200, JSON_TYPE).write('[');
      await writesForEver(attack, ' '.repeat(65_536));
    },
    call: connect,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 3,
    mostBytes: 32 * MEBIBYTE,
  },
  {
    name: 'a response that is a bomb',
    attack: ({ response }) => void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(BOMB),
    call: getTask,
    options: SMALL,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'a stream that is a bomb',
    attack: (attack) => {
      beginStream(attack, { 'content-encoding': 'gzip' });
      attack.response.end(BOMB);
    },
    options: SMALL,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'a card that is a bomb',
    serveCard: ({ response }) => void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(BOMB),
    call: connect,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 3,
  },
  {
    name: 'ten thousand artifacts',
    attack: (attack) =>
      streams(
        attack,
        showsTask('WORKING'),
        showsTask('COMPLETED', {
          artifacts: Array.from({ length: 10_000 }, (_, index) => ({
            artifactId: `a-${index}`,
            parts: [{ text: 'x' }],
          })),
        }),
      ),
    gives: { kinds: ['task', 'task'], text: 'x'.repeat(10_000) },
    mostRequests: 2,
  },
];
