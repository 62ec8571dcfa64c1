import {
  A2AClient,
  A2AServer,
  bytes,
  inputRequired,
  isTask,
  json,
  link,
  type StreamEvent,
  type Task,
  text,
  textOf,
} from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorOf } from '../../calling/support/callers.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { documentServer } from './document-server.ts';

const PARTS = [
  text('parts'),
  link('https://files.example/a.pdf', { mediaType: 'application/pdf', filename: 'a.pdf' }),
  bytes('hello', { mediaType: 'text/plain' }),
  json([1, null]),
];

const protocol = 'v1_draft' as const;
const kinds = (events: readonly StreamEvent[]) => events.map(({ kind }) => kind);

async function eventsOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe('the client in the draft, with our server', () => {
  const agent = agentOf(
    async function* (task) {
      if (task.text === 'hang') return hang(task);
      if (task.text === 'ask') return inputRequired('Which one?');
      if (task.text === 'parts') return yield [...task.parts];
      await task.status('Reading');
      yield 'one ';
      yield 'two';
      return undefined;
    },
    { inputModes: ['*/*'] },
  );

  async function serve(): Promise<A2AServer> {
    const server = new A2AServer({
      agents: [agent],
      mounts: [{ path: '/draft', dialect: 'v1_draft' }],
      anonymous: 'shared',
    });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    return server;
  }

  it.each([
    '/draft',
    '',
  ])('holds a whole conversation, pinned and told by its signs (%s) (S2.2) (S2.7)', async (path) => {
    const server = await serve();
    const client = new A2AClient(`${server.url}${path}`, { protocol });
    const stream = client.sendMessageStream('go');
    const events = await eventsOf(stream);
    expect(kinds(events)).toEqual(['task', 'status', 'status', 'artifact', 'artifact', 'status']);
    const streamed = await stream.task;
    expect(streamed).toEqual(await client.getTask(streamed.id));
    expect(textOf(streamed)).toBe('one two');
    for (const event of events) {
      if (event.kind === 'status' || event.kind === 'artifact') expect(event.contextId).toBe(streamed.contextId);
    }
    const sent = (await client.sendMessage({ parts: PARTS })) as Task;
    expect(sent.artifacts[0]?.parts).toMatchObject(PARTS);
    const asked = (await client.sendMessage('ask')) as Task;
    expect(asked.status.state).toBe('input-required');
    const answered = await client.sendMessageStream({ parts: ['this'], taskId: asked.id }).task;
    expect(answered).toEqual(await client.getTask(asked.id));
    expect(answered.status.state).toBe('completed');
    const listed: string[] = [];
    for await (const { id } of client.listTasks({ pageSize: 2 })) listed.push(id);
    expect(listed.sort()).toEqual([streamed.id, sent.id, asked.id].sort());
    const failing = await client.listTasks({ state: 'failed' });
    expect(failing).toMatchObject({ tasks: [], nextPageToken: '' });
    const begun = (await client.sendMessage('hang', { returnImmediately: true })) as Task;
    expect((await client.cancelTask(begun.id)).status.state).toBe('canceled');
    expect(await errorOf(client.getTask('none'))).toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(await errorOf(client.cancelTask(sent.id))).toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
  });

  it('answers what an agent asks and goes on with the same stream (S2.7)', async () => {
    const asking = agentOf(async function* (task) {
      yield 'one ';
      yield `${await task.ask('Which?')} `;
      yield `${await task.ask('And then?')}`;
    });
    const server = new A2AServer({ agents: [asking], mounts: [{ path: '/a2a', dialect: 'v1_draft' }] });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    const client = new A2AClient(`${server.url}`, { protocol });
    const answers = ['two', 'three'];
    const stream = client.sendMessageStream('go', { onInput: () => answers.shift() ?? '' });
    let whole = '';
    for await (const piece of stream.textStream) whole += piece;
    expect(whole).toBe('one two three');
    const task = await stream.task;
    expect(textOf(task)).toBe('one two three');
    expect(task.artifacts).toEqual((await client.getTask(task.id)).artifacts);
  });

  it('finds the same task as every other dialect', async () => {
    const server = await serve();
    const inDraft = new A2AClient(`${server.url}/draft`, { protocol });
    const others = (['1.0', '0.3'] as const).map((version) => new A2AClient(`${server.url}`, { protocol: version }));
    for (const content of ['go', { parts: PARTS }, 'ask']) {
      const { id } = await inDraft.sendMessageStream(content).task;
      const task = await inDraft.getTask(id);
      for (const client of others) expect(await client.getTask(id)).toEqual(task);
      const back = (await others[0]?.sendMessage(content)) as Task;
      expect(await inDraft.getTask(back.id)).toEqual(back);
    }
  });

  it('subscribes to a task with all that was there before, and knows its history at the end (S2.7)', async () => {
    const [first, last] = [gate(), gate()];
    const slow = agentOf(async function* (task) {
      await task.artifact({ artifactId: 'figures' }).end('1, 2, 3');
      yield 'one ';
      first.resolve();
      await last.promise;
      yield 'two';
    });
    const server = new A2AServer({ agents: [slow], mounts: [{ path: '/a2a', dialect: 'v1_draft' }] });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    const client = new A2AClient(`${server.url}`, { protocol });
    const sent = client.sendMessageStream('go');
    const id = await sent.id;
    await first.promise;
    const followed = client.subscribe(id);
    const firstEvent = await followed.next();
    expect(firstEvent.value).toMatchObject({ kind: 'task' });
    // A position that the server never had: it begins anew, and nothing may be missing then either.
    const lost = client.subscribe(id, { lastEventId: '999999' });
    expect((await lost.next()).value).toMatchObject({
      kind: 'task',
      task: { artifacts: [{ artifactId: 'figures' }, {}] },
    });
    last.resolve();
    expect((await lost.task).artifacts.map((artifact) => textOf(artifact))).toEqual(['1, 2, 3', 'one two']);
    const task = await followed.task;
    expect(task).toEqual(await client.getTask(id));
    expect(task.artifacts.map((artifact) => textOf(artifact))).toEqual(['1, 2, 3', 'one two']);
    expect(await sent.task).toEqual(task);
  });

  it('reads every chunk once through a line that breaks (S2.7)', async () => {
    const count = 400;
    const chatty = agentOf(async function* () {
      for (let index = 0; index < count; index += 1) {
        yield `${index},`;
        if (index % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    });
    const server = new A2AServer({ agents: [chatty], mounts: [{ path: '/a2a', dialect: 'v1_draft' }] });
    onTestFinished(() => server.close());
    await server.listen({ port: 0 });
    let streams = 0;
    const flaky: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      streams += isStream ? 1 : 0;
      return isStream && streams < 6 ? cutAfter(response, 3_000) : response;
    };
    const client = new A2AClient(`${server.url}`, {
      protocol,
      fetch: flaky,
      reconnect: { firstDelay: 1, longestDelay: 5 },
    });
    let whole = '';
    for await (const piece of client.sendMessageStream('go').textStream) whole += piece;
    expect(whole).toBe(Array.from({ length: count }, (_, index) => `${index},`).join(''));
    expect(streams).toBeGreaterThan(2);
  });
});

/** The response, lost after so many bytes. */
function cutAfter(response: Response, most: number): Response {
  let left = most;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (left > 0) controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new TypeError('The line is cut'));
    },
  });
  const { status, headers } = response;
  return new Response(response.body?.pipeThrough(cut) ?? null, { status, headers });
}

