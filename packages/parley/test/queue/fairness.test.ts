import { expect, it } from 'vitest';
import { SCOPE, sendCall, settle, userMessage } from '../engine/support/puppet.ts';
import { MortalNodes } from './mortal-nodes.ts';
import { cluster, start } from './nodes.ts';

it('spreads the tasks of a dead node over those that have slots', async () => {
  const nodes = new MortalNodes(true);
  const dead = await nodes.add(6);
  const ids: string[] = [];
  for (const text of ['1', '2', '3', '4', '5', '6']) ids.push((await start(dead.engine, text)).id);
  const [one, two] = [await nodes.add(2), await nodes.add(2)];
  dead.dieAt('now');
  await nodes.world.pass(30_000, 500);
  expect([one.runs.length, two.runs.length]).toEqual([2, 2]);
  expect((await nodes.store.queue?.queueState())?.turns).toBe(2);
  for (const { runs } of [one, two]) runs[0]?.end({ state: 'completed' });
  await nodes.world.pass(1000);
  expect([one.runs.length, two.runs.length]).toEqual([3, 3]);
  const taken = [...one.runs, ...two.runs];
  expect(new Set(taken.map(({ handle }) => handle.taskId))).toEqual(new Set(ids));
  for (const { handle } of taken) expect(handle.attempt).toBe(2);
  await nodes.close();
});

it.each([
  false,
  true,
])('a turn whose claimer dies before it begins is claimed again (resumable: %s)', async (isResumable) => {
  const nodes = new MortalNodes(isResumable);
  const [busy, claimer] = [await nodes.add(1), await nodes.add(1)];
  await start(busy.engine, 'long');
  claimer.dieAt('claim');
  const { id } = await start(busy.engine, 'waits');
  await nodes.world.pass(100, 10);
  expect(claimer.isDead).toBe(true);
  expect((await nodes.store.head(id))?.lease.node).toBe(claimer.engine.node);
  const third = await nodes.add(1);
  await nodes.world.pass(30_000, 500);
  expect(third.runs.map(({ handle }) => [handle.taskId, handle.attempt])).toEqual([[id, 1]]);
  await nodes.close();
});

it('a node that drains claims nothing, and what would begin there waits for another one', async () => {
  const { add, begun } = cluster();
  const [one, two] = [await add({ limits: { runs: 1 }, drainTimeout: 60_000 }), await add({ limits: { runs: 1 } })];
  const asking = await start(one.engine, 'asks');
  one.puppets.of(asking.id).end({ state: 'input-required' });
  await expect.poll(async () => (await two.engine.get(SCOPE, { id: asking.id })).status.state).toBe('input-required');
  const long = await start(one.engine, 'long');
  const other = await start(two.engine, 'other');
  const draining = one.engine.drain();
  await one.engine.send(sendCall(userMessage('the answer', { taskId: asking.id })));
  await start(two.engine, 'one more');
  one.puppets.of(long.id).end({ state: 'completed' });
  await draining;
  await settle(20);
  expect(begun).toEqual(['asks', 'long', 'other']);
  two.puppets.of(other.id).end({ state: 'completed' });
  await expect.poll(() => begun.at(-1)).toBe('the answer');
  two.puppets.of(asking.id).end({ state: 'completed' });
  await expect.poll(() => begun.at(-1)).toBe('one more');
  expect(one.puppets.runs.length).toBe(2);
});
