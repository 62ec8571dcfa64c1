import { A2AClient, bytes, inputRequired, json, link, reply, type StreamEvent, text, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { lab } from '../../../../../examples/agents/lab.ts';
import { matrix } from '../../interop/support/rows.ts';
import { startServer } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { clientOf, fetchOf } from '../support/recorded.ts';

matrix(({ version, binding }) => {
  const prefer = { version, binding };

  it('runs: a text in, a text out', async () => {
    const { server } = startServer(
      agentOf(async function* (task) {
        yield 'Hello, ';
        yield task.text;
      }),
    );
    const { agent, sent } = await clientOf(server, { prefer });
    expect(await agent.run('world')).toBe('Hello, world');
    expect(sent).toHaveLength(2);
  });

  it('sends a text, parts or a message, with its configuration (S0.19)', async () => {
    const { server } = startServer(agentOf((task) => [...task.parts]));
    const { agent } = await clientOf(server, { prefer });
    const parts = [
      text('a'),
      bytes('b', { mediaType: 'text/plain', filename: 'b.txt' }),
      link('https://a.example/c'),
      json({ d: 1 }),
    ];
    const contents = [parts, { parts }, { message: { parts, messageId: 'mine' }, configuration: { historyLength: 1 } }];
    for (const content of contents) {
      const answer = await agent.sendMessage(content);
      expect('artifacts' in answer && answer.artifacts[0]?.parts).toEqual(
        parts.map((part) => expect.objectContaining(part)),
      );
    }
    expect(textOf(await agent.sendMessage(text('one')))).toBe('one');
    expect(textOf(await agent.sendMessage(['one', text('two')]))).toBe('onetwo');
    const files = [new Blob(['hi'], { type: 'text/plain' }), new File(['ho'], 'ho.txt', { type: 'text/plain' })];
    const answer = await agent.sendMessage(['see', ...files]);
    expect('artifacts' in answer && answer.artifacts[0]?.parts.slice(1)).toMatchObject([
      { bytes: btoa('hi'), mediaType: 'text/plain' },
      { bytes: btoa('ho'), mediaType: 'text/plain', filename: 'ho.txt' },
    ]);
    for (const wrong of [[], { parts: [] }, { hello: 1 }, [{ kind: 'odd' }]]) {
      await expect(agent.sendMessage(wrong as never)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    }
  });

  it('takes a message for an answer', async () => {
    const { server } = startServer(agentOf(() => reply('Hi')));
    const { agent } = await clientOf(server, { prefer });
    expect(await agent.sendMessage('x')).toMatchObject({ role: 'agent', parts: [{ text: 'Hi' }] });
    expect(await agent.run('x')).toBe('Hi');
    const stream = agent.streamMessage('x');
    const pieces: string[] = [];
    for await (const piece of stream.textStream) pieces.push(piece);
    expect(pieces).toEqual(['Hi']);
    await expect(stream.id).rejects.toMatchObject({ code: 'INVALID_RESPONSE' });
  });

  it('streams events as they happen (S3.6)', async () => {
    const { server } = startServer(
      agentOf(async function* (task) {
        await task.status('thinking');
        yield 'one ';
        yield 'two';
      }),
    );
    const { agent } = await clientOf(server, { prefer });
    const stream = agent.sendMessageStream('go');
    const events: StreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events[0]?.kind).toBe('task');
    expect(events.at(-1)).toMatchObject({ kind: 'status', status: { state: 'completed' } });
    const task = await stream.task;
    expect(stream.id).toBe(task.id);
    expect(task).toEqual(await agent.getTask(task.id));
    expect(await stream.result).toEqual(task);
  });

  it('follows a task, and cancels it', async () => {
    const { server } = startServer(agentOf(hang));
    const { agent } = await clientOf(server, { prefer });
    const stream = agent.sendMessageStream('go');
    const id = await stream.id;
    const other = agent.subscribe(id);
    const [seen] = await Promise.all([other.task, (async () => stream.cancel())()]);
    expect(seen.status.state).toBe('canceled');
    expect((await stream.task).status.state).toBe('canceled');
    // 1.0 refuses to cancel twice; for the caller it is the same.
    expect((await agent.cancelTask(id)).status.state).toBe('canceled');
    await expect(agent.subscribe(id).task).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
  });

  it('goes on with a task that asks', async () => {
    const { server } = startServer(
      agentOf((task) => (task.history.length < 2 ? inputRequired('Which one?') : `You said ${task.text}`)),
    );
    const { agent } = await clientOf(server, { prefer });
    await expect(agent.run('go')).rejects.toMatchObject({
      code: 'TASK_NOT_COMPLETED',
      message: 'The task is input-required: Which one?',
    });
    const first = await agent.sendMessageStream('go').task;
    expect(first.status.state).toBe('input-required');
    expect(await agent.run('this one', { taskId: first.id })).toBe('You said this one');
  });

  it('returns at once where that is wanted, and gets the rest later', async () => {
    const { promise, resolve } = gate();
    const { server } = startServer(
      agentOf(async () => {
        await promise;
        return 'done';
      }),
    );
    const { agent } = await clientOf(server, { prefer });
    const task = await agent.sendMessage('go', { returnImmediately: true });
    expect('status' in task && task.status.state).not.toBe('completed');
    const { id } = task as { id: string };
    resolve();
    await expect.poll(async () => textOf(await agent.getTask(id))).toBe('done');
  });

  it('resumes behind a position that is given [rule:resume.client-declared]', async () => {
    const { server } = startServer(lab);
    const { agent, sent } = await clientOf(server, { prefer });
    const stream = agent.sendMessageStream('chunk 3 8');
    const events: StreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const again: StreamEvent[] = [];
    for await (const event of agent.subscribe(await stream.id, { lastEventId: 0 })) again.push(event);
    expect(again.slice(-events.length + 1)).toEqual(events.slice(1));
    expect(sent.at(-1)?.headers.get('last-event-id')).toBe('0');
  });
});

describe('lists', () => {
  it('are pages if awaited, tasks if iterated over', async () => {
    const { server } = startServer(agentOf(() => 'done'));
    const { agent } = await clientOf(server);
    for (let index = 0; index < 5; index += 1)
      await agent.sendMessage(String(index), { contextId: index % 2 ? 'odd' : 'even' });
    const page = await agent.listTasks({ pageSize: 2 });
    expect(page).toMatchObject({ totalSize: 5, pageSize: 2 });
    const rest = await agent.listTasks({ pageSize: 2, pageToken: page.nextPageToken });
    expect(rest.tasks).toHaveLength(2);
    const contexts: string[] = [];
    for await (const task of agent.listTasks({
      pageSize: 1,
      contextId: 'odd',
      state: 'completed',
      statusSince: new Date(0),
    }))
      contexts.push(task.contextId);
    expect(contexts).toEqual(['odd', 'odd']);
  });
});

describe('a tool', () => {
  it('is the agent, with a task for input (S3.7)', async () => {
    const { server } = startServer(agentOf((task) => `did ${task.text}`, { name: 'The.helper', description: 'Helps' }));
    const { agent } = await clientOf(server);
    const tool = agent.asTool();
    expect(tool).toMatchObject({ name: 'The_helper', description: 'Helps', parameters: { required: ['task'] } });
    expect(await tool.execute({ task: 'it' })).toEqual({ output: 'did it', success: true });
    expect(agent.asTool({ name: 'mine', description: 'My own' })).toMatchObject({
      name: 'mine',
      description: 'My own',
    });
    expect(new A2AClient('https://agent.example').asTool()).toMatchObject({
      name: 'agent',
      description: 'Remote A2A agent',
    });
  });

  it('says what went wrong instead of throwing', async () => {
    const { server } = startServer(agentOf(() => inputRequired('Which?')));
    const { agent } = await clientOf(server);
    expect(await agent.asTool().execute({ task: 'it' })).toEqual({
      output: '',
      success: false,
      error: 'The task is input-required: Which?',
    });
    const { server: stuck } = startServer(agentOf(hang));
    const { agent: slow } = await clientOf(stuck);
    expect(await slow.asTool({ timeout: 20 }).execute({ task: 'it' })).toMatchObject({
      success: false,
      error: 'No response within 20 ms',
    });
  });

  it('is each skill by itself', async () => {
    const skills = ['one', 'two'].map((id) => ({
      id,
      name: id,
      description: `Does ${id}`,
      tags: ['x'],
      examples: ['so'],
    }));
    const { server } = startServer(agentOf((task) => `${task.skill}: ${task.text}`, { name: 'helper', skills }));
    const { agent } = await clientOf(server);
    const tools = await agent.skillTools();
    expect(Object.values(tools).map(({ name, description }) => [name, description])).toEqual([
      ['helper_one', 'Does one For example: so'],
      ['helper_two', 'Does two For example: so'],
    ]);
    expect(await tools.helper_two?.execute({ task: 'it' })).toEqual({ output: 'two: it', success: true });
  });
});

describe('as the seed documents have it', () => {
  it('calls by an address and a path, with headers and a time limit (S3.6)', async () => {
    const { server } = startServer(agentOf((task) => `Hello, ${task.text}`));
    const { fetch: send, sent } = fetchOf((request) => server.fetch(request));
    const client = new A2AClient('http://localhost', {
      headers: { Authorization: 'Bearer token' },
      timeout: 30_000,
      agentCardPath: '/.well-known/agent.json',
      rpcPath: '/a2a',
      fetch: send,
    });
    expect(await client.agentCard()).toMatchObject({ name: 'test' });
    const message = { role: 'user', parts: [text('you')] } as const;
    const task = await client.sendMessage(message, { blocking: true, historyLength: 1 });
    expect(task).toMatchObject({ status: { state: 'completed' } });
    const { id } = task as { id: string };
    expect((await client.getTask(id, 1)).history).toHaveLength(1);
    await expect(client.cancelTask(id)).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    const states: string[] = [];
    for await (const event of client.sendMessageStream(message))
      if (event.kind === 'status') states.push(event.status.state);
    expect(states).toEqual(['working', 'completed']);
    expect(sent.every(({ headers }) => headers.get('authorization') === 'Bearer token')).toBe(true);
    expect(sent.every(({ url }) => url.pathname === '/a2a' || url.pathname === '/.well-known/agent.json')).toBe(true);
  });

  it('streams by params, through chunks that are cut anywhere, up to the final event (S0.19)', async () => {
    const { server } = startServer(lab);
    // Every byte by itself.
    const { fetch: send } = fetchOf(async (request) => {
      const response = await server.fetch(request);
      const split = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          for (const byte of chunk) controller.enqueue(Uint8Array.of(byte));
        },
      });
      return new Response(response.body?.pipeThrough(split), response);
    });
    const client = new A2AClient('http://localhost', { fetch: send, prefer: { version: '0.3' } });
    const params = {
      message: { kind: 'message', role: 'user', parts: [text('chunk 5 12')], messageId: crypto.randomUUID() },
      configuration: { acceptedOutputModes: ['text/plain'], historyLength: 3 },
    } as const;
    const kinds: string[] = [];
    for await (const event of client.streamMessage(params)) kinds.push(event.kind);
    expect(kinds).toEqual(['task', 'status', ...Array.from({ length: 5 }, () => 'artifact'), 'status']);
    expect(await client.sendMessage(params)).toMatchObject({ status: { state: 'completed' } });
  });
});
