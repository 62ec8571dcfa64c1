import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/ports.ts';
import { textOf } from '../../src/model/parts.ts';
import { isTask } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { Puppeteer, SCOPE, sendCall, userMessage } from '../engine/support/puppet.ts';
import { ALL, chunk, collect, Nodes, start } from '../leases/support/nodes.ts';
import { settle } from '../leases/support/world.ts';
import type { Trouble } from '../support/stores/troubled-store.ts';

/** A time for the store to be away that is shorter than the lease, and one that is much longer. */
const SHORT = 4_000;
const LONG = 60_000;
const TROUBLES: readonly Trouble[] = ['fails', 'hangs', 'swallows'];

async function alone(store?: (inner: Store) => Store) {
  const puppets = new Puppeteer();
  const inner = (time: () => number) => memory({ shared: true, now: time });
  const nodes = new Nodes({
    runner: puppets,
    store: store && ((world) => store(inner(() => world.time))),
  });
  const node = await nodes.open();
  return { puppets, nodes, ...node };
}

const unavailable = { code: 'UNAVAILABLE', retryAfter: expect.any(Number) as number };

describe.for(TROUBLES)('a store that %s for a while', (trouble) => {
  it.for([SHORT, LONG])('fails no task, and no event is lost or doubled (%i ms)', async (duration) => {
    const { puppets, nodes, engine, line } = await alone();
    const task = await start(engine);
    const { handle, end } = puppets.of(task.id);
    const first = collect(await engine.subscribe(SCOPE, task.id, { after: 0 }));
    await handle.output.chunk(chunk('before '));
    await settle();
    line.begin(trouble);
    const writing = (async () => {
      for (let number = 0; number < 400; number += 1) await handle.output.chunk(chunk(`${number} `));
    })();
    await nodes.world.pass(duration);
    // The run waits where it may have no more uncommitted, and nobody sees what is not committed.
    if (trouble !== 'swallows') expect(first.events.some(({ seq }) => seq > 4)).toBe(false);
    line.end();
    await nodes.world.pass(5_000);
    await writing;
    end({ state: 'completed' });
    await nodes.world.pass(2_000);
    const done = await engine.get(SCOPE, { id: task.id });
    const expected = `before ${Array.from({ length: 400 }, (_, number) => `${number} `).join('')}`;
    expect([done.status.state, textOf(done)]).toEqual(['completed', expected]);
    const log = await nodes.store.read(task.id, 0, ALL);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    // A stream that was cut meanwhile is resumed behind what it had brought.
    const after = first.events.at(-1)?.seq ?? 0;
    if (after === log.length) return expect(first.events).toEqual(log);
    const rest = collect(await engine.subscribe(SCOPE, task.id, { after }));
    await rest.done;
    expect([...first.events, ...rest.events]).toEqual(log);
  });
});

describe.for(['fails', 'hangs'] as const)('while the store %s', (trouble) => {
  it('every request that needs it is unavailable after storeTimeout, and leaves nothing behind', async () => {
    const { puppets, nodes, engine, line } = await alone();
    const ended = await start(engine);
    puppets.of(ended.id).end({ state: 'completed' });
    const live = await start(engine);
    const quiet = await start(engine);
    await settle();
    line.begin(trouble);
    const requests = [
      Promise.resolve(engine.get(SCOPE, { id: ended.id })),
      engine.list(SCOPE, { pageSize: 10, includeArtifacts: false }),
      engine.send(sendCall(userMessage('new'))),
      engine.send(sendCall(userMessage('new'), { returnImmediately: false })),
      engine.sendStreaming(sendCall(userMessage('new'))),
      engine.send(sendCall(userMessage('follow', { taskId: live.id }))),
      engine.subscribe(SCOPE, ended.id, { after: 0 }),
      engine.cancel(SCOPE, { id: live.id }),
    ];
    const outcomes = Promise.allSettled(requests);
    await nodes.world.pass(5_500);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
    }
    // What was live is held by a lease that is still good, and where nothing is on its way it is what the store has.
    expect((await engine.get(SCOPE, { id: quiet.id })).status.state).toBe('working');
    // Whether the cancellation is written, and shown by other nodes, only the store knows.
    const unsure = Promise.allSettled([engine.get(SCOPE, { id: live.id })]);
    await nodes.world.pass(5_500);
    expect(await unsure).toMatchObject([{ status: 'rejected', reason: unavailable }]);
    expect(engine.isStoreFailing).toBe(true);
    line.end();
    await nodes.world.pass(10_000);
    expect(engine.isStoreFailing).toBe(false);
    // The new tasks were refused, so that there are none; the cancellation was on its way.
    const { tasks } = await engine.list(SCOPE, { pageSize: 10, includeArtifacts: false });
    const states = Object.fromEntries(tasks.map(({ id, status }) => [id, status.state]));
    expect(states).toMatchObject({ [ended.id]: 'completed', [live.id]: 'canceled', [quiet.id]: 'working' });
    // One whose commit hung was perhaps written; nobody runs it, and it is ended.
    const known = new Set([ended.id, live.id, quiet.id]);
    for (const { id, status } of tasks) if (!known.has(id)) expect(status.state).toBe('failed');
    if (trouble === 'fails') expect(tasks).toHaveLength(3);
    expect(engine.load).toMatchObject({ tasks: 1, subscriptions: 0 });
  });

  it('a message that is sent again under its key is one message', async () => {
    const { puppets, nodes, engine, line } = await alone();
    const task = await start(engine);
    const { handle } = puppets.of(task.id);
    await settle();
    line.begin(trouble, ['commit', 'heartbeat']);
    const follow = userMessage('again', { taskId: task.id });
    const call = { ...sendCall(follow), idempotencyKey: 'key-1' };
    const first = engine.send(call);
    first.catch(() => {});
    // The digest of a request is made on another thread.
    await expect.poll(() => line.met).toBeGreaterThan(0);
    await nodes.world.pass(5_500);
    await expect(first).rejects.toMatchObject(unavailable);
    const second = engine.send(call);
    second.catch(() => {});
    await nodes.world.pass(1_000);
    line.end();
    await nodes.world.pass(5_000);
    const sent = await second;
    if (!isTask(sent)) throw new Error('A task was expected');
    expect(sent.history?.filter(({ messageId }) => messageId === follow.messageId)).toHaveLength(1);
    expect(handle.signal.aborted).toBe(false);
    const third = await engine.send(call);
    expect('id' in third && third.id).toBe(task.id);
  });
});

