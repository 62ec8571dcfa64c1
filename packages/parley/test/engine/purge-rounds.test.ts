import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { manualClock } from './support/manual-clock.ts';
import { SCOPE, settle } from './support/puppet.ts';
import { NOT_FOUND, opened, ROUND } from './support/purging-bed.ts';

describe('purging', () => {
  it('is told of by other nodes on the same store, too', async () => {
    const clock = manualClock();
    const store = memory({ shared: true, now: () => clock.now() });
    const bus = localBus();
    const one = await opened(store, { bus }, clock);
    const two = await opened(store, { bus }, clock);
    const { id } = await one.ended();
    await two.engine.get(SCOPE, { id });
    expect(await two.engine.get(SCOPE, { id })).toBe(await two.engine.get(SCOPE, { id }));
    expect(await one.engine.purge({ endedBefore: clock.now() + 1 })).toBe(1);
    await expect(two.engine.get(SCOPE, { id })).rejects.toMatchObject(NOT_FOUND);
    await expect(one.engine.get(SCOPE, { id })).rejects.toMatchObject(NOT_FOUND);
  });

  it('does not bring back what was being loaded meanwhile', async () => {
    const inner = memory();
    let gate: Promise<void> | undefined;
    const store = withStore(inner, {
      load: async (...asked) => {
        const found = await inner.load(...asked);
        await gate;
        return found;
      },
    });
    const { engine, clock, begun, puppets } = await opened(store);
    const { id } = await begun();
    puppets.of(id).end({ state: 'completed' });
    await settle();
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const getting = engine.get(SCOPE, { id });
    await engine.purge({ endedBefore: clock.now() + 1 });
    resolve();
    expect((await getting).id).toBe(id);
    await expect(engine.get(SCOPE, { id })).rejects.toMatchObject(NOT_FOUND);
  });

  it('of many tasks does not keep the node from saying that it is alive', async () => {
    const inner = memory({ shared: true });
    const purges: (() => void)[] = [];
    let beats = 0;
    const store = withStore(inner, {
      purge: (query) => new Promise((resolve) => void purges.push(() => resolve(inner.purge(query)))),
      heartbeat: (...beat) => {
        beats += 1;
        return inner.heartbeat(...beat);
      },
    });
    const { clock } = await opened(store, { retention: { tasks: 1 } });
    const before = beats;
    for (let round = 0; round < 4; round += 1) await clock.advance(ROUND);
    expect(beats - before).toBe(4);
    expect(purges).toHaveLength(1);
    for (const go of purges) go();
  });

  it('goes on with the next round when the store has failed', async () => {
    const inner = memory();
    const warnings: string[] = [];
    let fails = true;
    const store = withStore(inner, {
      purge: (query) => {
        if (fails) throw new Error('no');
        return inner.purge(query);
      },
    });
    const log = { error: () => {}, warn: (message: string) => void warnings.push(message) };
    const { engine, clock, ended } = await opened(store, { log, retention: { tasks: 1 } });
    const { id } = await ended();
    await clock.advance(ROUND);
    expect(warnings).toEqual(['Tasks could not be purged']);
    expect((await engine.get(SCOPE, { id })).id).toBe(id);
    fails = false;
    await clock.advance(ROUND);
    await expect(engine.get(SCOPE, { id })).rejects.toMatchObject(NOT_FOUND);
  });

  it('ends in order when the engine is closed in the middle', async () => {
    const inner = memory();
    const calls: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const store = withStore(inner, {
      purge: async (query) => {
        calls.push('purge');
        await promise;
        return inner.purge({ ...query, limit: 1 });
      },
      close: () => void calls.push('close'),
    });
    const { engine, clock, ended } = await opened(store);
    await ended();
    await ended();
    const purging = engine.purge({ endedBefore: clock.now() + 1 });
    const outcome = expect(purging).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const closing = engine.close();
    await settle();
    expect(calls).toEqual(['purge']);
    resolve();
    await Promise.all([outcome, closing]);
    expect(calls).toEqual(['purge', 'close']);
    await expect(engine.purge({ endedBefore: 1 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
