import { A2AClient, type Task } from 'parley-a2a';
import { type ClusterLogEntry, checkClusterLog } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { digestOf } from '../../src/testing/cluster/digest.ts';
import { textDigestOf } from '../../src/testing/cluster/recorded-client.ts';
import { orderOf, textOfOrder } from './support/agents.ts';
import { Cluster } from './support/cluster.ts';
import { openPair, WITHOUT_STANDBY } from './support/standby.ts';
import { Work } from './support/work.ts';

const title = (text: string) => (WITHOUT_STANDBY ? `${text} (${WITHOUT_STANDBY})` : text);
/** Tasks that are begun before the primary dies, and after the standby has taken its place. */
const TASKS = 24;
const ORDER = orderOf('before', 3);

it.skipIf(WITHOUT_STANDBY)(title('a failover to a synchronous standby loses and doubles nothing'), async () => {
  const { findings, seen, states, before, nodes, lines } = await failOver({ isSynchronous: true });
  expect(findings, lines).toEqual([]);
  expect(seen.tasks).toBeGreaterThan(2 * TASKS);
  expect(seen.reconnects).toBeGreaterThan(0);
  expect(seen.commits).toBeGreaterThan(seen.tasks);
  expect(new Set(states), lines).toEqual(new Set(['completed']));
  const text = digestOf(textOfOrder(ORDER));
  expect(before).toEqual([text, text]);
  // Nobody restarted the nodes.
  expect(nodes).toEqual(['n1.1 is running: true', 'n2.1 is running: true']);
});

it.skipIf(WITHOUT_STANDBY)(title('a failover to a standby that lags behind is found out'), async () => {
  const { findings, lines } = await failOver({ isSynchronous: false });
  expect(new Set(findings.map(({ fault }) => fault)), lines).toContain('task-missing');
});

/** Two nodes under load, whose database dies and is replaced by its standby: one that has all, or one that lags behind. */
async function failOver({ isSynchronous }: { readonly isSynchronous: boolean }) {
  const pair = await openPair({ isSynchronous });
  const cluster = await Cluster.start({ nodes: 2, postgres: pair });
  const clients: ClusterLogEntry[] = [];
  let isOver = false;
  try {
    const log = (entry: ClusterLogEntry) => void clients.push(entry);
    const work = new Work({ url: cluster.url, log, seed: 19, atOnce: 12, goesOn: () => !isOver });
    const urls = await Promise.all(cluster.nodes.map(async ({ port }) => `http://127.0.0.1:${await port}`));
    const { id } = (await new A2AClient(cluster.url).sendMessage(ORDER)) as Task;
    if (!isSynchronous) await pair.cutOff();
    const working = work.run();
    await Promise.race([expect.poll(() => work.begun).toBeGreaterThan(TASKS), working]);

    await pair.killPrimary();
    for (const answer of await Promise.all(urls.flatMap((url) => askInVain(url, id)))) {
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
    await expect.poll(() => cluster.balancer.ready).toBe(urls.length);
    const begun = work.begun;
    await Promise.race([expect.poll(() => work.begun).toBeGreaterThan(begun + TASKS), working]);
    isOver = true;
    await working;
    await work.look();

    const report = await checkClusterLog(async function* () {
      yield* clients;
      yield* cluster.commits();
    });
    return {
      ...report,
      /** Of tasks that may go on after their node lost its lease, and which nobody canceled. */
      states: clients.flatMap((entry) =>
        entry.kind === 'task' && work.resumable.has(entry.taskId) && !work.canceled.has(entry.taskId)
          ? entry.state
          : [],
      ),
      /** The text of a task that had ended before, as each node has it. */
      before: await Promise.all(urls.map((url) => new A2AClient(url).getTask(id).then(textDigestOf, String))),
      nodes: cluster.nodes.map(({ name, isRunning }) => `${name} is running: ${isRunning}`),
      lines: cluster.lines,
    };
  } finally {
    isOver = true;
    await cluster.stop();
  }
}

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
