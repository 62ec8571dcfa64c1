import { A2AClient } from 'parley-a2a';
import { type ClusterLogEntry, checkClusterLog } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { countOf } from '../support/full.ts';
import { orderOf, textOfOrder } from './support/agents.ts';
import { Cluster } from './support/cluster.ts';
import { Work } from './support/work.ts';

const ROUNDS = countOf(1, 5);

/** One request more where the first one fails, and no third. By then the balancer knows which node is not ready, also on a busy machine. */
const ONCE_MORE = { attempts: 2, firstDelay: 3000, longestDelay: 10_000 };

/** Time that a node gives its runs to end. */
const DRAIN_MS = 2000;
/** Tasks of 2.4 s and more: whichever node ends, some stream outlasts its drain and must be resumed. */
const OUTLASTING: readonly [number, number] = [120, 200];

it('a rolling restart of three nodes under load fails no request twice and loses no event', async () => {
  const cluster = await Cluster.start({ drainTimeout: DRAIN_MS });
  const entries: ClusterLogEntry[] = [];
  let isOver = false;
  try {
    const goesOn = () => !isOver;
    const log = (entry: ClusterLogEntry) => void entries.push(entry);
    const client = { retry: ONCE_MORE, reconnect: { ...ONCE_MORE, idleTimeout: 10_000 } };
    const work = new Work({ url: cluster.url, log, seed: 4, atOnce: 8, chunks: OUTLASTING, goesOn, client });
    const caller = new A2AClient(cluster.url, { retry: ONCE_MORE });
    let answered = 0;
    /** Requests that wait for the end of their task, and reads of it, one after the other. */
    const ask = async () => {
      while (!isOver) {
        const order = orderOf(`r${answered}`, 5);
        const task = await caller.sendMessage(order);
        if (!('status' in task)) throw new Error('A task was expected');
        const found = await caller.getTask(task.id);
        expect([found.status.state, await textIn(found)]).toEqual(['completed', textOfOrder(order)]);
        answered += 1;
      }
    };
    const working = Promise.all([work.run(), ask(), ask()]);
    for (let place = 0; place < ROUNDS * cluster.nodes.length; place += 1) {
      const before = work.begun;
      await Promise.race([expect.poll(() => work.begun).toBeGreaterThan(before + 8), working]);
      expect(await cluster.end(place % cluster.nodes.length, 'SIGTERM')).toBe(0);
      await cluster.begin(place % cluster.nodes.length);
      await expect.poll(() => cluster.balancer.ready).toBe(cluster.nodes.length);
    }
    isOver = true;
    await working;
    await work.look();
    const { findings, seen } = await checkClusterLog(() => entries);
    expect(findings, cluster.lines).toEqual([]);
    expect(answered).toBeGreaterThan(0);
    expect(seen.reconnects).toBeGreaterThan(0);
    expect(cluster.lookForCrashes()).toEqual([]);
  } finally {
    isOver = true;
    await cluster.stop();
  }
});

async function textIn({ artifacts }: { readonly artifacts: readonly { readonly parts: readonly object[] }[] }) {
  return artifacts.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : ''))).join('');
}
