import { A2AClient, type A2AError, fail, isA2AError, isTask, type Task, textOf } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { agentOf, gate, hang } from '../../support/script.ts';
import { documentServer } from './document-server.ts';
import { serveJaf } from './peer.ts';

async function textsOf(stream: { readonly textStream: AsyncIterable<string> }): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of stream.textStream) texts.push(text);
  return texts;
}

async function failure(promise: Promise<unknown>): Promise<A2AError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isA2AError(error)) throw new Error(`No A2AError: ${String(error)}`);
  return error;
}

describe('the client in JAF, against a server that was written from the document', () => {
  it('reads its card, sends, and gets the answer', async () => {
    const { url, requests } = await documentServer();
    const client = new A2AClient(url, { protocol: 'jaf' });
    expect(await client.run('What is 15 * 7?')).toBe('Answer to What is 15 * 7?');
    const card = await client.agentCard();
    expect(card.skills[0]?.examples).toEqual([{ input: 'What is 15 * 7?', output: '15 * 7 = 105' }]);
    expect(card.defaultInputModes).toEqual(['text/plain', 'application/json']);
    expect(card.rateLimit).toEqual({ requests: 100, window: 60, burst: 20 });
    expect(client.cardProblems).toEqual([]);
    const { headers, body } = requests[0];
    expect(headers).toMatchObject({ 'x-a2a-version': '0.3.0', 'x-a2a-client': 'parley-a2a' });
    expect(headers['a2a-version']).toBeUndefined();
    expect(Object.keys(body.params.message)).toEqual(['role', 'parts', 'messageId', 'contextId', 'kind']);
  });

  it('finds the card of one agent where JAF has it', async () => {
    const { url } = await documentServer();
    const client = new A2AClient(`${url}/a2a/agents/MathTutor`, { protocol: 'jaf' });
    expect((await client.agentCard()).name).toBe('MathTutor');
    expect(await client.run('hi')).toBe('Answer to hi');
  });

  it('streams: each frame brings only what is new', async () => {
    const { url } = await documentServer();
    const client = new A2AClient(url, { protocol: 'jaf' });
    const stream = client.sendMessageStream('tell me');
    expect(await textsOf(stream)).toEqual(['Ans', 'wer', ' to', ' tell me']);
    const task = await stream.task;
    expect(task.status.state).toBe('completed');
    expect(task.contextId).toMatch(/^ctx-/);
    expect(textOf(task)).toBe('Answer to tell me');
    expect(textOf(await client.getTask(task.id))).toBe('Answer to tell me');
    const again = (await client.sendMessage('more', { contextId: task.contextId })) as Task;
    expect(again.contextId).toBe(task.contextId);
  });

  it('cancels', async () => {
    const { url, requests } = await documentServer();
    const client = new A2AClient(url, { protocol: 'jaf' });
    const { id } = (await client.sendMessage('wait')) as Task;
    expect((await client.cancelTask(id, { reason: 'Enough' })).status.state).toBe('canceled');
    expect(requests.at(-1).body.params).toEqual({ id, reason: 'Enough' });
    expect((await client.getTask(id)).status.state).toBe('canceled');
  });

  it('reads its errors by its own table', async () => {
    const { url } = await documentServer();
    const client = new A2AClient(url, { protocol: 'jaf', retry: false });
    expect((await failure(client.getTask('nope'))).code).toBe('TASK_NOT_FOUND');
    expect((await failure(client.sendMessage('limit'))).code).toBe('OVERLOADED');
    expect((await failure(client.sendMessage('slow'))).code).toBe('TIMEOUT');
    // An error in the middle leaves a task behind, which tells how it ended.
    expect((await client.sendMessageStream('break').task).status.state).toBe('failed');
    expect((await failure(client.listTasks().then((page) => page))).code).toBe('UNSUPPORTED_OPERATION');
  });
});

