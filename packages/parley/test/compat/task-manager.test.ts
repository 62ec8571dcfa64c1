import { type A2AMessage, type A2AStreamEvent, InMemoryTaskStore, TaskManager } from 'parley-a2a/compat';
import { describe, expect, it, onTestFinished } from 'vitest';

const hello: A2AMessage = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
const agent = { name: 'Researcher', config: { description: 'Finds things' }, tools: [] };

function manager(
  run: (input: string, signal: AbortSignal, onToken: (token: string) => void) => Promise<unknown> = fails,
) {
  const store = new InMemoryTaskStore();
  const tasks = new TaskManager(store, {
    run: async (_, { input, signal, onToken }) => (await run(input, signal, onToken)) as never,
  });
  onTestFinished(() => tasks.close());
  return { store, tasks };
}

async function fails(): Promise<never> {
  throw new Error('the model is away');
}

describe('TaskManager (S3, Task 7) [seed:S3.2]', () => {
  it('createTask makes a task that is working, with an id of its own', async () => {
    const { tasks, store } = manager();
    const [one, other] = [await tasks.createTask(hello), await tasks.createTask('researcher', hello)];
    expect(one.id).not.toBe(other.id);
    expect(one.status.state).toBe('working');
    expect(one.contextId).not.toBe('');
    expect(one.history).toMatchObject([{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]);
    expect(one.artifacts).toEqual([]);
    expect(await store.get(one.id)).toMatchObject({ id: one.id, status: { state: 'working' } });
    expect(other.history[0]?.metadata).toEqual({ agentName: 'researcher' });
  });

  it('completeTask completes it with what the run gave: text, data, tool calls [seed:S3.8]', async () => {
    const { tasks, store } = manager();
    const { id } = await tasks.createTask(hello);
    const toolCalls = [{ name: 'search', arguments: { query: 'x' } }];
    const done = await tasks.completeTask(id, { output: 'Found it', structured: { key: 'value' }, toolCalls });
    expect(done.status.state).toBe('completed');
    expect(done.history.map(({ role, parts }) => [role, parts])).toEqual([
      ['user', [{ type: 'text', text: 'Hello' }]],
      ['agent', [{ type: 'text', text: 'Found it' }]],
    ]);
    expect(done.artifacts.map(({ parts }) => parts)).toEqual([
      [{ type: 'text', text: 'Found it' }],
      [{ type: 'data', mimeType: 'application/json', data: { key: 'value' } }],
    ]);
    expect(done.metadata).toMatchObject({ toolCalls });
    expect(await store.get(id)).toEqual(done);
  });

  it('failTask fails it and says why', async () => {
    const { tasks } = manager();
    const { id } = await tasks.createTask(hello);
    const failed = await tasks.failTask(id, new Error('out of tokens'));
    expect(failed.status.state).toBe('failed');
    expect(failed.status.message?.parts).toEqual([{ type: 'text', text: 'out of tokens' }]);
  });

  it('cancelTask cancels what has not ended', async () => {
    const { tasks } = manager();
    const { id } = await tasks.createTask(hello);
    expect((await tasks.cancelTask(id)).status.state).toBe('canceled');
    await expect(tasks.cancelTask(id)).rejects.toMatchObject({ code: -32002 });
  });

  it('cancelTask refuses a task that is completed', async () => {
    const { tasks } = manager();
    const { id } = await tasks.createTask(hello);
    await tasks.completeTask(id, { output: 'Done' });
    await expect(tasks.cancelTask(id)).rejects.toMatchObject({ code: -32002, data: { taskId: id } });
  });

  it('cancelTask ends a task that an earlier life of the program has left', async () => {
    const { tasks, store } = manager();
    const status = { state: 'working', timestamp: new Date().toISOString() } as const;
    await store.create({ id: 'task_123', contextId: 'ctx_456', status, history: [], artifacts: [] });
    expect((await tasks.cancelTask('task_123')).status.state).toBe('canceled');
  });

  it('completeTask, failTask and executeTask refuse such a task, rather than leave it as it is', async () => {
    const { tasks, store } = manager();
    const left = {
      id: 'left',
      contextId: 'c',
      status: { state: 'working', timestamp: 't' },
      history: [],
      artifacts: [],
    };
    await store.create(left as never);
    const refusal = 'Task left was made by another manager: this one can only cancel it';
    await expect(tasks.completeTask('left', { output: 'Done' })).rejects.toThrow(refusal);
    await expect(tasks.failTask('left', 'Lost')).rejects.toThrow(refusal);
    await expect(tasks.executeTask(left as never, agent, hello)).rejects.toThrow(refusal);
  });

  it('getTask gives the task, or throws taskNotFound', async () => {
    const { tasks } = manager();
    const { id } = await tasks.createTask(hello);
    expect((await tasks.getTask(id)).id).toBe(id);
    await expect(tasks.getTask('task_123')).rejects.toMatchObject({ code: -32001 });
    await expect(tasks.completeTask('task_123', { output: '' })).rejects.toMatchObject({ code: -32001 });
  });

  it('executeTask runs an agent and emits what happens [seed:S3.8]', async () => {
    const { tasks } = manager(async (input, _, onToken) => {
      onToken('You said ');
      onToken(input);
      return { output: `You said ${input}`, toolCalls: [] };
    });
    const events: A2AStreamEvent[] = [];
    tasks.on('event', (event) => events.push(event));
    const task = await tasks.createTask('researcher', hello);
    const ofTask: unknown[] = [];
    tasks.on(task.id, (event) => ofTask.push(event));
    const done = await tasks.executeTask(task, agent, hello);
    expect(done.status.state).toBe('completed');
    expect(done.artifacts[0]?.parts).toEqual([{ type: 'text', text: 'You said Hello' }]);
    expect(events.map((event) => (event.kind === 'status-update' ? event.status.state : event.kind))).toEqual([
      'working',
      'working',
      'artifact-update',
      'artifact-update',
      'completed',
    ]);
    expect(ofTask.at(-1)).toBe(events.at(-1));
  });

  it('executeTask ends as failed where the agent fails', async () => {
    const { tasks } = manager();
    const failed = await tasks.executeTask(await tasks.createTask(hello), agent, hello);
    expect(failed.status).toMatchObject({
      state: 'failed',
      message: { parts: [{ type: 'text', text: 'the model is away' }] },
    });
  });

  it('cancelling really aborts the run [seed:S3.8]', async () => {
    const aborted = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { tasks } = manager((_, signal) => {
      begun.resolve();
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => undefined);
    });
    const task = await tasks.createTask(hello);
    const executed = tasks.executeTask(task, agent, hello);
    await begun.promise;
    await tasks.cancelTask(task.id);
    await aborted.promise;
    expect((await executed).status.state).toBe('canceled');
  });

  it('on, once and off are those of an event emitter', async () => {
    const { tasks } = manager();
    const told: string[] = [];
    const always = () => told.push('always');
    tasks.on('status', always).once('status', () => told.push('once'));
    const { id } = await tasks.createTask(hello);
    await tasks.completeTask(id, { output: '' });
    expect(told.filter((word) => word === 'once')).toHaveLength(1);
    const before = told.length;
    tasks.off('status', always);
    await tasks.createTask(hello);
    expect(told).toHaveLength(before);
  });
});
