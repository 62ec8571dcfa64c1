import { busContract } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import type { Bus } from '../../src/engine/ports.ts';
import { failuresOf } from '../contracts/by-hand.ts';
import { PATIENCE_MS } from '../support/patience.ts';

/** The tests of the contract that fail, with half a second for each unless it is said. */
function failuresOn(make: (bus: Bus) => Bus, patience = 500) {
  const openBus = () => {
    const bus = make(localBus());
    return { first: bus, second: bus };
  };
  return failuresOf((runner) => busContract(runner, openBus, { patience }));
}

it.for<[string, (bus: Bus) => Bus, string]>([
  [
    'a watch that ends too late',
    (bus) => ({
      ...bus,
      watch: (...watched) => {
        void bus.watch(...watched);
        return () => {};
      },
    }),
    'reach every watch of a node, until each ends',
  ],
  [
    'notices that come back',
    (bus) => ({ ...bus, publish: (_, notices) => bus.publish('nobody', notices) }),
    'do not come back to the node that publishes them',
  ],
  [
    'a node that is gone and no word of it',
    (bus) => ({
      ...bus,
      request: async (...asked) => {
        const reply = await bus.request(...asked);
        if (reply.kind === 'gone') throw new Error('no such node');
        return reply;
      },
    }),
    'are gone where there is no such node',
  ],
  [
    'a signal that is not heeded before the request',
    (bus) => ({ ...bus, request: (node, command) => bus.request(node, command, new AbortController().signal) }),
    'are rejected with the reason of their signal, before and while they wait',
  ],
  [
    'tasks whose names are mixed up',
    (bus) => ({
      ...bus,
      publish: (node, notices) =>
        bus.publish(
          node,
          notices.flatMap((notice) => [notice, { ...notice, taskId: notice.taskId.toLowerCase() }]),
        ),
    }),
    'keep names of tasks apart, whatever is in them',
  ],
  [
    'notices that are lost',
    (bus) => ({ ...bus, publish: () => {} }),
    'reach it when they come in a row, at least the last one of each task',
  ],
])('the bus contract finds %s', async ([, make, title]) => {
  expect((await failuresOn(make)).map((failure) => failure.title)).toContain(title);
});

it.for<[string, (bus: Bus) => Bus, string, string]>([
  [
    'loses notices',
    (bus) => ({ ...bus, publish: () => {} }),
    'reach a watch of another node from the moment at which it is there',
    'A watch of node-2 for the task "task" has not heard of seq 1 after 500 ms',
  ],
  [
    'never says that a node is gone',
    (bus) => ({
      ...bus,
      request: async (...asked) => {
        const reply = await bus.request(...asked);
        return reply.kind === 'gone' ? new Promise(() => {}) : reply;
      },
    }),
    'are gone where there is no such node',
    '`request` of the bus has not settled after 500 ms',
  ],
  [
    'loses the failures of handlers',
    (bus) => ({ ...bus, request: (...asked) => bus.request(...asked).catch(() => new Promise(() => {})) }),
    'are rejected where the handler fails',
    '`request` of the bus has not settled after 500 ms',
  ],
  [
    'loses commands',
    (bus) => ({ ...bus, request: () => new Promise(() => {}) }),
    'are gone when the node leaves before it responds',
    'A request for node-2, whose handler was not called, has not settled after 500 ms',
  ],
  [
    'never joins',
    (bus) => ({ ...bus, join: () => new Promise(() => {}) }),
    'do not wait for each other',
    '`join` of the bus has not settled after 500 ms',
  ],
  [
    'never leaves',
    (bus) => ({ ...bus, leave: () => new Promise(() => {}) }),
    'bring a command to a node and its response back, as they are',
    '`leave` of the bus has not settled after 500 ms',
  ],
])('a bus that %s fails the tests that ask for it, by name', async ([, make, title, said]) => {
  const failures = await failuresOn(make);
  expect(failures.find((failure) => failure.title === title)?.said).toContain(said);
  expect(failures.filter((failure) => failure.said.includes('only while one of its tests runs'))).toEqual([]);
});

it('the bus contract runs without a test runner of its own', async () => {
  expect(await failuresOn((bus) => bus, PATIENCE_MS)).toEqual([]);
});

it('a test of the bus contract that its runner has given up does not touch the next one', async () => {
  const tests: (() => Promise<void>)[] = [];
  let lost = true;
  busContract(
    { describe: (_, body) => body(), it: (_, body) => tests.push(body), expect },
    () => {
      const bus = localBus();
      const first = lost ? { ...bus, publish: () => {} } : bus;
      lost = false;
      return { first, second: bus };
    },
    { patience: 500 },
  );
  const [given, next] = tests;
  const late = given?.();
  await next?.();
  await expect(late).rejects.toThrow('has not heard of seq 1');
});
