import { busContract } from 'parley-a2a/testing';
import { expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import type { Bus } from '../../src/engine/ports.ts';

/** Runs the contract without a test runner and returns the titles of the tests that fail. */
async function failuresOf(make: (bus: Bus) => Bus): Promise<readonly string[]> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  const describe = (_: string, body: () => void) => body();
  busContract({ describe, it: (name, body) => tests.push([name, body]), expect }, () => {
    const bus = make(localBus());
    return { first: bus, second: bus };
  });
  const failures: string[] = [];
  for (const [name, body] of tests) await body().catch(() => failures.push(name));
  expect(tests.length).toBeGreaterThan(14);
  return failures;
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
])('the bus contract finds %s', async ([, make, title]) => {
  expect(await failuresOf(make)).toContain(title);
});

it('the bus contract runs without a test runner of its own', async () => {
  expect(await failuresOf((bus) => bus)).toEqual([]);
});
