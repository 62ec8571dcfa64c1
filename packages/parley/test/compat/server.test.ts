import * as root from 'parley-a2a';
import { type A2AServerOptions, defineAgent } from 'parley-a2a';
import {
  A2AServer,
  type A2AServerConfig,
  type A2AStreamEvent,
  type A2ATask,
  type CogitatorRunOptions,
  type IAgent,
  InMemoryTaskStore,
  type RunResult,
} from 'parley-a2a/compat';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

type Run = (agent: IAgent, options: CogitatorRunOptions) => Promise<RunResult>;

const researcher = {
  name: 'Research Agent',
  config: { description: 'Finds things' },
  tools: [{ name: 'search', description: 'Search the web', parameters: z.object({ query: z.string() }) }],
};
const writer = { name: 'Writer', config: { description: 'Writes' }, tools: [] };

const echo: Run = async (_, { input }) => ({ output: `You said ${input}` });

function served(run: Run = echo, more: Partial<A2AServerConfig> = {}): A2AServer {
  const log = { error: () => undefined, warn: () => undefined };
  const server = new A2AServer({ agents: { researcher, writer }, cogitator: { run }, log, ...more });
  onTestFinished(() => server.close());
  return server;
}

const hello = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };

function rpc(method: string, params?: unknown, id: string | number = 1) {
  return { jsonrpc: '2.0', id, method, params };
}

async function sent(server: A2AServer): Promise<A2ATask> {
  return (await server.handleJsonRpc(rpc('message/send', { message: hello }))).result as A2ATask;
}

