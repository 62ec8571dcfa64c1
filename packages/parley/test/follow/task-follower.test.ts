import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Following } from '../../src/engine/follow/task-followers.ts';
import type { TaskEvent } from '../../src/engine/log/events.ts';
import type { Bus, Store } from '../../src/engine/ports.ts';
import { isTask, type Task } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { manualClock } from '../engine/support/manual-clock.ts';
import { engineOn, Puppeteer, sendCall, settle, userMessage } from '../engine/support/puppet.ts';

const ALL = { events: 10_000, bytes: 1e9 };

async function node(store: Store, puppets: Puppeteer, bus: Bus = localBus()) {
  const clock = manualClock();
  const engine = engineOn(store, puppets, { bus, clock });
  await engine.open();
  return { engine, clock };
}

async function start(engine: Engine): Promise<Task> {
  const task = await engine.send(sendCall(userMessage('go')));
  if (!isTask(task)) throw new Error('A task was expected');
  return task;
}

async function write(puppets: Puppeteer, taskId: string, count: number): Promise<void> {
  const { handle } = puppets.of(taskId);
  for (let index = 0; index < count; index += 1) {
    await handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text: `${index} ` }], streamed: true });
    await settle(2);
  }
}

/** A follower that notes what it has dealt with; `fails` makes it reject. */
function noting(taskId: string, more: Partial<Following> = {}, fails: () => boolean = () => false) {
  const seen: number[] = [];
  const deal = async (events: readonly TaskEvent[]) => {
    if (fails()) throw new Error('The receiver is away');
    seen.push(...events.map(({ seq }) => seq));
    return undefined;
  };
  return { seen, deal, following: { taskId, after: 0, deal, ...more } };
}

async function seqsOf(store: Store, taskId: string): Promise<readonly number[]> {
  return (await store.read(taskId, 0, ALL)).map(({ seq }) => seq);
}

describe('a follower of a task', () => {
  it('deals with each event once and in order, from before and from now on, until the task has ended', async () => {
    const store = memory();
    const puppets = new Puppeteer();
    const { engine } = await node(store, puppets);
    const { id } = await start(engine);
    await write(puppets, id, 3);
    const { seen, following } = noting(id);
    const follower = await engine.follow(following);
    await write(puppets, id, 5);
    puppets.of(id).end({ state: 'completed' });
    await follower.ended;
    expect(seen).toEqual(await seqsOf(store, id));
    expect(engine.load).toMatchObject({ feeds: 0 });
  });

  it('gets the same events again where it fails, and goes on from where it says', async () => {
    const store = memory();
    const puppets = new Puppeteer();
    const { engine, clock } = await node(store, puppets);
    const { id } = await start(engine);
    let failures = 3;
    const {
      seen,
      following,
      deal: note,
    } = noting(id, {}, () => {
      failures -= 1;
      return failures >= 0;
    });
    // It is done with one event at a time, whatever it is given.
    const deal: Following['deal'] = async (events) => {
      await note(events.slice(0, 1));
      return events[0]?.seq;
    };
    const follower = await engine.follow({ ...following, deal });
    await write(puppets, id, 4);
    expect(seen).toEqual([]);
    for (const delay of [100, 200, 400]) await clock.advance(delay);
    puppets.of(id).end({ state: 'completed' });
    await follower.ended;
    expect(seen).toEqual(await seqsOf(store, id));
  });

  it('ends at once where nothing is left, and where there is no such task', async () => {
    const store = memory();
    const puppets = new Puppeteer();
    const { engine } = await node(store, puppets);
    const { id } = await start(engine);
    puppets.of(id).end({ state: 'completed' });
    await settle();
    const last = (await seqsOf(store, id)).length;
    await (await engine.follow(noting(id, { after: last }).following)).ended;
    await (await engine.follow(noting('nothing').following)).ended;
    expect(engine.load).toMatchObject({ feeds: 0 });
  });

  it('goes on where its own node could not commit for a while, and has ended the task then', async () => {
    const inner = memory();
    const disk = { full: false };
    const store = withStore(inner, {
      commit(entries) {
        if (disk.full) throw new Error('database or disk is full');
        return inner.commit(entries);
      },
    });
    const puppets = new Puppeteer();
    const { engine, clock } = await node(store, puppets);
    const { id } = await start(engine);
    const { seen, following } = noting(id);
    const follower = await engine.follow(following);
    await write(puppets, id, 2);
    disk.full = true;
    void puppets
      .of(id)
      .handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text: 'lost' }], streamed: true });
    for (let round = 0; round < 12; round += 1) await clock.advance(2000);
    disk.full = false;
    for (let round = 0; round < 4; round += 1) await clock.advance(5000);
    await follower.ended;
    expect((await store.head(id))?.status.state).toBe('failed');
    expect(seen).toEqual(await seqsOf(store, id));
    expect(engine.load).toMatchObject({ feeds: 0 });
  });

  it('follows nothing where it could not be made', async () => {
    const inner = memory();
    let fails = true;
    const head: Store['head'] = (taskId) => {
      if (fails) throw new Error('The store is away');
      return inner.head(taskId);
    };
    const store = withStore(inner, { head });
    const puppets = new Puppeteer();
    const { engine } = await node(store, puppets);
    const { id } = await start(engine);
    const refused = noting(id, { name: 'hook' });
    await expect(engine.follow(refused.following)).rejects.toThrow('The store is away');
    fails = false;
    await write(puppets, id, 3);
    expect(refused.seen).toEqual([]);
    const again = noting(id, { name: 'hook' });
    const follower = await engine.follow(again.following);
    puppets.of(id).end({ state: 'completed' });
    await follower.ended;
    expect(again.seen).toEqual(await seqsOf(store, id));
    expect(refused.seen).toEqual([]);
    expect(engine.load).toMatchObject({ feeds: 0 });
  });

  it('is told when it is to stop, and leaves its position', async () => {
    const store = memory();
    const puppets = new Puppeteer();
    const { engine } = await node(store, puppets);
    const { id } = await start(engine);
    const deal: Following['deal'] = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const follower = await engine.follow({ taskId: id, after: 0, name: 'hook', deal });
    await settle();
    await follower.close();
    expect(await store.cursor(id, 'hook')).toMatchObject({ seq: 0, lease: { node: null } });
  });

  it('goes on after a crash where its stored position is', async () => {
    const store = memory();
    const puppets = new Puppeteer();
    const first = await node(store, puppets);
    const { id } = await start(first.engine);
    const before = noting(id, { name: 'hook' });
    let isDead = false;
    const deal: Following['deal'] = (events) => (isDead ? new Promise(() => {}) : before.deal(events));
    await first.engine.follow({ ...before.following, deal });
    await write(puppets, id, 3);
    isDead = true;
    await write(puppets, id, 2);
    const second = await node(store, puppets);
    await settle();
    const after = noting(id, { name: 'hook' });
    await (await second.engine.follow(after.following)).ended;
    const log = await seqsOf(store, id);
    expect([...before.seen, ...after.seen]).toEqual(log);
    expect(after.seen.length).toBeGreaterThan(2);
    expect(await store.cursor(id, 'hook')).toMatchObject({ seq: log.length, lease: { node: null } });
  });
});

