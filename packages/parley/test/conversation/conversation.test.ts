import { type A2AServer, isTask, type Message, type Task, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { settableClock } from '../support/settable-clock.ts';
import { conversationalAgent } from './agent.ts';
import { Conversation, type Transcript } from './conversation.ts';
import type { Frame, Peer } from './peer.ts';
import { PEER_NAMES, peersOf, rotatingPeer } from './peers.ts';

interface Held {
  readonly transcript: Transcript;
  readonly peers: readonly Peer[];
  readonly server: A2AServer;
}

type Choose = (peers: readonly Peer[]) => Peer | undefined;

/** Holds the conversation on a server of its own, whose ids and times are the same each time. */
async function held(choose: Choose, { sockets = false } = {}): Promise<Held> {
  let ids = 0;
  const { server } = startServer(conversationalAgent(), { clock: settableClock(), newId: () => `id-${++ids}` });
  if (sockets) await server.listen({ port: 0 });
  const peers = sockets ? peersOf((request) => fetch(request), `${server.url}/a2a`) : peersOf(server.fetch);
  const chosen = choose(peers);
  if (!chosen) throw new Error('There is no such peer');
  return { transcript: await new Conversation(chosen).hold(), peers, server };
}

const REFERENCE = '1.0 over JSON-RPC';
const named =
  (name: string): Choose =>
  (peers) =>
    peers.find((peer) => peer.name === name);
const through = (name: string): Promise<Held> => held(named(name));

function expectSame({ seen, taskIds }: Transcript, expected: Transcript): void {
  // Step by step, so that a failure names the first one.
  for (const [step, value] of Object.entries(expected.seen)) expect(seen[step], step).toEqual(value);
  expect(Object.keys(seen)).toEqual(Object.keys(expected.seen));
  expect(taskIds).toEqual(expected.taskIds);
}

/** What a step shows, in short: the state and all text of a task, the states and kinds of the events of a stream. */
function gist(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(gist);
  if (typeof value !== 'object' || value === null) return value;
  if ('event' in value) return gistOfEvent(value as Frame);
  if (!('messageId' in value) && !('artifacts' in value)) return value;
  const answer = value as Task | Message;
  return isTask(answer) ? [answer.status.state, textOf(answer)] : textOf(answer);
}

const gistOfEvent = ({ event }: Frame): string => (event.kind === 'status' ? event.status.state : event.kind);

it('the conversation goes as it should', async () => {
  const { transcript } = await through(REFERENCE);
  const gists = Object.fromEntries(Object.entries(transcript.seen).map(([step, value]) => [step, gist(value)]));
  expect(gists).toMatchObject({
    'a bare reply': 'Hello',
    'a bare reply as a stream': ['message'],
    'a task': ['completed', expect.stringContaining('one two')],
    'a task as a stream': ['task', 'working', 'artifact', 'artifact', 'artifact', 'artifact', 'artifact', 'completed'],
    'a refused task': ['rejected', expect.anything()],
    'a question': ['input-required', expect.anything()],
    'its answer': ['completed', 'Report for Q4'],
    'its answer, seen by the subscriber': ['working', 'artifact', 'completed'],
    'a question as a stream': ['task', 'working', 'input-required'],
    'its answer as a stream': ['task', 'working', 'artifact', 'completed'],
    'the next turn': ['completed', 'Lisbon after book, Where to?'],
    'the message that ends it': ['completed', 'got one two'],
    'a canceled task': ['canceled', 'half'],
    'a canceled task, watched': ['working', 'working', 'artifact', 'canceled'],
    'canceled again': 'TASK_NOT_CANCELABLE',
    'resumed after the end at 0': ['working', 'input-required', 'working', 'artifact', 'completed'],
    'resumed after the end at 4': ['working', 'artifact', 'completed'],
    'resumed at the end': 'UNSUPPORTED_OPERATION',
    'resumed ahead of the log': ['task'],
    'the same again as a stream': ['task'],
    'another send with that key': 'INVALID_PARAMS',
  });
  expect(transcript.taskIds.length).toBeGreaterThan(10);
});

describe.each(PEER_NAMES)('the conversation through %s', (name) => {
  it('is the same as through 1.0 over JSON-RPC [rule:get.cross-binding]', async () => {
    const { transcript: expected } = await through(REFERENCE);
    expectSame((await through(name)).transcript, expected);
  });

  it('is the same over sockets [rule:get.cross-binding]', async () => {
    const { transcript: expected } = await through(REFERENCE);
    expectSame((await held(named(name), { sockets: true })).transcript, expected);
  });

  it('leaves tasks that are the same through every other [rule:get.cross-binding]', async () => {
    const { transcript, peers, server } = await through(name);
    const [reference] = peers;
    for (const id of transcript.taskIds) {
      for (const historyLength of [undefined, 0, 1]) {
        const expected = await reference?.get(id, historyLength);
        expect(expected?.id).toBe(id);
        for (const peer of peers) expect(await peer.get(id, historyLength), peer.name).toEqual(expected);
      }
    }
    expect(server.load.subscriptions).toBe(0);
  });

  it('can be listed where the version lists [rule:get.cross-binding]', async () => {
    const { transcript, peers } = await through(name);
    const lists = peers.filter((peer) => peer.list !== undefined);
    expect(lists.map((peer) => peer.name)).toEqual(['1.0 over JSON-RPC', '1.0 over HTTP+JSON']);
    for (const peer of lists) {
      const page = await peer.list?.('c-report');
      expect(page?.totalSize, peer.name).toBe(2);
      for (const id of page?.ids ?? []) expect(transcript.taskIds).toContain(id);
    }
  });
});

it.each(
  PEER_NAMES.map((name, index) => [name, index] as const),
)('the conversation through all of them in turn is the same, beginning with %s [rule:get.cross-binding] [rule:idempotency.joins]', async (_, first) => {
  const { transcript: expected } = await through(REFERENCE);
  const rotated = await held((peers) => rotatingPeer([...peers.slice(first), ...peers.slice(0, first)]));
  expectSame(rotated.transcript, expected);
});
