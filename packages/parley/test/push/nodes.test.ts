import { A2AServer, memory } from 'parley-a2a';
import type { Store } from 'parley-a2a/ports';
import { expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { isCompleted, startReceiver, toldBy } from './receiver.ts';
import { LOCAL, register } from './support.ts';

/** Two nodes on one store, each with its own way to it. */
function twoNodes(run: () => AsyncGenerator<string>, viaOf = (store: Store, _index: number): Store => store) {
  const [store, bus] = [memory({ shared: true }), localBus()];
  const nodes = [0, 1].map((index) => {
    const server = new A2AServer({
      agents: [agentOf(run)],
      anonymous: 'shared',
      store: viaOf(store, index),
      bus,
      push: LOCAL,
      drainTimeout: 0,
      limits: { pollInterval: 50 },
      log: { error: () => {}, warn: () => {} },
    });
    onTestFinished(() => server.close());
    return new RpcPeer(server.fetch);
  });
  return nodes as [RpcPeer, RpcPeer];
}

it('tells a webhook once of a task that another node runs, whichever node it was registered at', async () => {
  const open = gate();
  const [writer, other] = twoNodes(async function* () {
    await open.promise;
    yield 'done';
  });
  const [here, there] = [await startReceiver(), await startReceiver()];
  const task = await writer.send('go', {}, { returnImmediately: true });
  await register(other, task.id, { id: 'there', url: there.url });
  await register(writer, task.id, { id: 'here', url: here.url });
  open.resolve();
  for (const receiver of [here, there]) {
    await receiver.untilBody(isCompleted);
    expect(receiver.accepted.map(toldBy)).toEqual(['done', 'completed']);
  }
  await other.call('DeleteTaskPushNotificationConfig', { taskId: task.id, id: 'here' });
  expect((await writer.call('ListTaskPushNotificationConfigs', { taskId: task.id })).configs).toHaveLength(1);
});

it('tells a webhook all of a task that another node runs, where the store failed as it began to follow', async () => {
  const open = gate();
  let failures = 0;
  /** The first look at the task after its webhooks were read to be told fails. */
  const failing = (store: Store): Store => {
    let isAboutToFollow = false;
    return withStore(store, {
      async listPushConfigs(query) {
        isAboutToFollow = failures === 0 && query.taskId !== undefined && query.limit > 10_000;
        return store.listPushConfigs(query);
      },
      async head(taskId) {
        if (!isAboutToFollow) return store.head(taskId);
        isAboutToFollow = false;
        failures += 1;
        throw new Error('The store is away for a moment');
      },
    });
  };
  const run = async function* () {
    await open.promise;
    yield 'done';
  };
  const [writer, other] = twoNodes(run, (store, index) => (index === 1 ? failing(store) : store));
  const receiver = await startReceiver();
  const task = await writer.send('go', {}, { returnImmediately: true });
  await register(other, task.id, { url: receiver.url });
  await eventually(() => failures).toBe(1);
  open.resolve();
  await receiver.untilBody(isCompleted);
  expect(receiver.accepted.map(toldBy)).toEqual(['done', 'completed']);
});
