import { describe, expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import type { Engine, EngineOptions } from '../../src/engine/engine.ts';
import type { Store } from '../../src/engine/ports.ts';
import { isTask, type Task } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { manualClock } from './support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

const HOUR = 3_600_000;
const ROUND = 5_000;
const NOT_FOUND = { code: 'TASK_NOT_FOUND' };
const QUESTION = { state: 'input-required', message: { parts: [{ kind: 'text', text: '?' }] } } as const;

interface Bed {
  readonly engine: Engine;
  readonly clock: ReturnType<typeof manualClock>;
  readonly puppets: Puppeteer;
  readonly begun: (text?: string) => Promise<Task>;
  readonly ended: (text?: string) => Promise<Task>;
}

async function opened(store: Store, more: Partial<EngineOptions> = {}, clock = manualClock()): Promise<Bed> {
  const puppets = new Puppeteer();
  const engine = engineOn(store, puppets, { clock, drainTimeout: 0, ...more });
  await engine.open();
  onTestFinished(() => engine.close());
  const begun = async (text = 'go') => {
    const task = await engine.send(sendCall(userMessage(text)));
    if (!isTask(task)) throw new Error('A task was expected');
    return task;
  };
  const ended = async (text?: string) => {
    const task = await begun(text);
    await puppets
      .of(task.id)
      .handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text: 'x' }], streamed: true });
    puppets.of(task.id).end({ state: 'completed' });
    await settle();
    return engine.get(SCOPE, { id: task.id });
  };
  return { engine, clock, puppets, begun, ended };
}

const page = { pageSize: 50, includeArtifacts: false };

describe('a task that has ended', () => {
  it('is removed when it has been kept for the retention, and not before', async () => {
    const { engine, clock, ended } = await opened(memory(), { limits: { taskRetention: HOUR } });
    const early = await ended();
    await clock.advance(HOUR / 2);
    const late = await ended();
    await clock.advance(HOUR / 2);
    expect(await engine.get(SCOPE, { id: early.id })).toBe(early);
    await clock.advance(ROUND);
    await expect(engine.get(SCOPE, { id: early.id })).rejects.toMatchObject(NOT_FOUND);
    const { tasks, totalSize } = await engine.list(SCOPE, page);
    expect([tasks.map(({ id }) => id), totalSize]).toEqual([[late.id], 1]);
    await clock.advance(HOUR);
    await clock.advance(ROUND);
    expect(await engine.list(SCOPE, page)).toMatchObject({ tasks: [], totalSize: 0 });
  });

  it('is kept for ever without a retention', async () => {
    const { engine, clock, ended } = await opened(memory());
    const { id } = await ended();
    await clock.advance(100_000 * HOUR);
    expect((await engine.get(SCOPE, { id })).id).toBe(id);
  });

  it('is the only kind that is removed', async () => {
    const { engine, clock, puppets, begun, ended } = await opened(memory(), {
      limits: { taskRetention: 1, runTimeout: Infinity, inactivityTimeout: Infinity },
    });
    const working = await begun();
    const asking = await begun();
    puppets.of(asking.id).end(QUESTION);
    await settle();
    const done = await ended();
    await clock.advance(HOUR);
    await engine.purge({ endedBefore: clock.now() + HOUR });
    await engine.purge({ endedBefore: clock.now() + HOUR, taskId: working.id });
    const { tasks } = await engine.list(SCOPE, page);
    expect(tasks.map(({ id }) => id).toSorted()).toEqual([working.id, asking.id].toSorted());
    await expect(engine.get(SCOPE, { id: done.id })).rejects.toMatchObject(NOT_FOUND);
    puppets.of(working.id).end({ state: 'completed' });
    await settle();
    expect((await engine.get(SCOPE, { id: working.id })).status.state).toBe('completed');
    await engine.send(sendCall(userMessage('more', { taskId: asking.id })));
    expect((await engine.get(SCOPE, { id: asking.id })).history).toHaveLength(3);
  });

  it('is removed by operators, with a count', async () => {
    const { engine, clock, ended } = await opened(memory());
    const tasks: Task[] = [];
    for (let count = 0; count < 120; count += 1) tasks.push(await ended());
    expect(await engine.purge({ endedBefore: clock.now() })).toBe(0);
    expect(await engine.purge({ endedBefore: clock.now() + 1, taskId: tasks[7]?.id })).toBe(1);
    expect(await engine.purge({ endedBefore: clock.now() + 1 })).toBe(119);
    expect((await engine.list(SCOPE, page)).totalSize).toBe(0);
  });

  it('is not found by anybody once it is gone', async () => {
    const { engine, clock, ended } = await opened(memory());
    const { id, contextId } = await ended();
    await engine.purge({ endedBefore: clock.now() + 1 });
    await expect(engine.get(SCOPE, { id })).rejects.toMatchObject(NOT_FOUND);
    await expect(engine.cancel(SCOPE, { id })).rejects.toMatchObject(NOT_FOUND);
    await expect(engine.subscribe(SCOPE, id)).rejects.toMatchObject(NOT_FOUND);
    for (const after of [0, 2, 5, 99]) {
      await expect(engine.subscribe(SCOPE, id, { after })).rejects.toMatchObject(NOT_FOUND);
    }
    await expect(engine.send(sendCall(userMessage('more', { taskId: id })))).rejects.toMatchObject(NOT_FOUND);
    const next = await engine.send(sendCall(userMessage('again', { contextId })));
    expect(isTask(next) && next.contextId).toBe(contextId);
    expect(engine.load).toMatchObject({ subscriptions: 0 });
  });

  it('lets pages go on where they were', async () => {
    const { engine, clock, ended } = await opened(memory());
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      ids.unshift((await ended()).id);
      await clock.advance(1);
    }
    const first = await engine.list(SCOPE, { ...page, pageSize: 2 });
    expect(first.totalSize).toBe(6);
    await engine.purge({ endedBefore: Infinity, taskId: ids[1] });
    await engine.purge({ endedBefore: Infinity, taskId: ids[2] });
    const second = await engine.list(SCOPE, { ...page, pageSize: 2, pageToken: first.nextPageToken });
    expect([second.tasks.map(({ id }) => id), second.totalSize]).toEqual([ids.slice(3, 5), 4]);
  });

  it('is no longer among the earlier tasks of its conversation', async () => {
    const { engine, clock, puppets, ended } = await opened(memory());
    const first = await ended('first');
    const { contextId } = first;
    const second = await engine.send(sendCall(userMessage('second', { contextId })));
    if (!isTask(second)) throw new Error('A task was expected');
    const { handle } = puppets.of(second.id);
    const earlier = async () =>
      (await handle.conversation.earlierTasks({ limit: 5, artifacts: true })).map(({ id }) => id);
    expect(await earlier()).toEqual([first.id]);
    await engine.purge({ endedBefore: clock.now() + 1 });
    expect(await earlier()).toEqual([]);
  });
});