describe('a commit that the store never takes', () => {
  it('fails its own task and no other', async () => {
    const poison = (inner: Store) =>
      withStore(inner, {
        commit: (entries) => {
          if (JSON.stringify(entries).includes('poison')) return Promise.reject(new Error('invalid byte sequence'));
          return inner.commit(entries);
        },
      });
    const { puppets, nodes, engine } = await alone(poison);
    const [bad, good] = [await start(engine), await start(engine)];
    await settle();
    puppets
      .of(bad.id)
      .handle.output.chunk(chunk('poison'))
      ?.catch(() => {});
    puppets
      .of(good.id)
      .handle.output.chunk(chunk('fine'))
      ?.catch(() => {});
    await nodes.world.pass(20_000);
    puppets.of(good.id).end({ state: 'completed' });
    await nodes.world.pass(5_000);
    const failed = await engine.get(SCOPE, { id: bad.id });
    expect(failed.status).toMatchObject({ state: 'failed', message: { metadata: { reason: 'store-failed' } } });
    expect(textOf(await engine.get(SCOPE, { id: good.id }))).toBe('fine');
  });
});

describe('a node that is cut from the store', () => {
  it('ends its streams and waits, which go on at another node, and its tasks move there', async () => {
    const puppets = new Puppeteer();
    const nodes = new Nodes({ runner: puppets });
    const [cut, other] = [await nodes.open(), await nodes.open()];
    const task = await start(cut.engine);
    await settle();
    const stream = collect(await cut.engine.subscribe(SCOPE, task.id, { after: 0 }));
    await settle();
    cut.line.begin('hangs');
    await nodes.world.pass(8_000);
    expect(cut.engine.load.subscriptions).toBe(1);
    await nodes.world.pass(9_000);
    await stream.done;
    expect(cut.engine.membership.problem).toBe('The store could not be told that this node is alive');
    const rest = collect(await other.engine.subscribe(SCOPE, task.id, { after: stream.events.at(-1)?.seq ?? 0 }));
    await rest.done;
    expect([...stream.events, ...rest.events]).toEqual(await nodes.store.read(task.id, 0, ALL));
    expect(rest.events.at(-1)).toMatchObject({ kind: 'status', status: { state: 'failed' } });
    // What hung is written too late, under a lease that is no longer the node's.
    cut.line.end();
    await nodes.world.pass(5_000);
    expect(puppets.of(task.id).handle.signal.aborted).toBe(true);
    expect(cut.engine.membership.problem).toBeUndefined();
    expect((await nodes.store.head(task.id))?.status.state).toBe('failed');
  });

  it('and all others at once: no task fails, because none takes another for dead before that could come back', async () => {
    const puppets = new Puppeteer();
    const nodes = new Nodes({ runner: puppets });
    const all = [await nodes.open(), await nodes.open(), await nodes.open()];
    const tasks = [];
    for (const { engine } of all) tasks.push(await start(engine));
    await settle();
    for (const { line } of all) line.begin('hangs');
    await nodes.world.pass(LONG);
    for (const { line } of all) {
      line.end();
      await nodes.world.pass(2_000);
    }
    await nodes.world.pass(20_000);
    for (const { id } of tasks) {
      puppets
        .of(id)
        .handle.output.chunk(chunk('still here'))
        ?.catch(() => {});
      puppets.of(id).end({ state: 'completed' });
    }
    await nodes.world.pass(3_000);
    for (const { id } of tasks) expect((await nodes.store.head(id))?.status.state).toBe('completed');
  });
});

it('an engine closes though work that lives on its store never ends', async () => {
  const { nodes, engine } = await alone();
  let isClosed = false;
  const closing = engine
    .close(() => new Promise(() => {}))
    .then(() => {
      isClosed = true;
    });
  await nodes.world.pass(4_000);
  expect(isClosed).toBe(false);
  await nodes.world.pass(2_000);
  await closing;
});