describe('the client in JAF, against our server', () => {
  const chatty = agentOf(async function* (task) {
    if (task.text === 'fail') throw new Error('broken');
    if (task.text === 'ask') {
      yield `A ${await task.ask('Which colour?')} one`;
      return;
    }
    yield 'You said ';
    yield task.text;
  });

  it.each([
    ['pinned to it', [{ path: '/a2a', dialect: 'jaf' as const }]],
    ['that tells it by its headers', []],
  ])('holds a conversation at an address %s', async (_, mounts) => {
    const { peer } = await serveJaf(chatty, { mounts });
    const client = new A2AClient(peer.base, { protocol: 'jaf' });
    const first = (await client.sendMessage('hello')) as Task;
    expect(isTask(first)).toBe(true);
    expect(textOf(first)).toBe('You said hello');
    expect((await textsOf(client.sendMessageStream('again', { contextId: first.contextId }))).join('')).toBe(
      'You said again',
    );
    const question = (await client.sendMessage('ask')) as Task;
    expect(question.status).toMatchObject({ state: 'input-required', message: { parts: [{ text: 'Which colour?' }] } });
    expect((await client.getTask(question.id)).status.state).toBe('input-required');
    expect(textOf((await client.sendMessage('blue', { taskId: question.id })) as Task)).toBe('A blue one');
    expect(await client.run('ask', { onInput: () => 'green' })).toBe('A green one');
    const failed = await failure(client.run('fail'));
    expect(failed).toMatchObject({ code: 'TASK_NOT_COMPLETED', task: { status: { state: 'failed' } } });
    const error = await failure(client.sendMessage('fail'));
    expect(error).toMatchObject({ code: 'TASK_NOT_COMPLETED', task: { status: { state: 'failed' } } });
    expect((await failure(client.cancelTask(first.id))).code).toBe('TASK_NOT_CANCELABLE');
  });

  it('comes back to a stream that was lost', async () => {
    const open = gate();
    const slow = agentOf(async function* () {
      yield 'First';
      await open.promise;
      yield ', second';
    });
    const { peer } = await serveJaf(slow);
    let cuts = 0;
    const cutting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!isStream || cuts > 0 || !response.body) return response;
      cuts += 1;
      // The connection is lost as soon as something of the answer was there.
      let seen = '';
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          controller.enqueue(bytes);
          seen += new TextDecoder().decode(bytes);
          if (seen.includes('partial-completion')) controller.error(new Error('lost'));
        },
      });
      return new Response(response.body.pipeThrough(cut), response);
    };
    const client = new A2AClient(peer.base, {
      protocol: 'jaf',
      fetch: cutting,
      reconnect: { firstDelay: 1 },
      onReconnect: () => open.resolve(),
    });
    const stream = client.sendMessageStream('go');
    expect((await textsOf(stream)).join('')).toBe('First, second');
    expect(cuts).toBe(1);
    expect(textOf(await stream.task)).toBe('First, second');
  });

  it('follows a task through its questions', async () => {
    const asking = agentOf(async (task) => `A ${await task.ask('Which colour?')} one`);
    const { peer } = await serveJaf(asking);
    const client = new A2AClient(peer.base, { protocol: 'jaf' });
    const { id } = (await client.sendMessage('go')) as Task;
    const followed = new A2AClient(peer.base, { protocol: 'jaf' }).subscribe(id);
    const reading = followed.task;
    await followed.next();
    await client.sendMessage('blue', { taskId: id });
    const task = await reading;
    expect(task.status.state).toBe('completed');
    expect(textOf(task)).toBe('A blue one');
  });

  it('follows a task from another place, and cancels it', async () => {
    const busy = agentOf(async function* (task) {
      yield 'So far';
      await hang(task);
    });
    const { peer } = await serveJaf(busy);
    const client = new A2AClient(peer.base, { protocol: 'jaf' });
    const stream = client.sendMessageStream('go');
    const id = await stream.id;
    const other = new A2AClient(peer.base, { protocol: 'jaf' });
    const followed = other.subscribe(id);
    const reading = followed.task;
    await expect.poll(async () => textOf(await client.getTask(id))).toBe('So far');
    await client.cancelTask(id, { reason: 'Enough' });
    expect((await reading).status.state).toBe('canceled');
    expect((await stream.task).status).toMatchObject({ state: 'canceled', message: { parts: [{ text: 'Enough' }] } });
  });
});

it('the client says how much it wants an answer', async () => {
  const telling = agentOf((task) => `${task.priority} ${task.maxTurns}`);
  const { peer } = await serveJaf(telling);
  const client = new A2AClient(peer.base, { protocol: 'jaf' });
  expect(await client.run('go', { priority: 'high', maxTurns: 4 })).toBe('high 4');
});

it('the client tells a refusal that names a task from the end of that task (S1.6)', async () => {
  const { peer } = await serveJaf(agentOf(() => fail('Empty')));
  const client = new A2AClient(peer.base, { protocol: 'jaf' });
  const ended = await failure(client.sendMessage('go'));
  expect(ended).toMatchObject({ code: 'TASK_NOT_COMPLETED', task: { status: { state: 'failed' } } });
  const { id: taskId = '' } = ended.task ?? {};
  expect((await failure(client.cancelTask(taskId))).code).toBe('TASK_NOT_CANCELABLE');
  expect((await failure(client.sendMessage('more', { taskId }))).code).toBe('UNSUPPORTED_OPERATION');
});
