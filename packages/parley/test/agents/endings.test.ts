import { chunk, defineAgent, fail, inputRequired, isTask, type Task, type TaskContext, textOf } from 'parley-a2a';
import { TestAgent } from 'parley-a2a/testing';
import type { RunResult } from 'parley-a2a/types';
import { describe, expect, it, onTestFinished } from 'vitest';

const ABOUT = { name: 'test', description: 'An agent of a test', version: '1.0.0' };

function hosting(run: (task: TaskContext) => RunResult, more = {}): TestAgent {
  const agent = new TestAgent(defineAgent({ ...ABOUT, ...more, run }));
  onTestFinished(() => agent.close());
  return agent;
}

async function sent(agent: TestAgent, text = 'Go', options = {}): Promise<Task> {
  const answer = await agent.client.sendMessage(text, options);
  if (!isTask(answer)) throw new Error('A message');
  return answer;
}

describe('a run may end its task', () => {
  it('as failed, in its own words', async () => {
    const agent = hosting(() => fail('The index is empty'));
    const { status } = await sent(agent);
    expect(status).toMatchObject({ state: 'failed', message: { parts: [{ text: 'The index is empty' }] } });
    expect(agent.logged).toEqual([]);
  });

  it('as canceled or rejected, with metadata of the update', async () => {
    const agent = hosting((task) => ({
      outcome: task.text === 'reject' ? 'rejected' : 'canceled',
      message: { messageId: 'm-1', parts: [{ kind: 'text', text: 'No longer needed' }] },
      metadata: { by: 'agent' },
    }));
    const stream = agent.client.sendMessageStream('cancel');
    const updates: unknown[] = [];
    for await (const event of stream) if (event.kind === 'status') updates.push([event.status.state, event.metadata]);
    expect(updates.at(-1)).toEqual(['canceled', { by: 'agent' }]);
    expect((await stream.task).status.message?.messageId).toBe('m-1');
    expect((await sent(agent, 'reject')).status.state).toBe('rejected');
  });

  it('without a message', async () => {
    const { status } = await sent(hosting(() => ({ outcome: 'failed' })));
    expect([status.state, status.message]).toEqual(['failed', undefined]);
  });
});

describe('a status', () => {
  it('needs no message', async () => {
    const agent = hosting(async (task) => {
      await task.status();
      await task.status('Reading');
    });
    const task = await sent(agent);
    expect(task.history.map(textOf)).toEqual(['Go', 'Reading']);
  });

  it('may show that the task waits while the run goes on; where it still does at the end, it is not said again', async () => {
    const gate = Promise.withResolvers<void>();
    const agent = hosting(async (task) => {
      if (task.previousStatus) return 'Signed in';
      await task.status('Sign in', { state: 'auth-required' });
      await gate.promise;
      return { outcome: 'auth-required' };
    });
    const waiting = await sent(agent);
    expect(waiting.status).toMatchObject({ state: 'auth-required', message: { parts: [{ text: 'Sign in' }] } });
    gate.resolve();
    const task = await sent(agent, 'Done', { taskId: waiting.id });
    // A message to a task in auth-required is a credential, which no history has.
    expect(task.history.map(textOf)).toEqual(['Go', 'Sign in']);
    const events = agent.client.subscribe(task.id, { lastEventId: 0 });
    const states: string[] = [];
    for await (const event of events) if (event.kind === 'status') states.push(event.status.state);
    expect(states).toEqual(['working', 'auth-required', 'working', 'completed']);
  });
});

describe('what the task showed, and shows', () => {
  it('is there for the next turn', async () => {
    const seen: unknown[] = [];
    const agent = hosting(async (task) => {
      seen.push([task.previousStatus?.state, (await task.snapshot())?.artifacts.length]);
      await task.write('Some');
      seen.push((await task.snapshot())?.artifacts.length);
      return task.previousStatus ? undefined : inputRequired('Which?');
    });
    const { id } = await sent(agent);
    await sent(agent, 'That', { taskId: id });
    expect(seen).toEqual([[undefined, undefined], 1, ['input-required', 1], 2]);
  });
});

it('adds what a chunk says beside its parts to its artifact', async () => {
  const agent = hosting(async (task) => {
    await task.write(chunk('one', { artifactId: 'a', name: 'draft', metadata: { pages: 1 } }));
    await task.write(chunk('two', { artifactId: 'a', name: 'final', metadata: { done: true } }));
  });
  const { id } = await sent(agent);
  await agent.restart();
  expect((await agent.client.getTask(id)).artifacts).toMatchObject([
    { artifactId: 'a', name: 'final', metadata: { pages: 1, done: true } },
  ]);
});

it("writes to the server's log", async () => {
  const agent = hosting((task) => task.warn('Slow today', { seconds: 3 }));
  const { id } = await sent(agent);
  const details = { taskId: id, agent: 'test', seconds: 3 };
  expect(agent.logged).toEqual([{ level: 'warn', message: 'Slow today', details }]);
});

describe('canceling', () => {
  it('ends with the message that a handler gives', async () => {
    const agent = hosting(async (task) => {
      task.onCancel(() => 'Stopped half-way');
      task.onCancel(() => {});
      await task.status('At it');
      await new Promise(() => {});
    });
    const { status } = await agent.client.sendMessageStream('Go').cancel();
    expect(status).toMatchObject({ state: 'canceled', message: { parts: [{ text: 'Stopped half-way' }] } });
  });

  it('tells the agent of a task that waits for its caller', async () => {
    const canceled: string[] = [];
    const onCancel = ({ id }: { readonly id: string }) => {
      canceled.push(id);
      return 'Never mind';
    };
    const agent = hosting(() => inputRequired('Which?'), { onCancel });
    const { id } = await sent(agent);
    const { status } = await agent.client.cancelTask(id);
    expect(status).toMatchObject({ state: 'canceled', message: { parts: [{ text: 'Never mind' }] } });
    expect(canceled).toEqual([id]);
  });

  it('does so whether or not the agent can do anything about it', async () => {
    const onCancel = () => Promise.reject(new Error('No'));
    const agent = hosting(() => inputRequired('Which?'), { onCancel });
    const { id } = await sent(agent);
    expect((await agent.client.cancelTask(id)).status.state).toBe('canceled');
    expect(agent.logged.map(({ message }) => message)).toEqual(['An agent failed when its task was canceled']);
  });
});

it('shows a title on the card, and the name in the address', async () => {
  const agent = hosting(() => 'Hi', { title: 'Movie Agent' });
  expect((await agent.client.agentCard()).name).toBe('Movie Agent');
  expect((await agent.connect({}, 'test').agentCard()).name).toBe('Movie Agent');
});
