import { expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import type { Bus } from '../../src/engine/ports.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { SCOPE, sendCall, settle, userMessage } from '../engine/support/puppet.ts';
import { cluster, start } from './nodes.ts';

it('a reader goes on where the node claims a turn while it writes to that task, and the write is refused', async () => {
  const inner = memory({ shared: true });
  let held: Promise<void> | undefined;
  const store = withStore(inner, {
    commit: async (...args: Parameters<typeof inner.commit>) => {
      await held;
      return inner.commit(...args);
    },
  });
  const { add } = cluster(store);
  const { engine, puppets } = await add({ limits: { runs: 1 } });
  const runs = () => puppets.runs.filter(({ handle }) => handle.taskId === id).length;
  const long = await start(engine, 'long');
  const { id } = await start(engine, 'waits');
  const reader = await engine.subscribe(SCOPE, id);
  const states: string[] = [];
  const read = (async () => {
    for await (const { events } of reader) {
      for (const { event } of events.records) if (event.kind === 'status') states.push(event.status.state);
    }
  })();

  // A message is on its way to the store when the node claims the turn, under the next lease.
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const more = engine.send(sendCall(userMessage('more', { taskId: id })));
  await settle();
  puppets.of(long.id).end({ state: 'completed' });
  await expect.poll(async () => (await inner.head(id))?.lease.number).toBeGreaterThan(1);
  await settle();
  held = undefined;
  resolve();
  await more;

  // The message begins a turn of its own. Then nothing of the task is left here but its reader.
  for (const turn of [1, 2]) {
    await expect.poll(runs).toBe(turn);
    puppets.of(id).end({ state: 'input-required' });
  }
  await expect.poll(() => states.at(-1)).toBe('input-required');
  await settle();
  await engine.send(sendCall(userMessage('answer', { taskId: id })));
  await expect.poll(runs).toBe(3);
  puppets.of(id).end({ state: 'completed' });
  await read;
  expect(states.filter((state) => state !== 'working')).toEqual(['input-required', 'input-required', 'completed']);
});

it('a send waits on where a look at the store, begun before its task was committed, responds after the task has left for the queue', async () => {
  const inner = memory({ shared: true });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const missing: string[] = [];
  const store = withStore(inner, {
    head: async (id: string) => {
      const head = await inner.head(id);
      if (head) return head;
      missing.push(id);
      await released;
      return undefined;
    },
  });
  const bus = localBus();
  // A watch that takes a while is followed by a look at the store.
  const { add } = cluster(store, { ...bus, watch: async (...args: Parameters<Bus['watch']>) => bus.watch(...args) });
  const { engine, puppets } = await add({ limits: { runs: 1 } });
  const long = await start(engine, 'long');
  missing.length = 0;
  const sent = engine.send(sendCall(userMessage('waits'), { returnImmediately: false }));
  sent.catch(() => {});
  await expect.poll(() => missing.length).toBe(1);
  const [id = ''] = missing;
  await expect.poll(() => inner.head(id)).toBeDefined();
  await settle();

  release();
  await settle();
  puppets.of(long.id).end({ state: 'completed' });
  await expect.poll(() => puppets.runs.length).toBe(2);
  puppets.of(id).end({ state: 'completed' });
  expect(await sent).toMatchObject({ id, status: { state: 'completed' } });
});
