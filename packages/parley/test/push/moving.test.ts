import { A2AServer, memory } from 'parley-a2a';
import { expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { mortalStore } from '../../src/testing/mortal-store.ts';
import { settle, World } from '../leases/support/world.ts';
import { RpcPeer } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';
import { troubledStore } from '../support/stores/troubled-store.ts';
import { isCompleted, startReceiver, toldBy } from './receiver.ts';
import { inline, LOCAL } from './support.ts';

const SILENT = { error: () => {}, warn: () => {} };

/** Servers that share a store, each with a process that can be stopped or killed. */
function servers() {
  const world = new World();
  const store = memory({ shared: true, now: () => world.time });
  const bus = localBus();
  const begun = gate();
  const words = [gate(), gate(), gate()];
  const agent = agentOf(async (task) => {
    begun.resolve();
    for (const [index, { promise }] of words.entries()) {
      await Promise.race([promise, new Promise((_, reject) => task.signal.addEventListener('abort', reject))]);
      await task.artifact({ name: `word ${index}` }).end(`word ${index}`);
    }
  });
  const open = (role: 'front' | 'worker') => {
    const clock = world.clock();
    const mortal = mortalStore(store, async () => {});
    const line = troubledStore(mortal.store);
    const server = new A2AServer({
      agents: [agent],
      anonymous: 'shared',
      store: line.store,
      bus,
      role,
      clock,
      push: LOCAL,
      drainTimeout: 0,
      log: SILENT,
    });
    let isDead = false;
    onTestFinished(async () => {
      if (isDead) return;
      const closing = server.close();
      let isClosed = false;
      void closing.finally(() => {
        isClosed = true;
      });
      while (!isClosed) await world.pass(1000);
    });
    const kill = () => {
      isDead = true;
      mortal.die();
      clock.stop();
    };
    const pause = () => {
      clock.stop();
      line.begin('hangs');
    };
    const goOn = () => {
      line.end();
      clock.goOn();
    };
    return { peer: new RpcPeer(server.fetch), kill, pause, goOn };
  };
  /** Lets time pass until something is so; requests to webhooks are real. */
  const until = (isSo: () => boolean | Promise<boolean>) =>
    expect
      .poll(async () => {
        await world.pass(500);
        return isSo();
      })
      .toBe(true);
  return { open, until, begun, words, world };
}

it('tells a webhook by one node at a time, and by another one when that has died', async () => {
  const { open, until, begun, words, world } = servers();
  const receiver = await startReceiver();
  const [first, second, worker] = [open('front'), open('front'), open('worker')];
  for (const { peer } of [first, second, worker]) await peer.call('ListTasks', {});
  const config = inline({ id: 'hook', url: receiver.url }, { returnImmediately: true });
  const task = await first.peer.send('go', {}, config);
  await until(() => receiver.accepted.some((one) => toldBy(one) === 'working'));
  await begun.promise;
  words[0]?.resolve();
  await until(() => receiver.accepted.some((one) => toldBy(one) === 'word 0'));
  // All are alive for long enough that each has looked for webhooks which nobody tells.
  await world.pass(40_000);
  await settle();
  const told = receiver.accepted.map(toldBy);
  expect(new Set(told).size).toBe(told.length);

  first.kill();
  words[1]?.resolve();
  words[2]?.resolve();
  await until(() => receiver.accepted.some(({ body }) => isCompleted(body)));
  const all = receiver.accepted.map(toldBy);
  expect(all).toEqual([...told, 'word 1', 'word 2', 'completed']);
  expect((await second.peer.call('GetTask', { id: task.id })).status.state).toBe('TASK_STATE_COMPLETED');
});

it('a node that was stopped tells nothing that another one has told since', async () => {
  const { open, until, begun, words, world } = servers();
  const receiver = await startReceiver();
  const [first, second, worker] = [open('front'), open('front'), open('worker')];
  for (const { peer } of [first, second, worker]) await peer.call('ListTasks', {});
  await first.peer.send('go', {}, inline({ id: 'hook', url: receiver.url }, { returnImmediately: true }));
  await until(() => receiver.accepted.some((one) => toldBy(one) === 'working'));
  await begun.promise;
  first.pause();
  words[0]?.resolve();
  await until(() => receiver.accepted.some((one) => toldBy(one) === 'word 0'));
  first.goOn();
  words[1]?.resolve();
  words[2]?.resolve();
  await until(() => receiver.accepted.some(({ body }) => isCompleted(body)));
  await world.pass(20_000);
  const all = receiver.accepted.map(toldBy);
  expect(new Set(all).size, all.join(', ')).toBe(all.length);
  expect(all.slice(-4)).toEqual(['word 0', 'word 1', 'word 2', 'completed']);
});
