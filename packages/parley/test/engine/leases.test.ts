import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { TaskEvent } from '../../src/engine/log/events.ts';
import type { Subscription } from '../../src/engine/read/subscription.ts';
import { textOf } from '../../src/model/parts.ts';
import { isTask, type Task } from '../../src/model/task.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { manualClock } from './support/manual-clock.ts';
import { engineOn, Puppeteer, SCOPE, sendCall, settle, userMessage } from './support/puppet.ts';

const chunk = (text: string) => ({ artifactId: 'a', parts: [{ kind: 'text', text } as const], streamed: true });

async function start(engine: Engine): Promise<Task> {
  const task = await engine.send(sendCall(userMessage('go')));
  if (!isTask(task)) throw new Error('A task was expected');
  return task;
}

/** Reads a subscription to its end in the background. */
function collect(subscription: Subscription): { readonly events: TaskEvent[]; readonly done: Promise<void> } {
  const events: TaskEvent[] = [];
  const read = async () => {
    for await (const {
      events: { records },
    } of subscription)
      events.push(...records.map((record) => record.event));
  };
  return { events, done: read() };
}

describe('several nodes on one store', () => {
  async function pair() {
    const store = memory({ shared: true });
    const bus = localBus();
    const clock = manualClock();
    const puppets = new Puppeteer();
    const one = engineOn(store, puppets, { bus, clock: manualClock() });
    const two = engineOn(store, puppets, { bus, clock });
    await one.open();
    await two.open();
    return { store, clock, puppets, one, two };
  }

  it('recovers a task although the old node commits once more in between', async () => {
    const store = memory();
    const puppets = new Puppeteer();
    const before = engineOn(store, puppets);
    await before.open();
    const task = await start(before);
    await settle();
    void puppets.of(task.id).handle.output.chunk(chunk('last words'));
    const after = engineOn(store, puppets);
    await after.open();
    await settle();
    expect((await after.get(SCOPE, { id: task.id })).status.state).toBe('failed');
  });

  it('leaves a task alone whose node was taken for dead and has ended the turn by then', async () => {
    const store = memory();
    const puppets = new Puppeteer();
    const before = engineOn(store, puppets);
    await before.open();
    const task = await start(before);
    await settle();
    const late = withStore(store, {
      abandoned: async (...asked: Parameters<typeof store.abandoned>) => {
        const heads = await store.abandoned(...asked);
        if (heads.length > 0) puppets.of(task.id).end({ state: 'input-required', message: undefined });
        await settle();
        return heads;
      },
    });
    const after = engineOn(late, puppets);
    await after.open();
    await settle();
    expect((await after.get(SCOPE, { id: task.id })).status.state).toBe('input-required');
  });

  it('streams a task of another node, live and resumed, without loss or repetition [rule:resume.any-node]', async () => {
    const { store, puppets, one, two } = await pair();
    const task = await start(one);
    const live = collect(await two.subscribe(SCOPE, task.id));
    const { handle, end } = puppets.of(task.id);
    for (let index = 0; index < 20; index += 1) {
      await handle.output.chunk(chunk(`${index} `));
      await settle(2);
    }
    const resumed = collect(await two.subscribe(SCOPE, task.id, { after: 10 }));
    end({ state: 'completed' });
    await Promise.all([live.done, resumed.done]);
    const log = await store.read(task.id, 0, { events: 1000, bytes: 1e6 });
    expect(live.events).toEqual(log.slice(3));
    expect(resumed.events).toEqual(log.slice(10));
  });

  it('shows what the store has while a commit of its own that would take the lease is on its way', async () => {
    const { store, puppets, one } = await pair();
    const task = await start(one);
    puppets.of(task.id).end({ state: 'input-required', message: undefined });
    await settle();
    const gate = Promise.withResolvers<void>();
    const slow = withStore(store, { commit: async (entries) => gate.promise.then(() => store.commit(entries)) });
    const three = engineOn(slow, new Puppeteer(), { clock: manualClock(), drainTimeout: 0 });
    await three.open();
    const late = three.send(sendCall(userMessage('mine', { taskId: task.id })));
    late.catch(() => {});
    await settle();
    await one.send(sendCall(userMessage('theirs', { taskId: task.id })));
    await settle();
    puppets.of(task.id).end({ state: 'completed' });
    await settle();
    expect((await three.get(SCOPE, { id: task.id })).status.state).toBe('completed');
    gate.resolve();
    await expect(late).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
  });

  it('brings messages and cancels to the node that holds the lease', async () => {
    const { puppets, one, two } = await pair();
    const task = await start(one);
    const { handle } = puppets.of(task.id);
    const answer = handle.questions.ask({ parts: [{ kind: 'text', text: 'Which?' }] }, 'input-required');
    await settle();
    await two.send(sendCall(userMessage('this one', { taskId: task.id })));
    expect(textOf(await answer)).toBe('this one');
    expect((await two.cancel(SCOPE, { id: task.id })).status.state).toBe('canceled');
    expect(handle.signal.aborted).toBe(true);
    expect((await one.get(SCOPE, { id: task.id })).status.state).toBe('canceled');
  });

  it('gives the errors of that node to the caller', async () => {
    const { one, two } = await pair();
    const task = await start(one);
    const elsewhere = { ...SCOPE, owner: { tenant: '', subject: 'mallory' } };
    const message = userMessage('hi', { taskId: task.id });
    await expect(two.send(sendCall(message, {}, elsewhere))).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    const wrong = userMessage('hi', { taskId: task.id, contextId: 'other' });
    await expect(two.send(sendCall(wrong))).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('ends the tasks of a node whose heartbeat has run out, and refuses what that node still writes', async () => {
    const { clock, puppets, one, two } = await pair();
    const task = await start(one);
    const { handle } = puppets.of(task.id);
    await handle.output.chunk(chunk('before '));
    await settle();
    // The first node stops for longer than its lease lives: only the second one's time goes on.
    for (let second = 0; second < 9; second += 1) await clock.advance(1000);
    expect((await two.get(SCOPE, { id: task.id })).status.state).toBe('working');
    for (let second = 0; second < 6; second += 1) await clock.advance(1000);
    await settle();
    const failed = await two.get(SCOPE, { id: task.id });
    expect(failed.status.state).toBe('failed');
    expect(failed.status.message?.metadata).toEqual({ reason: 'server-restarted' });
    handle.output.chunk(chunk('after'))?.catch(() => {});
    await settle();
    expect(textOf((await two.get(SCOPE, { id: task.id })).artifacts[0]?.parts ?? [])).toBe('before ');
    expect(handle.signal.aborted).toBe(true);
  });
});
