import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/model/parts.ts';
import type { Task } from '../../src/model/task.ts';
import { manualClock } from '../engine/support/manual-clock.ts';
import { SCOPE, sendCall, settle, userMessage } from '../engine/support/puppet.ts';
import { cluster, type Node, start } from './nodes.ts';

/** A node whose only slot is taken, a task that waits for any node, and another node without a slot. */
async function waiting(limits = { runs: 1 }) {
  const clock = manualClock();
  const group = cluster();
  const one = await group.add({ limits, clock });
  const two = await group.add({ limits, clock });
  const first = await start(one.engine, 'first');
  await start(two.engine, 'second');
  const task = await start(one.engine, 'third');
  return { ...group, clock, one, two, first, task };
}

async function stateOf({ engine }: Node, { id }: Task): Promise<string> {
  return (await engine.get(SCOPE, { id })).status.state;
}

describe('a task whose turn waits for any node', () => {
  it('is submitted, leased to nobody, and read through any node', async () => {
    const { store, one, two, task, begun } = await waiting();
    expect(task.status.state).toBe('submitted');
    expect((await store.head(task.id))?.lease.node).toBe(null);
    for (const { engine } of [one, two]) {
      expect(await engine.get(SCOPE, { id: task.id })).toEqual(task);
      const { tasks } = await engine.list(SCOPE, { contextId: task.contextId, includeArtifacts: false, pageSize: 10 });
      expect(tasks.map(({ id }) => id)).toEqual([task.id]);
    }
    expect(begun).toEqual(['first', 'second']);
  });

  it('begins as soon as any node has a slot, with all that came with its message', async () => {
    const { one, two, begun } = await waiting();
    const deadline = Date.UTC(2100, 0, 1);
    const scope = { ...SCOPE, owner: { tenant: '', subject: 'bob' } };
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', id: 'trace' };
    const message = userMessage('fourth', { metadata: { size: 4 } });
    const call = sendCall(message, { metadata: { colour: 'red' }, priority: 'high', maxTurns: 3 }, scope);
    const caller = { subject: 'bob', scopes: ['read'], claims: { team: 'blue' } };
    const surroundings = { dialect: '1.0', trace, caller, onAbort: () => () => {} } as never;
    const sent = await one.engine.send({
      ...call,
      deadline,
      extensions: ['https://example.com/x'],
      call: surroundings,
    });
    two.puppets.runs[0]?.end({ state: 'completed' });
    await expect.poll(() => begun).toEqual(['first', 'second', 'fourth']);
    const { handle } = two.puppets.runs[1] ?? {};
    expect(handle?.taskId).toBe((sent as Task).id);
    expect(handle?.message).toMatchObject(message);
    expect(handle?.history).toEqual([]);
    expect(handle?.attempt).toBe(1);
    expect(handle?.deadline.getTime()).toBeLessThan(deadline);
    expect(handle?.request).toEqual({
      owner: scope.owner,
      deadline,
      metadata: { colour: 'red' },
      extensions: ['https://example.com/x'],
      acceptedOutputModes: [],
      maxTurns: 3,
      priority: 'high',
      opensContext: true,
      dialect: '1.0',
      traceContext: trace,
      caller,
    });
    expect((await one.engine.get(scope, { id: (sent as Task).id })).status.state).toBe('working');
  });

  it('is canceled through any node at once, and never begins', async () => {
    const { one, two, task, begun, store } = await waiting();
    expect((await two.engine.cancel(SCOPE, { id: task.id })).status.state).toBe('canceled');
    expect(await stateOf(one, task)).toBe('canceled');
    expect(await store.queue?.queueState()).toEqual({ turns: 0, oldest: undefined });
    one.puppets.runs[0]?.end({ state: 'completed' });
    await settle(20);
    expect(begun).toEqual(['first', 'second']);
  });

  it('takes messages through any node, which its run finds in their order', async () => {
    const { one, two, task } = await waiting();
    await two.engine.send(sendCall(userMessage('more', { taskId: task.id })));
    await one.engine.send(sendCall(userMessage('and more', { taskId: task.id })));
    expect(await stateOf(two, task)).toBe('submitted');
    two.puppets.runs[0]?.end({ state: 'completed' });
    await expect.poll(() => two.puppets.runs.length).toBe(2);
    const { handle } = two.puppets.of(task.id);
    expect(textOf(handle.message)).toBe('third');
    expect(handle.messages.take(10).map(textOf)).toEqual(['more', 'and more']);
  });

  it('refuses more messages than may wait, as a working one does', async () => {
    const { two, task } = await waiting({ runs: 1, queuedMessages: 1 } as { runs: number });
    await two.engine.send(sendCall(userMessage('more', { taskId: task.id })));
    const refused = two.engine.send(sendCall(userMessage('too many', { taskId: task.id })));
    await expect(refused).rejects.toMatchObject({ code: 'OVERLOADED', metadata: { limit: 'queuedMessages' } });
  });

  it('is streamed through any node, from before it begins to its end', async () => {
    const { one, two, task } = await waiting();
    const subscription = await one.engine.subscribe(SCOPE, task.id);
    const states: string[] = [];
    const read = (async () => {
      for await (const { events } of subscription)
        for (const { event } of events.records) if (event.kind === 'status') states.push(event.status.state);
    })();
    two.puppets.runs[0]?.end({ state: 'completed' });
    await expect.poll(() => two.puppets.runs.length).toBe(2);
    two.puppets.of(task.id).end({ state: 'completed' });
    await read;
    expect(states).toEqual(['working', 'completed']);
  });

  it('is waited for by the send that made it, on the node that took it', async () => {
    const { one, two } = await waiting();
    const sent = one.engine.send(sendCall(userMessage('blocking'), { returnImmediately: false, priority: 'high' }));
    await settle();
    two.puppets.runs[0]?.end({ state: 'completed' });
    await expect.poll(() => two.puppets.runs.length).toBe(2);
    two.puppets.runs[1]?.end({ state: 'completed', message: { parts: [{ kind: 'text', text: 'done' }] } });
    const task = (await sent) as Task;
    expect(task.status.state).toBe('completed');
    expect(textOf(task.status.message?.parts ?? [])).toBe('done');
  });

  it('ends when its deadline comes', async () => {
    const { one, two, clock, store } = await waiting();
    const call = sendCall(userMessage('hurried'));
    const task = (await one.engine.send({ ...call, deadline: clock.now() + 5000 })) as Task;
    expect(task.status.state).toBe('submitted');
    await clock.advance(4999);
    expect(await stateOf(two, task)).toBe('submitted');
    await clock.advance(2);
    await expect.poll(() => stateOf(two, task)).toBe('failed');
    const { status } = await one.engine.get(SCOPE, { id: task.id });
    expect(status.message?.metadata).toEqual({ reason: 'run-timeout' });
    expect((await store.queue?.queueState())?.turns).toBe(1);
  });
});

describe('a follow-up turn', () => {
  it('waits for any node as well, and knows what its task showed before', async () => {
    const { one, two, first, task, begun } = await waiting();
    // The third task takes the slot of the first, which then asks.
    const asked = { parts: [{ kind: 'text' as const, text: 'Which?' }] };
    one.puppets.of(first.id).end({ state: 'input-required', message: asked });
    await expect.poll(() => begun).toEqual(['first', 'second', 'third']);
    await two.engine.send(sendCall(userMessage('this one', { taskId: first.id })));
    expect(await stateOf(two, first)).toBe('working');
    expect(begun.length).toBe(3);
    one.puppets.of(task.id).end({ state: 'completed' });
    await expect.poll(() => begun).toEqual(['first', 'second', 'third', 'this one']);
    const { handle } = one.puppets.of(first.id);
    expect(handle.history.map(textOf)).toEqual(['first', 'Which?']);
    expect(handle.statusBefore?.state).toBe('input-required');
    one.puppets.of(first.id).end({ state: 'completed' });
    await expect.poll(() => stateOf(two, first)).toBe('completed');
  });
});
