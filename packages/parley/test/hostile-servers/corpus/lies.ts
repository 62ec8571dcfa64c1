import { answers, beginStream, frameOf, IDS, showsTask, statusOf, streams, taskOf, turns, writes } from '../frames.ts';
import type { Attack } from '../hostile-server.ts';
import { getTask, type HostileEntry, MEBIBYTE } from './entry.ts';

const RESUMES = { capabilities: { streaming: true, extensions: [{ uri: 'urn:parley:ext:resume:v1' }] } };
const other = { taskId: 'other', contextId: 'c' };
const LONG = 'x'.repeat(MEBIBYTE);
const DEPTH = 100_000;
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

/** Responds with a text in the place of `"HERE"`. */
const textually = (result: unknown, text: string) => (attack: Attack) => {
  attack.response.writeHead(200, { 'content-type': 'application/json' });
  attack.response.end(JSON.stringify({ jsonrpc: '2.0', id: attack.id, result }).replace('"HERE"', text));
};

/** Servers that say what cannot be. */
export const LIES: readonly HostileEntry[] = [
  {
    name: 'events after the end',
    attack: (attack) =>
      streams(
        attack,
        showsTask('WORKING'),
        writes('a'),
        turns('COMPLETED'),
        writes('b'),
        turns('FAILED'),
        turns('WORKING'),
      ),
    gives: { kinds: ['task', 'artifact', 'status'], text: 'a', result: { status: { state: 'completed' } } },
    mostRequests: 2,
  },
  {
    name: 'a stream that stays open after the end',
    attack: (attack) => {
      beginStream(attack);
      attack.response.write(frameOf(attack, showsTask('COMPLETED')));
    },
    gives: { kinds: ['task'] },
    mostRequests: 2,
  },
  {
    name: 'a state that there is not',
    attack: (attack) => streams(attack, showsTask('BANANA')),
    gives: { result: { status: { state: 'unknown' } } },
    mostRequests: 2,
  },
  {
    name: 'states in any order',
    attack: (attack) =>
      streams(
        attack,
        showsTask('INPUT_REQUIRED'),
        turns('SUBMITTED'),
        turns('WORKING'),
        turns('SUBMITTED'),
        turns('COMPLETED'),
      ),
    gives: { result: { status: { state: 'completed' } } },
    mostRequests: 2,
  },
  {
    name: 'events of other tasks',
    attack: (attack) =>
      streams(
        attack,
        showsTask('WORKING'),
        { statusUpdate: { ...other, status: statusOf('FAILED') } },
        { artifactUpdate: { ...other, artifact: { artifactId: 'a', parts: [{ text: 'theirs' }] } } },
        { task: { ...taskOf('FAILED'), id: 'other' } },
        writes('ours'),
        turns('COMPLETED'),
      ),
    gives: { kinds: ['task', 'artifact', 'status'], text: 'ours', result: { id: 't' } },
    mostRequests: 2,
  },
  {
    name: 'another task than the one that was asked for',
    attack: (attack) => {
      if (attack.method === 'GetTask') answers(attack, { ...taskOf('COMPLETED'), id: 'other' });
      else streams(attack, showsTask('WORKING'));
    },
    fails: ['STREAM_INTERRUPTED'],
    cause: 'INVALID_RESPONSE',
    mostRequests: 12,
  },
  {
    name: 'positions that repeat and fall',
    card: RESUMES,
    attack: (attack) => {
      beginStream(attack);
      const frames = [
        [1, showsTask('WORKING')],
        [2, writes('a')],
        [2, writes('b')],
        [1, writes('c')],
        [3, writes('d')],
        [4, turns('COMPLETED')],
      ];
      attack.response.end(frames.map(([position, event]) => frameOf(attack, event, position as number)).join(''));
    },
    gives: { text: 'ad', result: { status: { state: 'completed' } } },
    mostRequests: 2,
  },
  {
    name: 'positions that no header can carry',
    card: RESUMES,
    attack: (attack) => {
      if (attack.method === 'GetTask') answers(attack, taskOf('COMPLETED'));
      else if (attack.method === 'SubscribeToTask') streams(attack, showsTask('COMPLETED'));
      else {
        beginStream(attack);
        attack.response.end(frameOf(attack, showsTask('WORKING'), '\u4f4d\u7f6e'));
      }
    },
    gives: { result: { status: { state: 'completed' } } },
    mostRequests: 4,
  },
  {
    name: 'a position of a megabyte',
    card: RESUMES,
    attack: (attack) => {
      if (attack.method !== 'SendStreamingMessage') return streams(attack, showsTask('COMPLETED'));
      beginStream(attack);
      attack.response.end(frameOf(attack, showsTask('WORKING'), LONG));
    },
    gives: { result: { status: { state: 'completed' } } },
    mostRequests: 4,
  },
  {
    name: 'a task whose id is a megabyte long, and that is lost',
    attack: (attack) => {
      if (attack.method === 'SendStreamingMessage') streams(attack, { task: { ...taskOf('WORKING'), id: LONG } });
      else attack.response.writeHead(500).end();
    },
    fails: ['STREAM_INTERRUPTED'],
    mostBytes: 16 * MEBIBYTE,
    mostRequests: 12,
  },
  {
    name: 'a response to another request, whose id is a megabyte long',
    attack: (attack) => answers({ ...attack, id: LONG as never }, taskOf('COMPLETED')),
    call: getTask,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'data of depth 100,000',
    attack: textually(taskOf('COMPLETED', { artifacts: [{ artifactId: 'a', parts: [{ data: 'HERE' }] }] }), DEEP),
    call: async (client) => (await client.getTask('t')).status.state,
    gives: 'completed',
    mostRequests: 2,
  },
  {
    name: 'metadata of depth 100,000',
    attack: textually(taskOf('COMPLETED', { metadata: { a: 'HERE' } }), DEEP),
    call: async (client) => (await client.getTask('t')).status.state,
    gives: 'completed',
    mostRequests: 2,
  },
  {
    name: 'a task that is a list of depth 100,000',
    attack: textually('HERE', DEEP),
    call: getTask,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'an id of depth 100,000',
    attack: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${DEEP},"result":{}}`);
    },
    call: getTask,
    fails: ['INVALID_RESPONSE'],
    mostRequests: 2,
  },
  {
    name: 'members called __proto__',
    attack: textually(
      { ...taskOf('COMPLETED'), metadata: 'HERE' },
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    ),
    call: async (client) => {
      await client.getTask('t');
      return ({} as { polluted?: number }).polluted ?? 'clean';
    },
    gives: 'clean',
    mostRequests: 2,
  },
  {
    name: 'a task called __proto__ with artifacts called so',
    attack: (attack) => {
      const artifact = { artifactId: '__proto__', parts: [{ text: 'a' }] };
      const ids = { taskId: '__proto__', contextId: 'constructor' };
      streams(
        attack,
        { task: { ...taskOf('WORKING'), id: ids.taskId, contextId: ids.contextId } },
        { artifactUpdate: { ...IDS, ...ids, artifact } },
        {
          statusUpdate: { ...ids, status: statusOf('COMPLETED'), metadata: JSON.parse('{"__proto__":{"polluted":1}}') },
        },
      );
    },
    gives: { text: 'a', result: { id: '__proto__', artifacts: [{ artifactId: '__proto__' }] } },
    mostRequests: 2,
  },
];