describe('readers of a task that is purged', () => {
  /** A task whose events are larger than what is held for readers, so that they read the store. */
  async function long(bed: Bed): Promise<Task> {
    const task = await bed.begun();
    const { handle, end } = bed.puppets.of(task.id);
    for (let count = 0; count < 2_000; count += 1) {
      await handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text: `${count} ` }], streamed: true });
    }
    end({ state: 'completed' });
    await settle();
    return task;
  }

  it('who have not read all of it are told, and do not take it for the end', async () => {
    const bed = await opened(memory());
    const { id } = await long(bed);
    const reader = await bed.engine.subscribe(SCOPE, id, { after: 3 });
    const first = await reader.next();
    expect(first.done).toBe(false);
    await bed.engine.purge({ endedBefore: bed.clock.now() + 1 });
    await expect(reader.next()).rejects.toMatchObject(NOT_FOUND);
    expect(bed.engine.load).toMatchObject({ feeds: 0, subscriptions: 0 });
  });

  it('who have fallen behind a live task are told when that is gone', async () => {
    const bed = await opened(memory(), { limits: { recentBytes: 1_000 } });
    const task = await bed.begun();
    const reader = await bed.engine.subscribe(SCOPE, task.id);
    await reader.next();
    const { handle, end } = bed.puppets.of(task.id);
    for (let count = 0; count < 200; count += 1) {
      await handle.output.chunk({ artifactId: 'a', parts: [{ kind: 'text', text: 'x'.repeat(100) }], streamed: true });
    }
    end({ state: 'completed' });
    await settle();
    await bed.engine.purge({ endedBefore: bed.clock.now() + 1 });
    await expect(reader.next()).rejects.toMatchObject(NOT_FOUND);
  });

  it('get all of it or the error, whenever it goes', async () => {
    for (let moment = 0; moment < 6; moment += 1) {
      const bed = await opened(memory());
      const { id } = await long(bed);
      const reader = await bed.engine.subscribe(SCOPE, id, { after: 0 });
      const reading = (async () => {
        let last = 0;
        for await (const { events } of reader) last = events.records.at(-1)?.event.seq ?? last;
        return last;
      })().catch((error: unknown) => error);
      for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
      await bed.engine.purge({ endedBefore: bed.clock.now() + 1 });
      const outcome = await reading;
      if (typeof outcome === 'number') expect(outcome).toBeGreaterThan(2_000);
      else expect(outcome).toMatchObject(NOT_FOUND);
    }
  });
});

describe('an idempotency key', () => {
  const keyed = (text: string, idempotencyKey: string) => ({
    ...sendCall({ ...userMessage(text), messageId: text }),
    idempotencyKey,
  });

  it('starts a new task when the one that it led to is gone', async () => {
    const { engine, clock, puppets } = await opened(memory());
    const send = async () => {
      const task = await engine.send(keyed('go', 'key'));
      if (!isTask(task)) throw new Error('A task was expected');
      return task.id;
    };
    const first = await send();
    puppets.of(first).end({ state: 'completed' });
    await settle();
    expect(await send()).toBe(first);
    await engine.purge({ endedBefore: clock.now() + 1 });
    const second = await send();
    expect(second).not.toBe(first);
    expect(await send()).toBe(second);
  });

  it('starts a new task when that goes between the look at the key and at the task', async () => {
    const inner = memory();
    let purge: (() => Promise<unknown>) | undefined;
    const store = withStore(inner, {
      key: async (...asked) => {
        const found = await inner.key(...asked);
        if (found) await purge?.();
        return found;
      },
    });
    const { engine, clock, puppets } = await opened(store);
    const first = await engine.send(keyed('go', 'key'));
    if (!isTask(first)) throw new Error('A task was expected');
    puppets.of(first.id).end({ state: 'completed' });
    await settle();
    purge = () => engine.purge({ endedBefore: clock.now() + 1 });
    const second = await engine.send(keyed('go', 'key'));
    expect(isTask(second) && second.id).not.toBe(first.id);
  });
});

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
    const { clock } = await opened(store, { limits: { taskRetention: 1 } });
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
    const { engine, clock, ended } = await opened(store, { log, limits: { taskRetention: 1 } });
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
