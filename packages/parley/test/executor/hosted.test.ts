import { type AgentCard, Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent } from '@a2a-js/sdk/server';
import { fromExecutor, isA2AError, type StreamEvent, textOf } from 'parley-a2a';
import { TestAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as executors from './executors.ts';
import { ABOUT, executing, hosting, said, sent, status, warnings } from './hosting.ts';
import { CARD } from './hosts.ts';

describe('the request', () => {
  it('has the message, who sent it and what is accepted, and may be changed', async () => {
    let seen: object | undefined;
    const agent = hosting(
      executing((context, bus) => {
        const { taskId, contextId, request, context: call, task, referenceTasks } = context;
        seen = structuredClone({ taskId, contextId, request, user: call.user, task, referenceTasks });
        if (context.userMessage.metadata) context.userMessage.metadata.urgent = 'changed';
        bus.publish(status(TaskState.TASK_STATE_COMPLETED, 'Done'));
      }),
    );
    const first = await sent(agent);
    const task = await sent(agent, 'Then', {
      metadata: { from: 'test' },
      messageMetadata: { urgent: true },
      referenceTaskIds: [first.id],
      contextId: first.contextId,
      acceptedOutputModes: ['text/plain'],
    });
    expect(seen).toMatchObject({
      taskId: task.id,
      contextId: first.contextId,
      request: {
        message: {
          role: Role.ROLE_USER,
          taskId: task.id,
          contextId: task.contextId,
          parts: [{ content: { $case: 'text', value: 'Then' }, filename: '', mediaType: '' }],
          metadata: { urgent: true },
        },
        metadata: { from: 'test' },
        configuration: { acceptedOutputModes: ['text/plain'] },
      },
      user: { isAuthenticated: false, userName: '' },
      task: undefined,
      referenceTasks: [{ id: first.id, status: { state: TaskState.TASK_STATE_COMPLETED } }],
    });
    expect(task.history[0]?.metadata).toEqual({ urgent: true });
  });

  it('has files as buffers', async () => {
    let raw: unknown;
    const agent = hosting(
      executing(({ userMessage }, bus) => {
        const content = userMessage.parts[0]?.content;
        raw = content?.$case === 'raw' ? content.value : undefined;
        bus.publish(AgentEvent.message(said('Got it')));
      }),
    );
    await agent.client.sendMessage(new File(['a;b'], 'table.csv'));
    expect(Buffer.isBuffer(raw) && raw.toString()).toBe('a;b');
  });

  it('has the task in later turns, also after a restart', async () => {
    const agent = hosting(new executors.Conversation());
    const { id } = await sent(agent, 'What is the weather?');
    await agent.restart(fromExecutor(new executors.Conversation(), ABOUT));
    await sent(agent, 'Paris', { taskId: id });
    await agent.restart(fromExecutor(new executors.Conversation(), ABOUT));
    const task = await sent(agent, 'Monday', { taskId: id });
    expect(task.status.message && textOf(task.status.message)).toBe('Sunny: What is the weather?, Paris, Monday');
    expect(textOf(task)).toBe('asked;told');
  });
});

describe('what is published', () => {
  it('goes out chunk by chunk', async () => {
    const agent = hosting(new executors.Streaming());
    const chunks: string[] = [];
    for await (const event of agent.client.sendMessageStream('Line')) {
      if (event.kind === 'artifact') chunks.push(`${event.artifact.artifactId} ${event.append} ${event.lastChunk}`);
    }
    expect(chunks).toHaveLength(executors.CHUNKS + 2);
    expect(chunks.slice(0, 2)).toEqual(['report false false', 'report true false']);
    expect(chunks.slice(-3)).toEqual(['report true true', 'notes false false', 'notes true true']);
  });

  it('is dropped after the end, with one warning', async () => {
    const agent = hosting(new executors.PublishesAfterTheEnd());
    expect((await sent(agent)).artifacts).toHaveLength(1);
    expect(warnings(agent)).toEqual([
      'warn: An executor published after its turn had ended; that and all that follows is dropped',
    ]);
    expect(agent.logged[0]?.details).toMatchObject({ agent: 'hosted', kind: 'artifactUpdate' });
  });

  it('may lack an end: the task is completed, with a warning', async () => {
    const agent = hosting(new executors.ReturnsEarly());
    expect((await sent(agent)).status.state).toBe('completed');
    expect(warnings(agent)).toEqual(['warn: An executor ended without a final status: its task is completed']);
  });

  it('must be something', async () => {
    const agent = hosting(new executors.SaysNothing());
    const task = await sent(agent);
    expect(task.status).toMatchObject({ state: 'failed', message: { metadata: { reason: 'invalid-agent-response' } } });
  });

  it.each([
    ['no event', undefined],
    ['an unknown kind', { kind: 'progress', data: {} }],
    ['an artifact without an id', { kind: 'artifactUpdate', data: { artifact: { parts: [] } } }],
    ['an unknown part', { kind: 'message', data: { parts: [{ content: { $case: 'video' } }] } }],
  ])('must be valid: %s', async (_what, event) => {
    const agent = hosting(executing((_context, bus) => bus.publish(event as never)));
    expect((await sent(agent)).status).toMatchObject({
      state: 'failed',
      message: { metadata: { reason: 'invalid-agent-response' } },
    });
    expect(isA2AError(agent.logged[0]?.details.error)).toBe(true);
  });

  it('keeps the ids of messages and what stands beside them', async () => {
    const agent = hosting(
      executing((_context, bus) => {
        bus.publish(status(TaskState.TASK_STATE_WORKING, 'At it'));
        const message = said('Done', { messageId: 'm-1', metadata: { tone: 'dry' }, extensions: ['urn:x'] });
        const final = { state: TaskState.TASK_STATE_COMPLETED, message, timestamp: undefined };
        bus.publish(AgentEvent.statusUpdate({ taskId: '', contextId: '', status: final, metadata: { tokens: 5 } }));
      }),
    );
    const stream = agent.client.sendMessageStream('Go');
    let last: StreamEvent | undefined;
    for await (const event of stream) last = event;
    expect(last).toMatchObject({ kind: 'status', metadata: { tokens: 5 } });
    const task = await stream.task;
    expect(task.status.message).toMatchObject({
      messageId: 'm-1',
      taskId: task.id,
      metadata: { tone: 'dry' },
      extensions: ['urn:x'],
    });
  });

  it('may be a message in the middle of a talk: the task goes on waiting', async () => {
    const agent = hosting(
      executing(({ task }, bus) => {
        if (task) bus.publish(AgentEvent.message(said('I did not get that')));
        else bus.publish(status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which city?'));
      }),
    );
    const { id } = await sent(agent);
    const task = await sent(agent, 'Xyz', { taskId: id });
    expect(task.status).toMatchObject({ state: 'input-required' });
    expect(task.status.message && textOf(task.status.message)).toBe('I did not get that');
  });

  it('may be listened to by whoever wraps the bus', async () => {
    const heard: string[] = [];
    const agent = hosting(
      executing((_context, bus) => {
        const off = () => heard.push('never');
        bus.on('event', off).off('event', off);
        bus.on('event', ({ kind }) => heard.push(kind));
        bus.once('event', () => heard.push('once'));
        bus.once('finished', () => heard.push('finished'));
        bus.publish(status(TaskState.TASK_STATE_WORKING, 'At it'));
        bus.publish(status(TaskState.TASK_STATE_COMPLETED, 'Done'));
        bus.finished();
        bus.removeAllListeners();
        bus.finished();
      }),
    );
    await sent(agent);
    expect(heard).toEqual(['statusUpdate', 'once', 'statusUpdate', 'finished']);
  });

  it('may wait for an authorization that comes by another way', async () => {
    const executor = new executors.SignsInItself();
    const agent = hosting(executor);
    const waiting = await sent(agent);
    expect(waiting.status).toMatchObject({ state: 'auth-required', message: { role: 'agent' } });
    const rest = agent.client.subscribe(waiting.id);
    executor.signedIn.resolve();
    const task = await rest.task;
    expect(task.status.state).toBe('completed');
    expect(textOf(task)).toBe('secret');
    expect(task.history.map(textOf)).toEqual(['Go', 'Sign in first', 'Signed in']);
  });

  it('comes from several calls at once where messages come while it works', async () => {
    const agent = hosting(new executors.Together());
    const stream = agent.client.sendMessageStream('First');
    const id = await stream.id;
    const task = await sent(agent, 'second', { taskId: id });
    expect(task.status.message && textOf(task.status.message)).toBe('Then second');
    expect((await stream.task).status.state).toBe('completed');
  });
});

describe('the card', () => {
  it('is what the official one says about the agent, at our addresses', async () => {
    const agent = new TestAgent(fromExecutor(new executors.MessageOnly(), CARD));
    onTestFinished(() => agent.close());
    const card = await agent.client.agentCard();
    expect(card).toMatchObject({
      name: 'Movie Agent',
      description: 'Knows films',
      version: '2.1.0',
      provider: { organization: 'Films', url: 'https://films.example.com' },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain', 'image/png'],
      skills: [{ id: 'find', tags: ['general'], examples: ['Who played in it?'] }],
      capabilities: { streaming: true },
    });
    expect(card.interfaces.every(({ url }) => url.startsWith(agent.url))).toBe(true);
    expect((await agent.connect({}, 'movie-agent').agentCard()).name).toBe('Movie Agent');
  });

  it('says whether it streams', () => {
    const silent: AgentCard = { ...CARD, name: '映画', capabilities: { extensions: [] } };
    expect(fromExecutor(new executors.MessageOnly(), silent)).toMatchObject({ name: 'agent', streaming: false });
  });
});