describe('A2AServer (S3, Task 8) [seed:S3.2]', () => {
  it('answers message/send with a task', async () => {
    const response = await served().handleJsonRpc(rpc('message/send', { message: hello }, 'req-1'));
    expect(response).toMatchObject({ jsonrpc: '2.0', id: 'req-1' });
    expect(response.result).toMatchObject({
      id: expect.any(String),
      contextId: expect.any(String),
      status: { state: 'completed', timestamp: expect.stringMatching(/Z$/) },
      history: [hello, { role: 'agent', parts: [{ type: 'text', text: 'You said Hello' }] }],
      artifacts: [{ id: expect.any(String), parts: [{ type: 'text', text: 'You said Hello' }] }],
    });
    expect(response.result).not.toHaveProperty('kind');
  });

  it('answers tasks/get', async () => {
    const server = served();
    const task = await sent(server);
    expect((await server.handleJsonRpc(rpc('tasks/get', { id: task.id }))).result).toEqual(task);
    for (const historyLength of [0, 1, 2, 3]) {
      const { result } = await server.handleJsonRpc(rpc('tasks/get', { id: task.id, historyLength }));
      expect((result as A2ATask).history).toEqual(task.history.slice(Math.max(2 - historyLength, 0)));
    }
  });

  it('cancels by tasks/cancel, and the run is aborted [seed:S3.8]', async () => {
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const server = served((_, { signal }) => {
      begun.resolve();
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => undefined);
    });
    const started = await server.handleJsonRpc(
      rpc('message/send', { message: hello, configuration: { blocking: false } }),
    );
    const { id, status } = started.result as A2ATask;
    expect(status.state).toBe('working');
    await begun.promise;
    const canceled = await server.handleJsonRpc(rpc('tasks/cancel', { id }));
    expect((canceled.result as A2ATask).status.state).toBe('canceled');
    await aborted.promise;
    const again = await server.handleJsonRpc(rpc('tasks/cancel', { id }));
    expect((again.result as A2ATask | undefined)?.status.state ?? again.error?.code).toSatisfy(
      (answer) => answer === 'canceled' || answer === -32002,
    );
  });

  it('refuses to cancel what is done', async () => {
    const server = served();
    const { id } = await sent(server);
    expect((await server.handleJsonRpc(rpc('tasks/cancel', { id }))).error?.code).toBe(-32002);
  });

  it.each([
    ['an unknown method', rpc('message/fly'), -32601, 1],
    ['an unknown task', rpc('tasks/get', { id: 'task_123' }), -32001, 1],
    [
      'params that are wrong',
      rpc('message/send', { message: { role: 'user', parts: [{ type: 'video' }] } }),
      -32602,
      1,
    ],
    ['no JSON-RPC', { hello: 'there' }, -32600, null],
    ['broken text', '{"jsonrpc"', -32700, null],
    ['a batch', [rpc('tasks/get', { id: 'task_123' })], -32600, null],
  ])('answers %s with the right error [seed:S3.3]', async (_, body, code, id) => {
    const response = await served().handleJsonRpc(body);
    expect(response).toMatchObject({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } });
    expect(response).not.toHaveProperty('result');
  });

  it.each([{ batch: true }, { jsonRpcBatches: true }])('answers batches with %j [seed:S3.3]', async (setting) => {
    const server = served(echo, setting);
    const bodies = [rpc('message/send', { message: hello }, 'a'), rpc('tasks/get', { id: 'task_123' }, 'b')];
    expect(await server.handleJsonRpc(bodies)).toMatchObject([
      { id: 'a', result: { status: { state: 'completed' } } },
      { id: 'b', error: { code: -32001, data: { taskId: 'task_123' } } },
    ]);
  });

  it('gives cards, of one agent and of all [seed:S3.4]', () => {
    const server = served(echo, { cardUrl: 'https://example.com' });
    expect(server.getAgentCard('writer')).toMatchObject({
      name: 'Writer',
      version: '0.3',
      url: 'https://example.com/a2a/agents/writer',
      skills: [],
    });
    expect(server.getAgentCard()).toMatchObject({ name: 'Research Agent', url: 'https://example.com/a2a' });
    expect(server.getAgentCards().map(({ name }) => name)).toEqual(['Research Agent', 'Writer']);
    expect(server.getAgentCard().skills[0]?.inputSchema).toMatchObject({ properties: { query: { type: 'string' } } });
    expect(() => server.getAgentCard('nobody')).toThrow('There is no agent "nobody" here');
  });

  it.each([
    'https://example.com/agents',
    'https://example.com/agents/',
    'https://example.com',
  ])('takes %s for where its cards are', (cardUrl) => {
    const server = served(echo, { cardUrl, basePath: '/agents' });
    expect(server.getAgentCard().url).toBe('https://example.com/agents');
  });

  it('needs an agent, and someone to run it', () => {
    expect(() => served(echo, { agents: {} })).toThrow('at least one agent');
    expect(() => new root.A2AServer({ agents: { researcher } } as unknown as A2AServerOptions)).toThrow(
      'Agent "Research Agent" does not run by itself',
    );
  });

  it('runs the agent that was meant, with its input, and maps what it gives [seed:S3.8]', async () => {
    const runs: unknown[] = [];
    const server = served(async (agent, { input, signal, stream }) => {
      runs.push([agent, input, signal instanceof AbortSignal, stream]);
      return { output: 'Done', structured: { pages: 3 }, toolCalls: [{ name: 'search', arguments: { query: 'x' } }] };
    });
    const task = await sent(server);
    expect(runs).toEqual([[researcher, 'Hello', true, true]]);
    expect(task.artifacts.map(({ parts }) => parts)).toEqual([
      [{ type: 'text', text: 'Done' }],
      [{ type: 'data', mimeType: 'application/json', data: { pages: 3 } }],
    ]);
    expect(task.metadata).toMatchObject({ toolCalls: [{ name: 'search', arguments: { query: 'x' } }] });
  });

  it('calls another agent by its name', async () => {
    const server = served(async ({ name }) => ({ output: name }));
    const response = await server.handleJsonRpc(rpc('message/send', { message: hello }), { agent: 'writer' });
    expect((response.result as A2ATask).artifacts[0]?.parts).toEqual([{ type: 'text', text: 'Writer' }]);
    const nobody = await server.handleJsonRpc(rpc('message/send', { message: hello }, 'x'), { agent: 'nobody' });
    expect(nobody).toMatchObject({ jsonrpc: '2.0', id: 'x', error: { code: -32601 } });
    expect(nobody.error?.message).toContain('nobody');
    const stream = server.handleJsonRpcStream(rpc('message/sendStream', { message: hello }), { agent: 'nobody' });
    await expect(stream.next()).rejects.toMatchObject({ code: -32601 });
  });

  it('mirrors its tasks into the task store [seed:S3.5]', async () => {
    const taskStore = new InMemoryTaskStore();
    const server = served(echo, { taskStore });
    const task = await sent(server);
    await server.close();
    expect(await taskStore.get(task.id)).toEqual(task);
  });
});

