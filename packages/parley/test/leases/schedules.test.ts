import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/ports.ts';
import type { RunHandle, Runner } from '../../src/engine/turn/runner.ts';
import { textOf } from '../../src/model/parts.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { SCOPE } from '../engine/support/puppet.ts';
import { countOf } from '../support/full.ts';
import { Chance } from './support/chance.ts';
import { Client } from './support/client.ts';
import { chunk, Nodes } from './support/nodes.ts';
import { writtenLog } from './support/written-log.ts';

const STEPS = 12;

/** Counts in steps, each of which takes a while of its node's time. */
const counter: Runner = {
  name: 'puppet',
  resumable: true,
  async run(handle: RunHandle) {
    for (let number = 0; number < STEPS; number += 1) {
      await handle.steps.perform(`${number}`, async () => {
        await new Promise<void>((resolve) => void handle.after(1_500, resolve));
        return number;
      });
      await handle.output.chunk(chunk(`${number} `));
    }
    return { state: 'completed' };
  },
};

const EXPECTED = Array.from({ length: STEPS }, (_, number) => `${number} `).join('');

/** Three nodes that are stopped, cut off and healed as a seed says, and what their clients saw meanwhile. */
async function run(seed: number, sabotage: (inner: Store) => Store = (inner) => inner): Promise<readonly string[]> {
  const chance = new Chance(seed);
  const written: ReturnType<typeof writtenLog>[] = [];
  const cluster = new Nodes({
    runner: counter,
    limits: { resumes: 1000 },
    store: (world) => {
      const log = writtenLog(sabotage(memory({ shared: true, now: () => world.time })));
      written.push(log);
      return log.store;
    },
  });
  const { world, store } = cluster;
  const nodes = [await cluster.open(), await cluster.open(), await cluster.open()] as const;
  const place = { nodes, chance, clock: world.clock(), store };
  const clients = Array.from({ length: 5 }, (_, index) => new Client(`client-${index}`, place));
  let left = clients.length;
  const lives = clients.map(async (client) => {
    await client.live();
    left -= 1;
  });
  const over = Promise.all(lives);
  over.catch(() => {
    left = 0;
  });
  for (let action = 0; action < 14; action += 1) {
    const { clock, line } = chance.of(nodes);
    const acts = [
      () => clock.stop(),
      () => clock.goOn(),
      () => line.begin(chance.of(['fails', 'hangs', 'swallows'])),
      () => line.end(),
      () => {
        clock.skew = chance.between(-60_000, 60_000);
      },
    ] as const;
    chance.of(acts)();
    await world.pass(chance.between(200, 6_000));
  }
  for (const { clock, line } of nodes) {
    line.end();
    clock.goOn();
  }
  // All of them come to their end; a bound, so that one which does not is told.
  for (let second = 0; second < 300 && left > 0; second += 1) await world.pass(1_000);
  if (left > 0) return [`${left} clients have not come to an end`];
  await over;
  const problems = (await Promise.all(clients.map((client) => client.check()))).flat();
  for (const { taskId } of clients) {
    const task = await nodes[0].engine.get(SCOPE, { id: taskId ?? '' });
    const text = textOf(task);
    if (task.status.state !== 'completed' || text !== EXPECTED) {
      problems.push(`A task is ${task.status.state} with ${text}: ${JSON.stringify(task.status.message)}`);
    }
  }
  return [...problems, ...written.flatMap((log) => log.problems())];
}

describe('nodes that are stopped, cut off and healed', () => {
  const first = Number(process.env.LEASE_SEED ?? 1);
  const seeds = Array.from({ length: countOf(40, 1000) }, (_, index) => first + index);

  it.for(seeds)('show each client each event once, and lose none (seed %i)', async (seed) => {
    expect(await run(seed)).toEqual([]);
  });

  it('would not, on a store that takes the commits of a node whose lease is over: it is found', async () => {
    const unfenced = (inner: Store) =>
      withStore(inner, {
        commit: async (entries) => {
          const loose = entries.map(async (entry) => {
            const head = entry.kind === 'task' ? await inner.head(entry.head.id) : undefined;
            if (!head || entry.kind !== 'task') return entry;
            return { ...entry, expectedSeq: head.seq, expectedLease: head.lease.number };
          });
          return inner.commit(await Promise.all(loose));
        },
      });
    const found = await Promise.all(
      seeds.slice(0, 6).map((seed) => run(seed, unfenced).catch((error) => [String(error)])),
    );
    expect(found.flat().length).toBeGreaterThan(0);
  });
});
