import { A2AServer, type A2AServerOptions, inputRequired, memory } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { eventually } from '../support/eventually.ts';
import { type UnreliableBus, type UnreliableBusOptions, unreliableBus } from '../support/nodes/unreliable-bus.ts';
import { type RpcFrame, type RpcPeer, sendParams, startServer, type Wire } from '../support/rpc.ts';
import { agentOf, hang, pause } from '../support/script.ts';

const CHUNKS = 20;

/** `count` counts; `ask` asks and is over, `hold` asks within its run; `wait` works until it is canceled. */
const agent = () =>
  agentOf(async function* (task) {
    if (task.history.length > 0) yield `Thanks for ${task.text}`;
    else if (task.text === 'hold') yield `Thanks for ${await task.ask('Which?')}`;
    else if (task.text === 'wait') await hang(task);
    else if (task.text === 'ask') return inputRequired('Which?');
    else yield* count();
    return undefined;
  });

async function* count() {
  for (let number = 1; number <= CHUNKS; number += 1) {
    await pause(2);
    yield `${number} `;
  }
}

/** Two servers that share a store, so that each has to ask the other for what is not its own. */
function twoNodes(bus: UnreliableBus) {
  const store = memory({ shared: true });
  const limits = { pollInterval: 40, commandTimeout: 300, cancelGrace: 50 };
  const [a, b] = ['a', 'b'].map(() => startServer(agent(), { store, bus, limits }));
  if (!a || !b) throw new Error('There are two of them');
  return { a: a.peer, b: b.peer, servers: [a.server, b.server] as const };
}

const AT_ONCE = { returnImmediately: true };

function begin(peer: RpcPeer, text: string): Promise<Wire> {
  return peer.send(text, {}, AT_ONCE);
}

async function whenIn(peer: RpcPeer, id: string, state: string): Promise<void> {
  await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe(`TASK_STATE_${state}`);
}

function updates(frames: readonly RpcFrame[]): readonly Wire[] {
  return frames.filter(({ result }) => !result.task).map(({ id, result }) => ({ id, result }));
}

/** Every other notice, the first one included. */
function everyOther(): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % 2 === 1;
  };
}

it('says at the start that a store for several servers has no bus beside it', () => {
  const warnings: string[] = [];
  const log = { error() {}, warn: (text: string) => void warnings.push(text) };
  const made = (options: Partial<A2AServerOptions>) => new A2AServer({ agents: [agent()], log, ...options });
  made({ store: memory() });
  made({ store: memory({ shared: true }), bus: localBus() });
  expect(warnings).toEqual([]);
  made({ store: memory({ shared: true }) });
  expect(warnings).toEqual([expect.stringContaining('no bus to reach the others: set the option bus')]);
});

const BUSES: readonly (readonly [string, () => UnreliableBusOptions])[] = [
  ['is in order', () => ({})],
  ['is slow', () => ({ delay: 15 })],
  ['takes a while to watch', () => ({ activation: 50 })],
  ['loses every other notice', () => ({ loses: everyOther() })],
  ['loses all notices', () => ({ loses: () => true })],
  ['is slow and loses notices', () => ({ delay: 10, activation: 30, loses: everyOther() })],
];

