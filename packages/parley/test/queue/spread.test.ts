import { expect, it } from 'vitest';
import { SCOPE } from '../engine/support/puppet.ts';
import { cluster, type Node, start } from './nodes.ts';

const LIMITS = { runs: 2 };

/** Ends every run that is open, until so many have begun. */
async function work(nodes: readonly Node[], count: number): Promise<void> {
  const ended = new Set<unknown>();
  await expect
    .poll(() => {
      for (const { puppets } of nodes) {
        for (const run of puppets.runs) {
          if (ended.has(run)) continue;
          ended.add(run);
          run.end({ state: 'completed' });
        }
      }
      return ended.size;
    })
    .toBe(count);
}

it('runs what one node was sent on all of them, each turn once', async () => {
  const { add, begun, store } = cluster();
  const nodes = [await add({ limits: LIMITS }), await add({ limits: LIMITS }), await add({ limits: LIMITS })];
  const [one] = nodes;
  if (!one) throw new Error('There are nodes');
  const texts = Array.from({ length: 120 }, (_, index) => `task ${index}`);
  const tasks = await Promise.all(texts.map((text) => start(one.engine, text)));
  await work(nodes, 120);
  expect([...begun].sort()).toEqual([...texts].sort());
  for (const { puppets } of nodes) expect(puppets.runs.length).toBeGreaterThan(5);
  for (const { id } of tasks) {
    await expect.poll(async () => (await one.engine.get(SCOPE, { id })).status.state).toBe('completed');
  }
  expect(await store.queue?.queueState()).toEqual({ turns: 0, oldest: undefined });
});

it('spreads what one node was sent also where no node has a limit of runs', async () => {
  const { add, begun } = cluster();
  const nodes = [await add(), await add(), await add()];
  const [one] = nodes;
  if (!one) throw new Error('There are nodes');
  const texts = Array.from({ length: 120 }, (_, index) => `task ${index}`);
  await Promise.all(texts.map((text) => start(one.engine, text)));
  await expect.poll(() => begun.length).toBe(120);
  expect(new Set(begun).size).toBe(120);
  for (const { puppets } of nodes) expect(puppets.runs.length).toBeGreaterThan(5);
});

it('runs a few tasks where they came in', async () => {
  const { add } = cluster();
  const [one, other] = [await add(), await add()];
  for (let index = 0; index < 5; index += 1) await start(one.engine, `task ${index}`);
  expect(one.puppets.runs.length).toBe(5);
  expect(other.puppets.runs.length).toBe(0);
});

it('runs what others have less to do for and leave waiting, as they do not host the agent', async () => {
  const { add, begun } = cluster();
  const [one] = [await add({ limits: { pollInterval: 50 } }), await add({ runners: [] })];
  const texts = Array.from({ length: 40 }, (_, index) => `task ${index}`);
  await Promise.all(texts.map((text) => start(one.engine, text)));
  await expect.poll(() => begun.length).toBe(40);
  expect(one.puppets.runs.length).toBe(40);
});
