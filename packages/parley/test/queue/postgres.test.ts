import { postgres } from 'parley-a2a/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { SCOPE } from '../engine/support/puppet.ts';
import { openDatabase } from '../support/postgres/postgres.ts';
import { type Cluster, cluster, type Node, start } from './nodes.ts';

it('runs what one node was sent on all of them, each turn once, on Postgres', async () => {
  const database = await openDatabase();
  // Nodes are closed before: what was asked for last is done first.
  onTestFinished(() => database.drop());
  const nodes: (Node & Pick<Cluster, 'begun'>)[] = [];
  for (let number = 0; number < 3; number += 1) {
    const store = postgres(database.url);
    const group = cluster(store, store.bus?.());
    const node = await group.add({ limits: { runs: 2 } });
    nodes.push({ ...node, begun: group.begun });
  }
  const [one] = nodes;
  if (!one) throw new Error('There are nodes');
  const texts = Array.from({ length: 60 }, (_, index) => `task ${index}`);
  const tasks = await Promise.all(texts.map((text) => start(one.engine, text)));
  const ended = new Set<unknown>();
  await expect
    .poll(() => {
      for (const run of nodes.flatMap(({ puppets }) => puppets.runs)) {
        if (!ended.has(run)) run.end({ state: 'completed' });
        ended.add(run);
      }
      return ended.size;
    })
    .toBe(60);
  expect(nodes.flatMap(({ begun }) => begun).toSorted()).toEqual(texts.toSorted());
  for (const { puppets } of nodes) expect(puppets.runs.length).toBeGreaterThan(2);
  for (const { id } of tasks) {
    await expect.poll(async () => (await one.engine.get(SCOPE, { id })).status.state).toBe('completed');
  }
});
