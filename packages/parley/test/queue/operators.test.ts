import { A2AServer, memory } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { samplesOf } from '../telemetry/samples.ts';

const SILENT = { error: () => {}, warn: () => {} };

function servers() {
  const [store, bus] = [memory({ shared: true }), localBus()];
  const open = gate();
  const agent = agentOf(() => open.promise.then(() => 'done'));
  const add = async (role: 'all' | 'front' | 'worker') => {
    const server = new A2AServer({
      agents: [agent],
      store,
      bus,
      role,
      metrics: true,
      anonymous: 'shared',
      limits: { runs: 1, pollInterval: 50 },
      drainTimeout: 0,
      log: SILENT,
    });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    return { url: server.url ?? '', peer: new RpcPeer(server.fetch) };
  };
  return { add, open };
}

interface Ready {
  readonly code: number;
  readonly checks: readonly { readonly name: string }[];
}

async function readyOf({ url }: { readonly url: string }): Promise<Ready> {
  const response = await fetch(`${url}/readyz?verbose`);
  const { checks } = (await response.json()) as Pick<Ready, 'checks'>;
  return { code: response.status, checks };
}

/** The values of `/metrics`, by name and labels. */
async function metricsOf({ url }: { readonly url: string }): Promise<Readonly<Record<string, number>>> {
  const samples = samplesOf(await (await fetch(`${url}/metrics`)).text());
  return Object.fromEntries(
    samples.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
  );
}

it('a front says where no node is alive that runs tasks, and is ready all the same', async () => {
  const { add, open } = servers();
  const front = await add('front');
  const task = await front.peer.send('go', {}, { returnImmediately: true });
  expect(task.status.state).toBe('TASK_STATE_SUBMITTED');
  const alone = await readyOf(front);
  expect(alone.code).toBe(200);
  expect(alone.checks.find(({ name }) => name === 'workers')).toEqual({
    name: 'workers',
    status: 'warning',
    message: 'No node is alive that runs tasks: 1 wait for one',
  });
  const worker = await add('worker');
  await readyOf(worker);
  open.resolve();
  await expect
    .poll(async () => (await front.peer.call('GetTask', { id: task.id })).status.state)
    .toBe('TASK_STATE_COMPLETED');
  expect((await readyOf(front)).checks.at(-1)).toEqual({ name: 'workers', status: 'ok' });
  expect((await readyOf(worker)).checks.map(({ name }) => name)).not.toContain('workers');
});

it('metrics show nodes, leases, what waits, what was claimed, and how far readers are behind', async () => {
  const { add, open } = servers();
  const [front, worker] = [await add('front'), await add('worker')];
  await readyOf(worker);
  const tasks: { readonly id: string }[] = [];
  for (const text of ['one', 'two', 'three']) tasks.push(await front.peer.send(text, {}, { returnImmediately: true }));
  await expect
    .poll(async () => (await front.peer.call('GetTask', { id: tasks[0]?.id })).status.state)
    .toBe('TASK_STATE_WORKING');
  expect((await metricsOf(worker)).parley_turns_claimed_total).toBe(1);
  const before = await metricsOf(front);
  expect(before).toMatchObject({
    'parley_nodes front': 1,
    'parley_nodes worker': 1,
    'parley_nodes all': 0,
    parley_turns_queued: 2,
    parley_leases: 0,
  });
  expect(before.parley_turns_queued_oldest_seconds).toBeGreaterThan(0);
  expect((await metricsOf(worker)).parley_leases).toBe(1);
  expect(before.parley_event_lag_seconds_count ?? 0).toBe(0);
  const watched = await front.peer.open('SubscribeToTask', { id: tasks[0]?.id });
  open.resolve();
  await watched.rest();
  expect((await metricsOf(front)).parley_event_lag_seconds_count).toBeGreaterThan(0);
  expect((await metricsOf(worker)).parley_event_lag_seconds_count ?? 0).toBe(0);
  for (const { id } of tasks) {
    await expect.poll(async () => (await front.peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
  }
  expect((await metricsOf(worker)).parley_turns_claimed_total).toBe(3);
});
