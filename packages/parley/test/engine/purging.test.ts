import { describe, expect, it } from 'vitest';
import { isTask, type Task } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';
import { type Bed, NOT_FOUND, opened, ROUND } from './support/purging-bed.ts';

const HOUR = 3_600_000;

const QUESTION = { state: 'input-required', message: { parts: [{ kind: 'text', text: '?' }] } } as const;

const page = { pageSize: 50, includeArtifacts: false };

describe('a task that has ended', () => {
  it('is removed when it has been kept for the retention, and not before', async () => {
    const { engine, clock, ended } = await opened(memory(), { retention: { tasks: HOUR } });
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
      retention: { tasks: 1 },
      limits: { runTimeout: Infinity, inactivityTimeout: Infinity },
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
