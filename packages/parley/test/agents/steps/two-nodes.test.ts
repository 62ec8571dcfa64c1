import { memory } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { localBus } from '../../../src/bus/local.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { RunHandle, Runner } from '../../../src/engine/turn/runner.ts';
import { manualClock } from '../../engine/support/manual-clock.ts';
import { SCOPE, SILENT, sendCall, settle, userMessage } from '../../engine/support/puppet.ts';

describe('two nodes on one store', () => {
  it('do not both do the steps of a task that a third has left', async () => {
    const store = memory({ shared: true });
    const bus = localBus();
    let runs = 0;
    let steps = 0;
    const runner: Runner = {
      name: 'puppet',
      resumable: true,
      async run(handle: RunHandle) {
        runs += 1;
        await handle.steps.perform('first', async () => {
          steps += 1;
          return steps;
        });
        if (runs === 1) await new Promise(() => {});
        await handle.steps.perform('second', async () => {
          steps += 1;
          return steps;
        });
        return { state: 'completed' };
      },
    };
    const clocks = [manualClock(), manualClock(), manualClock()] as const;
    const engines = clocks.map((clock) => new Engine({ store, bus, runners: [runner], log: SILENT, clock }));
    for (const engine of engines) await engine.open();
    const task = await engines[0]?.send(sendCall(userMessage('go')));
    await settle(12);
    expect(steps).toBe(1);
    // The first one stops; both others find it dead in the same turn of the loop.
    for (let second = 0; second < 15; second += 1) {
      await Promise.all([clocks[1].advance(1000), clocks[2].advance(1000)]);
    }
    await settle(30);
    const id = task && 'id' in task ? task.id : '';
    expect((await engines[1]?.get(SCOPE, { id }))?.status.state).toBe('completed');
    expect(steps).toBe(2);
  });
});