describe('followers under one name on two nodes', () => {
  async function pair() {
    const store = memory({ shared: true });
    const bus = localBus();
    const puppets = new Puppeteer();
    const [one, two] = [await node(store, puppets, bus), await node(store, puppets, bus)];
    const { id } = await start(one.engine);
    return { store, puppets, one, two, id };
  }

  it('share the work: one of them deals with each event', async () => {
    const { store, puppets, one, two, id } = await pair();
    const first = noting(id, { name: 'hook' });
    const second = noting(id, { name: 'hook' });
    await one.engine.follow(first.following);
    await settle();
    const waiting = await two.engine.follow(second.following);
    await write(puppets, id, 5);
    puppets.of(id).end({ state: 'completed' });
    await settle(20);
    for (let round = 0; round < 5; round += 1) await two.clock.advance(10_000);
    expect(first.seen).toEqual(await seqsOf(store, id));
    expect(second.seen).toEqual([]);
    await waiting.ended;
  });

  it('hand over when one closes', async () => {
    const { store, puppets, one, two, id } = await pair();
    const first = noting(id, { name: 'hook' });
    const second = noting(id, { name: 'hook' });
    const follower = await one.engine.follow(first.following);
    await write(puppets, id, 2);
    await follower.close();
    const next = await two.engine.follow(second.following);
    await write(puppets, id, 2);
    puppets.of(id).end({ state: 'completed' });
    await next.ended;
    expect([...first.seen, ...second.seen]).toEqual(await seqsOf(store, id));
    expect(second.seen.length).toBeGreaterThan(0);
  });

  it('move when a node dies, and the dead one can no longer move the position', async () => {
    const { store, puppets, one, two, id } = await pair();
    const gate = Promise.withResolvers<void>();
    let isStuck = false;
    const first = noting(id, { name: 'hook' });
    const deal: Following['deal'] = async (events) => {
      if (isStuck) await gate.promise;
      return first.deal(events);
    };
    await one.engine.follow({ ...first.following, deal });
    await write(puppets, id, 2);
    isStuck = true;
    await write(puppets, id, 2);
    const second = noting(id, { name: 'hook' });
    const next = await two.engine.follow(second.following);
    await settle();
    expect(second.seen).toEqual([]);
    // Only the second node's time goes on: the first one's heartbeat runs out, and its task fails.
    for (let round = 0; round < 8; round += 1) await two.clock.advance(5_000);
    await next.ended;
    const log = await seqsOf(store, id);
    expect([...first.seen, ...second.seen]).toEqual(log);
    const position = await store.cursor(id, 'hook');
    gate.resolve();
    await settle();
    expect(await store.cursor(id, 'hook')).toEqual(position);
    expect(position).toMatchObject({ seq: log.length });
  });
});
