import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/engine/ports.ts';
import { textOf } from '../../src/model/parts.ts';
import { isTask } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { manualClock } from './support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

/** A store whose disk is full for as long as the test says. */
function fragile(disk: { full: boolean }): Store {
  const store = memory();
  return withStore(store, {
    commit(entries) {
      if (disk.full) throw new Error('database or disk is full');
      return store.commit(entries);
    },
  });
}

async function setUp() {
  const disk = { full: false };
  const store = fragile(disk);
  const puppets = new Puppeteer();
  const clock = manualClock();
  const engine = engineOn(store, puppets, { clock });
  await engine.open();
  return { disk, puppets, clock, engine };
}

const chunk = (text: string) => ({ artifactId: 'a', parts: [{ kind: 'text', text } as const], streamed: true });

describe('a store that cannot be written', () => {
  it('is tried again, and nobody sees what is not committed [rule:stream.commit-first]', async () => {
    const { disk, puppets, clock, engine } = await setUp();
    const task = await engine.send(sendCall(userMessage('go')));
    if (!isTask(task)) throw new Error('A task was expected');
    const seen: number[] = [];
    const subscription = await engine.subscribe(SCOPE, task.id);
    const reading = (async () => {
      for await (const {
        events: { records },
      } of subscription)
        seen.push(...records.map((record) => record.event.seq));
    })();
    disk.full = true;
    const { handle, end } = puppets.of(task.id);
    void handle.output.chunk(chunk('precious'));
    await settle();
    await clock.advance(100);
    expect(seen).toEqual([]);
    expect((await engine.get(SCOPE, { id: task.id })).artifacts).toEqual([]);
    disk.full = false;
    await clock.advance(1000);
    end({ state: 'completed' });
    await reading;
    expect(seen).toEqual([4, 5, 6]);
    expect(textOf(await engine.get(SCOPE, { id: task.id }))).toBe('precious');
  });

  it('fails the task at last, tells those who wait, and ends it in the store when that works again', async () => {
    const { disk, puppets, clock, engine } = await setUp();
    const blocking = engine.send(sendCall(userMessage('go'), { returnImmediately: false }));
    blocking.catch(() => {});
    await settle();
    const { handle } = puppets.runs[0] ?? {};
    if (!handle) throw new Error('A run was expected');
    await handle.output.status({ parts: [{ kind: 'text', text: 'working' }] });
    await settle();
    disk.full = true;
    void handle.output.chunk(chunk('lost'));
    for (let round = 0; round < 12; round += 1) await clock.advance(2000);
    await expect(blocking).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(handle.signal.aborted).toBe(true);
    disk.full = false;
    for (let round = 0; round < 4; round += 1) await clock.advance(5000);
    expect(engine.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
    const task = await engine.get(SCOPE, { id: handle.taskId });
    expect(task.status.state).toBe('failed');
    expect(task.status.message?.metadata).toEqual({ reason: 'store-failed' });
  });

  it('keeps one task that cannot be loaded from being ended, and neither others nor what is done beside', async () => {
    const disk = { full: false };
    const inner = fragile(disk);
    let damaged: string | undefined;
    let sweeps = 0;
    const store = withStore(inner, {
      load(ids, detail) {
        if (damaged !== undefined && ids.includes(damaged)) throw new Error('The disk is damaged');
        return inner.load(ids, detail);
      },
      sweep(now) {
        sweeps += 1;
        return inner.sweep(now);
      },
    });
    const puppets = new Puppeteer();
    const clock = manualClock();
    const engine = engineOn(store, puppets, { clock });
    await engine.open();
    const ids: string[] = [];
    for (const text of ['one', 'two']) {
      const task = await engine.send(sendCall(userMessage(text)));
      if (isTask(task)) ids.push(task.id);
    }
    const [bad = '', good = ''] = ids;
    disk.full = true;
    for (const id of [bad, good]) void puppets.of(id).handle.output.chunk(chunk('lost'));
    damaged = bad;
    for (let round = 0; round < 12; round += 1) await clock.advance(2000);
    disk.full = false;
    const stateOf = async (id: string) => (await engine.get(SCOPE, { id })).status.state;
    for (let round = 0; round < 60; round += 1) await clock.advance(5000);
    expect(await stateOf(good)).toBe('failed');
    expect(sweeps).toBeGreaterThan(0);
    damaged = undefined;
    for (let round = 0; round < 12; round += 1) await clock.advance(5000);
    expect(await stateOf(bad)).toBe('failed');
  });

  it('refuses a new task that cannot be stored, and keeps no trace of it', async () => {
    const { disk, clock, engine } = await setUp();
    disk.full = true;
    const sending = engine.send(sendCall(userMessage('go')));
    sending.catch(() => {});
    for (let round = 0; round < 12; round += 1) await clock.advance(2000);
    await expect(sending).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    disk.full = false;
    await clock.advance(5000);
    const page = await engine.list(SCOPE, { pageSize: 10, includeArtifacts: false });
    expect(page.totalSize).toBe(0);
    expect(engine.load).toEqual({ tasks: 0, feeds: 0, subscriptions: 0 });
  });
});