describe.for(BUSES)('two nodes on a bus that %s', ([, options]) => {
  it('stream a task of the other one, live and resumed, with each event once and in order', async () => {
    const { a, b } = twoNodes(unreliableBus(options()));
    const { id } = await begin(a, 'count');
    const live = await b.open('SubscribeToTask', { id });
    const first = await live.next();
    const resumed = b.stream('SubscribeToTask', { id }, { 'last-event-id': '2' });
    const frames = await live.rest();
    const log = updates(await a.stream('SubscribeToTask', { id }, { 'last-event-id': '0' }));
    expect(log.at(-1).result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    expect(updates(frames)).toEqual(log.filter((frame) => frame.id > (first?.id ?? 0)));
    expect(updates(await resumed)).toEqual(log.filter((frame) => frame.id > 2));
    expect((await b.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it.for(['ask', 'hold'])('bring a follow-up to the task, blocking and as a stream (%s)', async (text) => {
    const { a, b } = twoNodes(unreliableBus(options()));
    const asked = await a.send(text);
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await b.send('tea', { taskId: asked.id })).status.state).toBe('TASK_STATE_COMPLETED');
    const { id } = await a.send(text);
    const frames = await b.stream('SendStreamingMessage', sendParams('milk', { taskId: id }));
    const { task, statusUpdate } = frames.at(-1)?.result ?? {};
    expect((statusUpdate ?? task).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await a.call('GetTask', { id })).artifacts[0].parts[0].text).toBe('Thanks for milk');
  });

  it('cancel a task of the other one, and its stream there ends', async () => {
    const { a, b } = twoNodes(unreliableBus(options()));
    const { id } = await begin(a, 'wait');
    await whenIn(b, id, 'WORKING');
    const stream = b.stream('SubscribeToTask', { id });
    expect((await b.call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    expect((await stream).at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_CANCELED');
    expect((await a.call('GetTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe.for([true, false])('a bus that restarts (it says so: %s)', (tellsOfLoss) => {
  it('delays streams, and none of them hangs or lacks an event', async () => {
    const bus = unreliableBus({ delay: 3, activation: 5, tellsOfLoss });
    const { a, b } = twoNodes(bus);
    const restarts = (async () => {
      for (let round = 0; round < 6; round += 1) {
        await pause(15);
        bus.fail();
        await pause(25);
        bus.recover();
      }
    })();
    const streams = Array.from({ length: 12 }, async (_, index) => {
      await pause(index * 8);
      const { id } = await begin(a, 'count');
      return { id, frames: await b.stream('SubscribeToTask', { id }) };
    });
    for (const { id, frames } of await Promise.all(streams)) {
      const log = updates(await a.stream('SubscribeToTask', { id }, { 'last-event-id': '0' }));
      expect(updates(frames)).toEqual(log.filter((frame) => frame.id > (frames[0]?.id ?? 0)));
    }
    await restarts;
    expect(bus.counts.lost).toBeGreaterThan(0);
  });
});

describe.for(BUSES)('a node that closes, on a bus that %s', ([, options]) => {
  it('ends the streams of its tasks on the other one, which answers for them from then on', async () => {
    const { a, b, servers } = twoNodes(unreliableBus(options()));
    const { id } = await begin(a, 'wait');
    const held = await a.send('hold');
    const asked = await a.send('ask');
    await whenIn(b, id, 'WORKING');
    const stream = b.stream('SubscribeToTask', { id });
    await servers[0].close();
    expect((await stream).at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_FAILED');
    expect((await b.call('GetTask', { id })).status.state).toBe('TASK_STATE_FAILED');
    // Its run was lost with the node; that is said at once, and not when the heartbeat of the node has run out.
    const { status } = await b.send('tea', { taskId: held.id });
    expect(status).toMatchObject({ state: 'TASK_STATE_FAILED', message: { metadata: { reason: 'run-lost' } } });
    expect((await b.send('tea', { taskId: asked.id })).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('a bus that is down', () => {
  it('keeps a server from opening for only so long, and it says why', async () => {
    const bus = { ...unreliableBus(), join: () => new Promise<void>(() => {}) };
    const limits = { commandTimeout: 50 };
    const { server } = startServer(agent(), { store: memory({ shared: true }), bus, limits });
    await expect(server.open()).rejects.toThrow('The bus did not respond within 50 ms');
  });

  it('does not keep a server from closing', async () => {
    const bus = unreliableBus();
    const { a, b, servers } = twoNodes({ ...bus, leave: () => new Promise(() => {}) });
    const { id } = await a.send('count');
    await servers[0].close();
    expect((await b.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
  });

  /** The refusal of an operation on a task, over HTTP+JSON, where the status tells. */
  async function refusal(peer: RpcPeer, path: string, body: unknown = {}) {
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const response = await peer.raw(path, { method: 'POST', body: JSON.stringify(body), headers });
    const { error } = (await response.json()) as Wire;
    return { http: response.status, status: error.status, message: error.message };
  }
  const unavailable = (message: RegExp) => ({
    http: 503,
    status: 'UNAVAILABLE',
    message: expect.stringMatching(message),
  });

  it('leaves reading to the store, and refuses in time what only the other node can do', async () => {
    const bus = unreliableBus();
    const { a, b } = twoNodes(bus);
    const { id } = await begin(a, 'wait');
    await whenIn(b, id, 'WORKING');
    bus.fail();
    const late = unavailable(/does not respond; try again/);
    expect(await refusal(b, `/a2a/tasks/${id}:cancel`)).toEqual(late);
    expect(await refusal(b, '/a2a/message:send', sendParams('more', { taskId: id }))).toEqual(late);
    const stream = b.stream('SubscribeToTask', { id });
    await a.call('CancelTask', { id });
    expect((await stream).at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_CANCELED');
  });

  it('takes commands again when it is back', async () => {
    const bus = unreliableBus();
    const { a, b } = twoNodes(bus);
    const { id } = await begin(a, 'wait');
    await whenIn(b, id, 'WORKING');
    bus.fail();
    expect((await b.error('CancelTask', { id })).message).toContain('does not respond');
    bus.recover();
    expect((await b.call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
  });

  it('refuses, as unavailable, commands to a node that has left it', async () => {
    const bus = unreliableBus();
    const joined: string[] = [];
    const leaving = {
      ...bus,
      join: (...[node, handle]: Parameters<typeof bus.join>) => {
        joined.push(node);
        return bus.join(node, handle);
      },
    };
    const { a, b } = twoNodes(leaving);
    const { id } = await begin(a, 'wait');
    await whenIn(b, id, 'WORKING');
    await bus.leave(joined[0] ?? '');
    expect(await refusal(b, `/a2a/tasks/${id}:cancel`)).toEqual(unavailable(/has left; try again/));
  });
});