describe('A2AServer, streaming (S3, Task 9) [seed:S3.2]', () => {
  async function events(server: A2AServer, method = 'message/sendStream'): Promise<A2AStreamEvent[]> {
    const all: A2AStreamEvent[] = [];
    for await (const event of server.handleJsonRpcStream(rpc(method, { message: hello }))) all.push(event);
    return all;
  }

  it.each([
    'message/sendStream',
    'message/stream',
    'message/send',
  ])('%s gives working, the text as it grows, completed', async (method) => {
    const server = served(async (_, { onToken }) => {
      for (const token of ['You ', 'said ', 'it']) onToken(token);
      return { output: 'You said it', structured: { key: 'value' } };
    });
    const all = await events(server, method);
    const states = all.flatMap((event) => (event.kind === 'status-update' ? [event.status.state] : []));
    expect(states[0]).toBe('working');
    expect(states.at(-1)).toBe('completed');
    expect(all.at(-1)).toMatchObject({ kind: 'status-update', status: { state: 'completed' }, final: true });
    const parts = all.flatMap((event) => (event.kind === 'artifact-update' ? event.artifact.parts : []));
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(text).toBe('You said it');
    expect(parts).toContainEqual({ type: 'data', mimeType: 'application/json', data: { key: 'value' } });
  });

  it('ends with failed where the agent fails, and tells nothing of why', async () => {
    const all = await events(served(() => Promise.reject(new Error('secret'))));
    expect(all.at(-1)).toMatchObject({ status: { state: 'failed' }, final: true });
    expect(JSON.stringify(all)).not.toContain('secret');
  });

  it('corrects a text that was streamed otherwise', async () => {
    const server = served(async (_, { onToken }) => {
      onToken('You sad it');
      return { output: 'You said it' };
    });
    const id = (await events(server))[0]?.taskId;
    const task = (await server.handleJsonRpc(rpc('tasks/get', { id }))).result as A2ATask;
    expect(task.artifacts[0]?.parts).toEqual([{ type: 'text', text: 'You said it' }]);
  });

  it('throws what is wrong, with its number', async () => {
    const server = served();
    const stream = (body: unknown) => server.handleJsonRpcStream(body).next();
    await expect(stream(rpc('message/fly'))).rejects.toMatchObject({ code: -32601 });
    await expect(stream(rpc('message/sendStream', {}))).rejects.toMatchObject({ code: -32602 });
    await expect(stream(rpc('tasks/get', { id: 'task_123' }))).rejects.toMatchObject({ code: -32004 });
    await expect(stream([rpc('message/sendStream', { message: hello })])).rejects.toMatchObject({ code: -32600 });
    await expect(stream('{')).rejects.toMatchObject({ code: -32700 });
    await expect(stream(rpc('tasks/resubscribe', { id: 'task_123' }))).rejects.toMatchObject({
      code: -32001,
      data: { taskId: 'task_123' },
    });
  });

  it('lets go of the stream when its reader does, and the task goes on', async () => {
    const go = Promise.withResolvers<void>();
    const server = served(async (_, { onToken }) => {
      onToken('a');
      await go.promise;
      return { output: 'ab' };
    });
    const stream = server.handleJsonRpcStream(rpc('message/sendStream', { message: hello }));
    const first = (await stream.next()).value as A2AStreamEvent;
    await stream.return();
    go.resolve();
    await expect
      .poll(async () => (await server.handleJsonRpc(rpc('tasks/get', { id: first.taskId }))).result)
      .toMatchObject({ status: { state: 'completed' } });
    expect(server.load.subscriptions).toBe(0);
  });
});

describe('the same methods of the server at the root', () => {
  const greeter = defineAgent({
    name: 'greeter',
    description: 'Greets',
    version: '1.0.0',
    run: (task) => `Hi ${task.text}`,
  });

  function server(options: Partial<A2AServerOptions> = {}): root.A2AServer {
    const made = new root.A2AServer({ agents: { greeter }, url: 'https://example.com', ...options });
    onTestFinished(() => made.close());
    return made;
  }

  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Ada' }] };
  const older = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'Ada' }] };

  it('answer in the version that was asked in', async () => {
    const made = server();
    expect(await made.handleJsonRpc(rpc('SendMessage', { message }))).toMatchObject({
      result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
    });
    expect(await made.handleJsonRpc(JSON.stringify(rpc('message/send', { message: older })))).toMatchObject({
      id: 1,
      result: { kind: 'task', status: { state: 'completed' } },
    });
    expect(
      await made.handleJsonRpc(rpc('SendMessage', { message }), { headers: { 'a2a-version': '9.0' } }),
    ).toMatchObject({
      error: { code: -32009 },
    });
  });

  it('stream in the version that was asked in', async () => {
    const kinds: unknown[] = [];
    for await (const event of server().handleJsonRpcStream(rpc('message/stream', { message: older }))) {
      kinds.push((event as { readonly kind: string }).kind);
    }
    expect([kinds[0], kinds.at(-1)]).toEqual(['task', 'status-update']);
    expect(kinds).toContain('artifact-update');
  });

  it('send streams the other way', async () => {
    const response = await server().handleJsonRpc(rpc('message/stream', { message: older }));
    expect(response).toMatchObject({ id: 1, error: { code: -32004 } });
    expect(response.error?.message).toContain('handleJsonRpcStream');
    const [only] = [
      await server()
        .handleJsonRpcStream(rpc('message/send', { message: older }))
        .next(),
    ];
    expect(only?.value).toMatchObject({ kind: 'task', status: { state: 'completed' } });
  });

  it('give the cards that are published', async () => {
    const made = server();
    const published = await (await made.fetch(new Request('https://example.com/.well-known/agent-card.json'))).json();
    expect(JSON.parse(JSON.stringify(made.getAgentCard()))).toEqual(published);
    expect(made.getAgentCards()).toHaveLength(1);
    expect(() => made.getAgentCard('nobody')).toThrow('nobody');
  });
});