describe('the client in the draft, with a server made from its document', () => {
  it('sends, streams, follows up, lists and cancels (S2.2) (S2.7) (S2.9)', async () => {
    const server = await documentServer();
    const client = new A2AClient(server.url, { protocol });
    const answer = await client.sendMessage('Hello, agent!');
    expect(isTask(answer) && answer.status.state).toBe('completed');
    expect(textOf(answer)).toBe('Hello, agent!');
    const stream = client.sendMessageStream('Again');
    expect(kinds(await eventsOf(stream))).toEqual(['task', 'status', 'artifact', 'status']);
    const task = await stream.task;
    expect(task).toMatchObject({ status: { state: 'completed' }, history: [{ parts: [{ text: 'Again' }] }] });
    const asked = await client.sendMessageStream('ask').task;
    expect(asked.status).toMatchObject({ state: 'input-required', message: { parts: [{ text: 'Which one?' }] } });
    const answered = await client.sendMessageStream({ parts: ['This'], taskId: asked.id }).task;
    expect(answered).toMatchObject({ id: asked.id, status: { state: 'completed' } });
    for (let index = 0; index < 5; index += 1) await client.sendMessage(`${index}`);
    const listed: string[] = [];
    for await (const { id } of client.listTasks({ pageSize: 3 })) listed.push(id);
    expect(listed).toEqual([...server.tasks.keys()]);
    const waiting = await client.sendMessage('wait', { returnImmediately: true });
    if (!isTask(waiting)) throw new Error('There is no task');
    expect((await client.cancelTask(waiting.id)).status.state).toBe('canceled');
    expect((await client.listTasks({ state: 'canceled' })).tasks.map(({ id }) => id)).toEqual([waiting.id]);
    expect(await errorOf(client.cancelTask(task.id))).toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    expect(await errorOf(client.getTask('none'))).toMatchObject({ code: 'TASK_NOT_FOUND' });
    const sent = server.seen.find(({ method }) => method === 'SendMessage');
    expect(Object.keys(sent?.params)).toEqual(['message']);
    expect(sent?.params.message).toEqual({
      messageId: expect.any(String),
      role: 'user',
      parts: [{ text: 'Hello, agent!' }],
    });
    expect(sent?.headers['a2a-version']).toBeUndefined();
    const paths = new Set(server.seen.map(({ path, method }) => `${path} ${method}`));
    expect([...paths].sort()).toEqual([
      '/a2a CancelTask',
      '/a2a GetTask',
      '/a2a ListTasks',
      '/a2a SendMessage',
      '/a2a/stream SendStreamingMessage',
    ]);
  });

  it('streams at the address itself where there is no other (S2.2)', async () => {
    const server = await documentServer({ streamsAt: '/a2a' });
    const client = new A2AClient(server.url, { protocol });
    for (const content of ['one', 'two']) expect(textOf(await client.sendMessageStream(content).task)).toBe(content);
    expect(server.seen.map(({ path, method }) => `${path} ${method}`)).toEqual([
      '/a2a SendStreamingMessage',
      '/a2a SendStreamingMessage',
    ]);
  });

  it('comes back to a task and misses nothing, though the server repeats nothing (S2.7)', async () => {
    const server = await documentServer();
    const client = new A2AClient(server.url, { protocol, reconnect: { firstDelay: 1, longestDelay: 5 } });
    const stream = client.sendMessageStream('wait');
    const id = await stream.id;
    const artifact = (artifactId: string) => ({ artifactId, parts: [{ text: `${artifactId}.` }] });
    server.update(id, { artifact: artifact('seen') });
    const ended = stream.task;
    for await (const event of stream) if (event.kind === 'artifact') break;
    server.cut();
    server.update(id, { artifact: artifact('missed') });
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    while (!server.seen.some(({ method }) => method === 'SubscribeToTask')) {
      deadline.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    server.update(id, { artifact: artifact('after') });
    server.update(id, { state: 'completed' });
    const task = await ended;
    expect(task.artifacts.map((one) => textOf(one))).toEqual(['seen.', 'missed.', 'after.']);
    expect(task.status.state).toBe('completed');
  });

  it('refuses to ask for what the draft has no words for', async () => {
    const server = await documentServer();
    const client = new A2AClient(server.url, { protocol });
    const error = await errorOf((async () => client.listTasks({ statusSince: 0 }))());
    expect(error).toMatchObject({ code: 'UNSUPPORTED_OPERATION', message: expect.stringContaining('draft') });
  });
});
