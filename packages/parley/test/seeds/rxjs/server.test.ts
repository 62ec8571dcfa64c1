import { A2AClient, A2AServer, textOf } from 'parley-a2a';
import { TOOLS_EXTENSION } from 'parley-a2a/extensions';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { agent, allOf, artifactText, call, holdBack, message, start, streamMessage } from './document-agent.ts';

/** As the document's client answers: a message that only references the task. */
const resultFor = (taskId: string, toolUseId: string, result: unknown, more: object = {}) => ({
  message: {
    ...message('').message,
    parts: [
      { kind: 'text', text: 'Tool result:' },
      { kind: 'tool-result', toolUseId, result },
    ],
    messageId: 'msg-6',
    referenceTaskIds: [taskId],
    ...more,
  },
});

describe('message/stream at /api/a2a (S0.20)', () => {
  it('is the task, updates and one final status, with kind first (S0.1) (S0.3) (S0.4)', async () => {
    const frames = await allOf(await call(await start(), 'message/stream', message('Analyze')));
    for (const frame of frames) {
      expect(Object.keys(frame)).toEqual(['jsonrpc', 'id', 'result']);
      expect(Object.keys(frame.result)[0]).toBe('kind');
    }
    expect(frames[0].result).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
    expect(artifactText(frames)).toBe('Analysis: Sales increased, by 15%');
    expect(frames.at(-1).result).toMatchObject({ kind: 'status-update', status: { state: 'completed' }, final: true });
    expect(frames.filter(({ result }) => result.final)).toHaveLength(1);
  });

  it('is the finished task for message/send, also of an agent that only replies (S0.2)', async () => {
    const { result }: Wire = await (await call(await start(), 'message/send', message('Analyze'))).json();
    expect(result).toMatchObject({ kind: 'task', status: { state: 'completed' } });
  });

  it('asks with an inputRequest, goes on with a tool-result, and the first stream sees it all (S0.7)', async () => {
    const url = await start();
    const response = await call(url, 'message/stream', message('key'));
    const seen: Wire[] = [];
    for await (const frame of streamMessage(response)) {
      seen.push(frame);
      const { kind, taskId, status } = frame.result;
      if (kind !== 'status-update' || status.state !== 'input-required') continue;
      expect(frame.result.final).toBe(false);
      expect(status.message.inputRequest).toEqual({
        kind: 'input-request',
        prompt: 'Please provide your API key',
        sensitive: true,
        requestId: expect.any(String),
      });
      const { requestId } = status.message.inputRequest;
      const parts = [
        { kind: 'text', text: 'Here is the requested input:' },
        { kind: 'tool-result', toolUseId: requestId, result: { value: 'secret-key-123' } },
      ];
      const answer = { ...message('').message, parts, messageId: 'msg-6', referenceTaskIds: [taskId] };
      const second = await allOf(await call(url, 'message/stream', { message: answer }, 3));
      expect(second[0].result).toMatchObject({ kind: 'task', id: taskId });
      expect(second.at(-1)).toMatchObject({ id: 3, result: { taskId, final: true } });
    }
    expect(artifactText(seen)).toBe('The key has 14 letters');
    expect(seen.at(-1)).toMatchObject({ id: 1, result: { status: { state: 'completed' }, final: true } });
  });

  it('lets a client answer what an agent has asked only in words (S0.7)', async () => {
    const url = await start();
    const { result }: Wire = await (await call(url, 'message/send', message('words'))).json();
    const { inputRequest, messageId } = result.status.message;
    expect(inputRequest).toEqual({
      kind: 'input-request',
      prompt: 'Which quarter?',
      sensitive: false,
      requestId: messageId,
    });
    const parts = [
      { kind: 'text', text: 'Tool result:' },
      { kind: 'tool-result', toolUseId: messageId, result: { value: 'Q4' } },
    ];
    const answer = { ...message('').message, parts, referenceTaskIds: [result.id] };
    const done: Wire = await (await call(url, 'message/send', { message: answer })).json();
    expect(done.result).toMatchObject({ id: result.id, status: { state: 'completed' } });
    expect(done.result.artifacts[0].parts[0].text).toBe('You said Q4');
  });

  it('shows what a client says as it said it, without a request of its own', async () => {
    const parts = [{ kind: 'tool-use', toolUseId: 'u-1', name: 'weather', args: {} }];
    const sent = { message: { ...message('').message, parts } };
    const { result }: Wire = await (await call(await start(), 'message/send', sent)).json();
    expect(result.history[0]).toMatchObject({ role: 'user', parts });
    expect(result.history[0]).not.toHaveProperty('inputRequest');
  });

  it('has the client run a tool, asked for as a tool-use part (S0.7)', async () => {
    const client = new A2AClient(await start(), {
      protocol: 'rxjs',
      rpcPath: '',
      tools: { weather: { description: 'The weather', execute: () => ({ sky: 'blue' }) } },
    });
    const stream = client.sendMessageStream('tool');
    expect(textOf(await stream.task)).toBe('It is {"sky":"blue"}');
  });

  it('asks the document’s client, which declares no tools, to run one (S0.7)', async () => {
    const url = await start();
    const { result }: Wire = await (await call(url, 'message/send', message('tool'))).json();
    const { inputRequest, parts } = result.status.message;
    const use = { kind: 'tool-use', toolUseId: inputRequest.requestId, name: 'weather', args: { city: 'Oslo' } };
    expect(parts).toContainEqual(use);
    const done = await allOf(
      await call(url, 'message/stream', resultFor(result.id, use.toolUseId, { sky: 'blue' }), 3),
    );
    expect(artifactText(done)).toBe('It is {"sky":"blue"}');
    expect(done.at(-1).result).toMatchObject({ status: { state: 'completed' }, final: true });
  });

  it('holds a client that has declared tools to them (S0.7)', async () => {
    const metadata = { [TOOLS_EXTENSION]: { tools: [{ name: 'clock', description: 'The time' }] } };
    const { result }: Wire = await (await call(await start(), 'message/send', message('tool', { metadata }))).json();
    expect(result.status.state).toBe('failed');
  });

  it.each([
    ['a question in words, when the turn has ended', 'words'],
    ['a question in words, while the run waits', 'plain'],
    ['a question with an id', 'key'],
    ['a tool', 'tool'],
  ])('refuses a tool-result with a wrong toolUseId for %s, and takes the right one then (S0.7)', async (_, text) => {
    const url = await start();
    const { result }: Wire = await (await call(url, 'message/send', message(text))).json();
    const { requestId } = result.status.message.inputRequest;
    for (const named of [{}, { taskId: result.id }]) {
      const wrong = resultFor(result.id, 'input-999', { value: 'wrong' }, named);
      const { error }: Wire = await (await call(url, 'message/send', wrong)).json();
      expect(error).toMatchObject({
        code: -32602,
        message: 'Invalid params',
        data: { reason: `message.parts[1].toolUseId is not what the task waits for: that is ${requestId}` },
      });
    }
    const kept: Wire = await (await call(url, 'tasks/get', { id: result.id })).json();
    expect(kept.result).toEqual(result);
    const right = resultFor(result.id, requestId, { value: 'right' });
    const done: Wire = await (await call(url, 'message/send', right)).json();
    expect(done.result).toMatchObject({ id: result.id, status: { state: 'completed' } });
    expect(JSON.stringify(done.result)).not.toContain('wrong');
  });

  it('never takes the answer to one question for that to the next (S0.7)', async () => {
    const server = new A2AServer({ agents: [agent] });
    onTestFinished(() => server.close());
    // Without sockets, so that the answers really come at the same time.
    const send = async (params: object): Promise<Wire> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params });
      const headers = { 'content-type': 'application/json' };
      return (await server.fetch(new Request('http://host/api/a2a', { method: 'POST', headers, body }))).json();
    };
    const { result } = await send(message('twice'));
    const first = resultFor(result.id, result.status.message.messageId, { value: 'one' });
    const answers = await Promise.all([send(first), send(first), send(first)]);
    expect(answers.filter(({ error }) => error?.code === -32602)).toHaveLength(2);
    const { result: asking } = answers.find((answer) => answer.result);
    const done = await send(resultFor(result.id, asking.status.message.messageId, { value: 'two' }));
    expect(done.result.artifacts[0].parts[0].text).toBe('one, two');
  });

  it('refuses a tool-result that names no task, or one that works (S0.7)', async () => {
    const release = holdBack();
    const url = await start();
    const lost = resultFor('', 'input-1', 1, { referenceTaskIds: undefined });
    expect(((await (await call(url, 'message/send', lost)).json()) as Wire).error).toMatchObject({
      code: -32602,
      data: { reason: expect.stringContaining('must name the task') },
    });
    const reader = streamMessage(await call(url, 'message/stream', message('wait')));
    const { value: first } = await reader.next();
    const early = resultFor('', 'input-1', 1, { taskId: first.result.id, referenceTaskIds: undefined });
    expect(((await (await call(url, 'message/send', early)).json()) as Wire).error).toMatchObject({
      code: -32602,
      data: { reason: 'The task does not wait for an answer' },
    });
    release.resolve();
    await reader.return(undefined);
  });

  it('refuses an answer to a task that does not wait', async () => {
    const url = await start();
    const { result }: Wire = await (await call(url, 'message/send', message('Analyze'))).json();
    const parts = [{ kind: 'tool-result', toolUseId: 'x', result: 1 }];
    const late = { ...message('').message, parts, referenceTaskIds: [result.id] };
    const { error }: Wire = await (await call(url, 'message/send', { message: late })).json();
    expect(error).toMatchObject({ code: -32602, data: { reason: expect.stringContaining('waits for an answer') } });
  });

  it('ends with the error frame where the client did not answer in time, or goes on without (S0.9)', async () => {
    const url = await start();
    const failed = await allOf(await call(url, 'message/stream', message('impatient')));
    const { taskId } = failed.at(-2).result;
    expect(failed.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32001, message: 'Input timeout', data: { taskId, timeoutSeconds: 0.05 } },
    });
    const got: Wire = await (await call(url, 'tasks/get', { id: taskId })).json();
    expect(got.result.status.state).toBe('failed');
    const gone = await allOf(await call(url, 'message/stream', message('patient')));
    expect(gone.map(({ result }) => result?.status?.message?.parts[0].text)).toContain(
      'Continuing without client input...',
    );
    expect(gone.at(-1).result).toMatchObject({ status: { state: 'completed' }, final: true });
  });

  it('brings a lost client back with tasks/get by taskId: first the state, then everything (S0.8)', async () => {
    const release = holdBack();
    const url = await start();
    const first = await call(url, 'message/stream', message('wait'));
    const reader = streamMessage(first);
    let taskId = '';
    for await (const { result } of reader) {
      taskId = result.taskId ?? result.id;
      if (result.kind === 'artifact-update') break;
    }
    const back = allOf(await call(url, 'tasks/get', { taskId }, 4));
    release.resolve();
    const frames = await back;
    expect(frames[0]).toMatchObject({ id: 4, result: { kind: 'status-update', taskId, final: false } });
    expect(artifactText(frames)).toBe('before after');
    expect(frames.at(-1).result).toMatchObject({ status: { state: 'completed' }, final: true });

    const ended = await allOf(await call(url, 'tasks/get', { taskId }, 5));
    expect(ended.map(({ result }) => [result.kind, result.final])).toEqual([
      ['status-update', false],
      ['artifact-update', undefined],
      ['status-update', true],
    ]);
    expect(artifactText(ended)).toBe('before after');
    const plain: Wire = await (await call(url, 'tasks/get', { id: taskId })).json();
    expect(plain.result).toMatchObject({ kind: 'task', id: taskId });
  });
});
