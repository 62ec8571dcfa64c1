import { A2AServer, authRequired, memory } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const SECRET = 'hunter2-and-more';

function servers(secretKey?: string) {
  const inner = memory({ shared: true });
  const bus = localBus();
  const written: string[] = [];
  const store = withStore(inner, {
    commit: (entries) => {
      written.push(JSON.stringify(entries));
      return inner.commit(entries);
    },
  });
  const agent = agentOf((task) => {
    if (task.previousStatus?.state !== 'auth-required') return authRequired('Your key?');
    return task.text === SECRET ? 'welcome' : 'who are you?';
  });
  const add = (role: 'front' | 'worker') => {
    const log = { error: () => {}, warn: () => {} };
    const more = secretKey === undefined ? {} : { secretKey };
    const server = new A2AServer({
      agents: [agent],
      store,
      bus,
      role,
      anonymous: 'shared',
      drainTimeout: 0,
      log,
      ...more,
    });
    onTestFinished(() => server.close());
    return new RpcPeer(server.fetch);
  };
  return { front: add('front'), worker: add('worker'), written };
}

it('a credential that a front takes reaches the worker, encrypted on its way', async () => {
  const { front, worker, written } = servers('a key of more than sixteen bytes');
  await worker.call('ListTasks', {});
  const asked = await front.send('go');
  expect(asked.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
  const done = await front.send(SECRET, { taskId: asked.id });
  expect(done.status.state).toBe('TASK_STATE_COMPLETED');
  expect(JSON.stringify(done.artifacts)).toContain('welcome');
  expect(written.length).toBeGreaterThan(3);
  expect(written.filter((text) => text.includes(SECRET))).toEqual([]);
});

it('a front without a key refuses the credential and says why; the task still waits for it', async () => {
  const { front, worker, written } = servers();
  await worker.call('ListTasks', {});
  const asked = await front.send('go');
  await expect(front.send(SECRET, { taskId: asked.id })).rejects.toThrow(/secretKey/);
  expect((await front.call('GetTask', { id: asked.id })).status.state).toBe('TASK_STATE_AUTH_REQUIRED');
  const done = await worker.send(SECRET, { taskId: asked.id });
  expect(JSON.stringify(done.artifacts)).toContain('welcome');
  expect(written.filter((text) => text.includes(SECRET))).toEqual([]);
});
