import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Bus, Store } from '../../src/engine/ports.ts';
import { isTask, type Task } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { unreliableBus } from '../support/nodes/unreliable-bus.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { manualClock } from './support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

async function nodes(bus: Bus, ofTwo: (store: Store) => Store = (store) => store) {
  const store = memory({ shared: true });
  const puppets = new Puppeteer();
  const clock = manualClock();
  const one = engineOn(store, puppets, { bus });
  const two = engineOn(ofTwo(store), puppets, { bus, clock });
  await one.open();
  await two.open();
  return { store, puppets, clock, one, two };
}

async function start(engine: Engine): Promise<Task> {
  const task = await engine.send(sendCall(userMessage('go')));
  if (!isTask(task)) throw new Error('A task was expected');
  return task;
}

/** Reads to the end; resolves with the last state, or with `hangs`. */
async function endOf(engine: Engine, taskId: string, patience = PATIENCE_MS): Promise<string> {
  const subscription = await engine.subscribe(SCOPE, taskId);
  const read = async () => {
    let state = '';
    for await (const { events } of subscription) {
      for (const { event } of events.records) if (event.kind === 'status') state = event.status.state;
    }
    return state;
  };
  const limit = new Promise<string>((resolve) => void setTimeout(resolve, patience, 'hangs'));
  return Promise.race([read(), limit]);
}

/** Counts how often the head of a task is read. */
function countingLooks() {
  const looks = {
    count: 0,
    counted: (store: Store) =>
      withStore(store, {
        head: (taskId) => {
          looks.count += 1;
          return store.head(taskId);
        },
      }),
  };
  return looks;
}

/** Loses every notice. */
const silentBus = (): Bus => ({ ...localBus(), publish: () => {} });

describe('a reader of a task that another node writes', () => {
  it('reads again once its watch is active', async () => {
    const { puppets, one, two } = await nodes(unreliableBus({ activation: 50 }));
    const { id } = await start(one);
    const end = endOf(two, id);
    puppets.of(id).end({ state: 'completed' });
    await settle();
    expect((await two.get(SCOPE, { id })).status.state).toBe('completed');
    expect(await end).toBe('completed');
  });

  it('looks into the store at each interval where no notice comes', async () => {
    const looks = countingLooks();
    const { puppets, clock, one, two } = await nodes(silentBus(), looks.counted);
    const { id } = await start(one);
    const end = endOf(two, id);
    await settle();
    const before = looks.count;
    for (let round = 0; round < 5; round += 1) await clock.advance(2_000);
    expect(looks.count - before).toBe(5);
    puppets.of(id).end({ state: 'completed' });
    await settle();
    await clock.advance(2_000);
    expect(await end).toBe('completed');
    expect(two.load).toMatchObject({ feeds: 0, subscriptions: 0 });
  });

  it('is not looked after when notices come, nor on a store of its own', async () => {
    const looks = countingLooks();
    const { puppets, clock, one, two } = await nodes(localBus(), looks.counted);
    const { id } = await start(one);
    const end = endOf(two, id);
    await settle();
    const before = looks.count;
    await puppets.of(id).handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text: 'x' }], streamed: true });
    await settle();
    await clock.advance(2_000);
    expect(looks.count - before).toBe(0);
    puppets.of(id).end({ state: 'completed' });
    expect(await end).toBe('completed');
  });

  it('goes on where the store could not be read for a while', async () => {
    let failures = 3;
    const failing = (store: Store) =>
      withStore(store, {
        read: (...asked) => {
          failures -= 1;
          if (failures >= 0) throw new Error('The store is away');
          return store.read(...asked);
        },
      });
    const { puppets, clock, one, two } = await nodes(localBus(), failing);
    const { id } = await start(one);
    const end = endOf(two, id);
    await settle();
    puppets.of(id).end({ state: 'completed' });
    await settle();
    for (const delay of [50, 100, 200]) await clock.advance(delay);
    expect(await end).toBe('completed');
  });

  it('goes on where the bus refuses to watch', async () => {
    const bus = localBus();
    const refusing: Bus = { ...bus, watch: () => Promise.reject(new Error('The bus is away')) };
    const { puppets, clock, one, two } = await nodes(refusing);
    const { id } = await start(one);
    const end = endOf(two, id);
    await settle();
    puppets.of(id).end({ state: 'completed' });
    await settle();
    await clock.advance(2_000);
    expect(await end).toBe('completed');
  });

  it('is told when the task is gone', async () => {
    const { store, puppets, clock, one, two } = await nodes(silentBus());
    const { id } = await start(one);
    const end = endOf(two, id);
    await settle();
    puppets.of(id).end({ state: 'completed' });
    await settle();
    await store.purge({ endedBefore: Number.MAX_SAFE_INTEGER, limit: 10 });
    const told = expect(end).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await clock.advance(2_000);
    await told;
  });

  it('does not take the end of a turn away from a send that waits for it', async () => {
    const { puppets, one, two } = await nodes(silentBus());
    const { id } = await start(one);
    const { handle, end } = puppets.of(id);
    const answer = handle.questions.ask({ parts: [{ kind: 'text', text: 'Which?' }] }, 'input-required');
    await settle();
    const sent = two.send(sendCall(userMessage('this one', { taskId: id }), { returnImmediately: false }));
    await answer;
    await settle();
    end({ state: 'completed' });
    await settle();
    // This reader moves the feed on, beyond the status that the send waits for.
    const reader = await two.subscribe(SCOPE, id, { after: 0 });
    expect(await sent).toMatchObject({ id, status: { state: 'completed' } });
    reader.close();
  });

  it('on the node that has lost the lease hears of what the new holder commits', async () => {
    const { store, clock, one, two } = await nodes(silentBus());
    const { id } = await start(two);
    const end = endOf(two, id);
    await settle();
    // Another node takes the lease and ends the task, while this one neither writes nor hears of it.
    const head = await store.head(id);
    if (!head) throw new Error('There is a task');
    const status = { state: 'failed', timestamp: new Date().toISOString() } as const;
    const seq = head.seq + 1;
    await store.commit([
      {
        kind: 'task',
        head: { ...head, seq, status, lease: { number: head.lease.number + 1, node: null } },
        expectedSeq: head.seq,
        expectedLease: head.lease.number,
        events: [{ kind: 'status', seq, time: 0, status, consumed: 2 }],
        bodies: [],
      },
    ]);
    expect((await one.get(SCOPE, { id })).status.state).toBe('failed');
    for (let round = 0; round < 2; round += 1) await clock.advance(2_000);
    expect(await end).toBe('failed');
  });
});
