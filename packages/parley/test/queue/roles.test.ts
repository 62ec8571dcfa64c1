import { expect, it } from 'vitest';
import { memory } from '../../src/stores/memory.ts';
import { manualClock } from '../engine/support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, settle } from '../engine/support/puppet.ts';
import { cluster, start } from './nodes.ts';

it('a front runs nothing: tasks wait until a worker is there', async () => {
  const { add, begun, store } = cluster();
  const front = await add({ role: 'front' });
  const task = await start(front.engine, 'one');
  await settle(20);
  expect(task.status.state).toBe('submitted');
  expect(begun).toEqual([]);
  const worker = await add({ role: 'worker' });
  await expect.poll(() => begun).toEqual(['one']);
  expect(front.puppets.runs).toEqual([]);
  worker.puppets.of(task.id).end({ state: 'completed' });
  await expect.poll(async () => (await front.engine.get(SCOPE, { id: task.id })).status.state).toBe('completed');
  const { id } = await start(front.engine, 'two');
  await expect.poll(() => begun).toEqual(['one', 'two']);
  expect((await store.head(id))?.lease.node).toMatch(/^worker-/);
  expect(front.engine.node).toMatch(/^front-/);
});

it('a front leaves the tasks of dead nodes to others', async () => {
  const clock = manualClock();
  const { add, store } = cluster();
  const dead = await add({ clock: manualClock() });
  const front = await add({ role: 'front', clock });
  const task = await start(dead.engine, 'one');
  await clock.advance(60_000);
  await settle(20);
  expect((await front.engine.get(SCOPE, { id: task.id })).status.state).toBe('working');
  const worker = await add({ clock });
  await clock.advance(60_000);
  await expect.poll(async () => (await store.head(task.id))?.status.state).toBe('failed');
  expect(worker.puppets.runs).toEqual([]);
});

it('a front needs a store that others share, and roles are what they are', () => {
  const on = (role: never, shared: boolean) => () => engineOn(memory({ shared }), new Puppeteer(), { role });
  expect(on('front' as never, false)).toThrow(/store with a queue that other nodes share/);
  expect(on('boss' as never, true)).toThrow(/A role is all, front, worker, not boss/);
  expect(on('worker' as never, false)).not.toThrow();
});
