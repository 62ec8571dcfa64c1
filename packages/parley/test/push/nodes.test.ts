import { A2AServer, memory } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { isCompleted, startReceiver, toldBy } from './receiver.ts';
import { LOCAL, register } from './support.ts';

it('tells a webhook once of a task that another node runs, whichever node it was registered at', async () => {
  const [store, bus] = [memory({ shared: true }), localBus()];
  const open = gate();
  const agent = agentOf(async function* () {
    await open.promise;
    yield 'done';
  });
  const nodes = [1, 2].map(() => {
    const server = new A2AServer({
      agents: [agent],
      anonymous: 'shared',
      store,
      bus,
      push: LOCAL,
      drainTimeout: 0,
      limits: { pollInterval: 50 },
      log: { error: () => {}, warn: () => {} },
    });
    onTestFinished(() => server.close());
    return new RpcPeer(server.fetch);
  });
  const [writer, other] = nodes as [RpcPeer, RpcPeer];
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
