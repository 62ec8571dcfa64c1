import { TaskState } from '@a2a-js/sdk';
import { AgentEvent } from '@a2a-js/sdk/server';
import { textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { pause } from '../support/script.ts';
import { gatedStore } from '../support/stores/gated-store.ts';
import * as executors from './executors.ts';
import { executing, hosting, said, sent, status, warnings } from './hosting.ts';

describe('a message that takes its time', () => {
  const slow = () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const executor = executing(async (_context, bus) => {
      begun.resolve();
      await gate.promise;
      bus.publish(AgentEvent.message(said('Here I am')));
    });
    return { gate, begun: begun.promise, executor };
  };

  it('is that of a completed task: callers are not kept waiting for a task to hold on to', async () => {
    const { gate, begun, executor } = slow();
    const agent = hosting(executor);
    const answer = agent.client.sendMessage('Go');
    await begun;
    await agent.advance(101);
    gate.resolve();
    expect(await answer).toMatchObject({ status: { state: 'completed', message: { parts: [{ text: 'Here I am' }] } } });
  });

  it('is a bare one where the server waits for it, as the official one does', async () => {
    const { gate, begun, executor } = slow();
    const agent = hosting(executor, { frozen: true, server: { limits: { replyWindow: 60_000 } } });
    const answer = agent.client.sendMessage('Go');
    await begun;
    await agent.advance(59_999);
    gate.resolve();
    expect(await answer).toMatchObject({ role: 'agent', parts: [{ text: 'Here I am' }] });
  });
});

describe('canceling', () => {
  it('keeps what the executor says in time', async () => {
    const agent = hosting(new executors.Cancellable());
    const stream = agent.client.sendMessageStream('Go');
    const task = await stream.cancel();
    expect(task.status.state).toBe('canceled');
    expect(task.status.message && textOf(task.status.message)).toBe('Stopped half-way');
    expect(textOf(task)).toBe('half');
    expect(agent.logged).toEqual([]);
  });

  it('does not wait for one that cannot', async () => {
    const executor = executing(() => new Promise(() => {}));
    const agent = hosting({ ...executor, cancelTask: () => Promise.reject(new Error('No such thing')) });
    const { id } = await sent(agent, 'Go', { returnImmediately: true });
    expect((await agent.client.cancelTask(id)).status.state).toBe('canceled');
    expect(warnings(agent)).toEqual(['warn: An executor could not cancel its task']);
  });

  it('waits two seconds at most for one that does not listen', async () => {
    const agent = hosting(
      executing(() => new Promise(() => {})),
      { frozen: true },
    );
    const { id } = await sent(agent, 'Go', { returnImmediately: true });
    const canceled = agent.client.cancelTask(id);
    await agent.advance(1999);
    expect((await agent.client.getTask(id)).status.state).toBe('working');
    await agent.advance(1);
    expect((await canceled).status.state).toBe('canceled');
  });

  it('is told when the run takes too long', async () => {
    const executor = new executors.Cancellable();
    const agent = hosting(executor, { server: { limits: { runTimeout: 1000 } } });
    const { id } = await sent(agent, 'Go', { returnImmediately: true });
    await agent.advance(1001);
    await eventually(() => [...executor.canceled]).toEqual([id]);
    expect((await agent.client.getTask(id)).status).toMatchObject({
      state: 'failed',
      message: { metadata: { reason: 'run-timeout' } },
    });
  });
});

it('calls the executor for a message that came while the end of a turn was being written', async () => {
  const gated = gatedStore();
  const known = Promise.withResolvers<void>();
  const published = Promise.withResolvers<void>();
  const texts: string[] = [];
  const agent = hosting(
    executing(async ({ userMessage, task }, bus) => {
      const content = userMessage.parts[0]?.content;
      texts.push(content?.$case === 'text' ? content.value : '');
      if (task) {
        bus.publish(status(TaskState.TASK_STATE_COMPLETED, `Found ${task.status?.state}`));
        return;
      }
      bus.publish(status(TaskState.TASK_STATE_WORKING, 'At it'));
      await known.promise;
      gated.hold();
      // More than may be uncommitted: the turn has ended for the executor before it is written.
      for (let index = 0; index < 600; index += 1) bus.publish(status(TaskState.TASK_STATE_WORKING, `Step ${index}`));
      bus.publish(status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which?'));
      published.resolve();
    }),
    { store: gated.store },
  );
  const first = agent.client.sendMessageStream('First');
  const ended = first.task;
  const id = await first.id;
  known.resolve();
  await published.promise;
  const second = agent.client.sendMessage('Second', { taskId: id });
  // Time to arrive; where it comes later still, it is an ordinary next turn.
  await pause(20);
  gated.release();
  expect(await second).toMatchObject({ id, status: { state: 'completed' } });
  await ended;
  expect(texts).toEqual(['First', 'Second']);
  const task = await agent.client.getTask(id);
  expect(task.status.message && textOf(task.status.message)).toBe(`Found ${TaskState.TASK_STATE_INPUT_REQUIRED}`);
});
