import { A2AClient, type Task } from 'parley-a2a';
import { type ClusterLogEntry, checkClusterLog } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { digestOf } from '../../src/testing/cluster/digest.ts';
import { textDigestOf } from '../../src/testing/cluster/recorded-client.ts';
import { orderOf, textOfOrder } from './support/agents.ts';
import { Cluster } from './support/cluster.ts';
import { readEntries } from './support/local-run.ts';
import { openPair, WITHOUT_STANDBY } from './support/standby.ts';
import { Work } from './support/work.ts';

const title = (text: string) => (WITHOUT_STANDBY ? `${text} (${WITHOUT_STANDBY})` : text);
/** Tasks that are begun before the primary dies, and after the standby has taken its place. */
const TASKS = 24;
const ORDER = orderOf('before', 3);

it.skipIf(WITHOUT_STANDBY)(title('a failover to a synchronous standby loses and doubles nothing'), async () => {
  const pair = await openPair();
  const cluster = await Cluster.start({ nodes: 2, postgres: pair });
  const clients: ClusterLogEntry[] = [];
  let isOver = false;
  try {
    const log = (entry: ClusterLogEntry) => void clients.push(entry);
    const work = new Work({ url: cluster.url, log, seed: 19, atOnce: 12, goesOn: () => !isOver });
    const nodes = await Promise.all(cluster.nodes.map(async ({ port }) => `http://127.0.0.1:${await port}`));
    const before = (await new A2AClient(nodes[0] ?? '').sendMessage(ORDER)) as Task;
    const working = work.run();
    await Promise.race([expect.poll(() => work.begun).toBeGreaterThan(TASKS), working]);

    await pair.killPrimary();
    for (const answer of await Promise.all(nodes.flatMap((url) => askInVain(url, before.id)))) {
      expect(answer).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/), reason: 'UNAVAILABLE' });
    }
    await expect.poll(() => cluster.balancer.ready).toBe(0);
    // Streams outlast it. Every other one is cut, so that its client goes on at whichever node is ready first.
    let count = 0;
    cluster.balancer.relay.cut(() => count++ % 2 === 0);

    // The address may move before the standby takes writes: nodes are refused, and wait on.
    pair.moveAddress();
    await expect.poll(() => cluster.databaseOf(0).connections + cluster.databaseOf(1).connections).toBeGreaterThan(0);
    await pair.promote();
    await expect.poll(() => cluster.balancer.ready).toBe(nodes.length);
    const begun = work.begun;
    await Promise.race([expect.poll(() => work.begun).toBeGreaterThan(begun + TASKS), working]);
    isOver = true;
    await working;
    await work.look();

    const { findings, seen } = await checkClusterLog(async function* () {
      yield* clients;
      yield* readEntries(cluster.commitLogs);
    });
    expect(findings, cluster.lines).toEqual([]);
    expect(seen.tasks).toBeGreaterThan(2 * TASKS);
    expect(seen.reconnects).toBeGreaterThan(0);
    expect(seen.commits).toBeGreaterThan(seen.tasks);
    // What may go on after its node lost its lease, and was not canceled, has gone on.
    const states = clients.flatMap((entry) =>
      entry.kind === 'task' && work.resumable.has(entry.taskId) && !work.canceled.has(entry.taskId) ? entry.state : [],
    );
    expect(new Set(states), cluster.lines).toEqual(new Set(['completed']));
    for (const url of nodes) {
      expect(textDigestOf(await new A2AClient(url).getTask(before.id))).toBe(digestOf(textOfOrder(ORDER)));
    }
    // Nobody restarted the nodes.
    expect(cluster.nodes.map(({ name, isRunning }) => [name, isRunning])).toEqual([
      ['n1.1', true],
      ['n2.1', true],
    ]);
  } finally {
    isOver = true;
    await cluster.stop();
  }
});

/** What one node answers to requests that need the database, while there is none. */
function askInVain(url: string, id: string) {
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: orderOf('vain', 1) }] };
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const requests = [
    fetch(`${url}/a2a/message:send`, { method: 'POST', headers, body: JSON.stringify({ message }) }),
    fetch(`${url}/a2a/tasks/${id}`, { headers }),
  ];
  return requests.map(async (request) => {
    const response = await request;
    const { error } = (await response.json()) as { readonly error?: { readonly status?: string } };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), reason: error?.status };
  });
}
