import { expect, it } from 'vitest';
import type { RunHandle, Runner } from '../../src/engine/turn/runner.ts';
import { SCOPE, sendCall, userMessage } from '../engine/support/puppet.ts';
import { ALL, chunk, collect, Nodes, start } from './support/nodes.ts';
import { settle } from './support/world.ts';

/** Writes a word for each step; the first run stops before the second step, until it is aborted. */
function halting() {
  const keys: string[] = [];
  let runs = 0;
  const runner: Runner = {
    name: 'puppet',
    resumable: true,
    async run(handle: RunHandle) {
      runs += 1;
      const isFirst = runs === 1;
      for (const name of ['one', 'two']) {
        await handle.steps.perform(name, ({ idempotencyKey }) => {
          keys.push(idempotencyKey);
          return Promise.resolve(name);
        });
        await handle.output.chunk(chunk(`${name} `));
        if (isFirst) await new Promise((_, reject) => handle.signal.addEventListener('abort', reject));
      }
      return { state: 'completed' };
    },
  };
  return { runner, keys };
}

it('a node that is closed gives its runs to another one at once, and their streams go on there', async () => {
  const { runner, keys } = halting();
  const nodes = new Nodes({ runner });
  const [one, other] = [await nodes.open(), await nodes.open()];
  const task = await start(one.engine);
  await settle();
  const before = nodes.world.time;
  const [here, there] = [
    collect(await one.engine.subscribe(SCOPE, task.id, { after: 0 })),
    collect(await other.engine.subscribe(SCOPE, task.id, { after: 0 })),
  ];
  await settle();
  void one.engine.close();
  await there.done;
  // No time has passed: nobody has waited for a heartbeat to run out.
  expect(nodes.world.time).toBe(before);
  const log = await nodes.store.read(task.id, 0, ALL);
  expect(there.events).toEqual(log);
  expect(log.at(-1)).toMatchObject({ kind: 'status', status: { state: 'completed' } });
  await here.done;
  expect(here.events).toEqual(log.slice(0, here.events.length));
  // The first step was done once; the key of each is its own.
  expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
});

it('a step that was interrupted is done again under the same key', async () => {
  const keys: string[] = [];
  const runner: Runner = {
    name: 'puppet',
    resumable: true,
    async run(handle: RunHandle) {
      await handle.steps.perform('charge', ({ idempotencyKey }) => {
        keys.push(idempotencyKey);
        return keys.length === 1 ? new Promise(() => {}) : Promise.resolve('charged');
      });
      return { state: 'completed' };
    },
  };
  const nodes = new Nodes({ runner });
  const [one, other] = [await nodes.open(), await nodes.open()];
  const task = await start(one.engine);
  await settle();
  expect(keys).toHaveLength(1);
  one.clock.stop();
  await nodes.world.pass(15_000);
  expect((await other.engine.get(SCOPE, { id: task.id })).status.state).toBe('completed');
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(await other.engine.send(sendCall(userMessage('more')))).toMatchObject({ status: { state: 'working' } });
});
