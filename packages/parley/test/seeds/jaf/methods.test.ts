import { inputRequired, link, reject, reply } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import type { Wire } from '../../support/rpc.ts';
import { agentOf, gate, hang } from '../../support/script.ts';
import { all, type JafPeer, said, sending, serveJaf } from './peer.ts';

const echo = agentOf((task) => `You said ${task.text}`, { name: 'echo' });

it('takes data of any type where its card has the mode "data", and no files (S1.4) (S1.7)', async () => {
  const { peer } = await serveJaf(agentOf((task) => task.parts));
  const figures = { kind: 'data', data: { rows: [1, 2] }, mimeType: 'application/vnd.figures' };
  const { message } = await peer.result('message/send', sending('', { parts: [figures] }));
  expect(message.parts).toEqual([figures]);
  expect(((await (await peer.get('/.well-known/agent-card')).json()) as Wire).inputModes).toEqual(['text', 'data']);
  const picture = { kind: 'file', file: { uri: 'https://example.com/a.png', mimeType: 'image/png' } };
  expect(await peer.error('message/send', sending('', { parts: [picture] }))).toMatchObject({
    code: -32602,
    data: { errorType: 'ContentTypeNotSupported', mediaType: 'image/png' },
  });
});

it('names what can be done at the address of an agent to whoever tries something else (S1.1)', async () => {
  const { peer } = await serveJaf(echo);
  const allowed = async (path: string) => {
    const response = await fetch(`${peer.base}${path}`, { method: 'PUT' });
    return [response.status, response.headers.get('allow')];
  };
  expect(await allowed('/a2a/agents/echo')).toEqual([405, 'GET, HEAD, POST']);
  expect(await allowed('/a2a')).toEqual([405, 'POST']);
});

describe('message/send in JAF', () => {
  it('is answered with a completion, its members in the order of the document (S1.2)', async () => {
    const { peer } = await serveJaf(echo);
    const response = await peer.post('message/send', sending('hi'));
    const body = (await response.json()) as Wire;
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(Object.keys(body)).toEqual(['jsonrpc', 'id', 'result']);
    const { taskId, message } = body.result;
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'req-1',
        result: {
          kind: 'completion',
          taskId,
          contextId: 'ctx-1',
          message: {
            role: 'agent',
            parts: [{ kind: 'text', text: 'You said hi' }],
            messageId: `resp-${taskId}-1`,
            contextId: 'ctx-1',
            kind: 'message',
            timestamp: message.timestamp,
          },
          final: true,
        },
      }),
    );
    expect(new Date(message.timestamp).toISOString()).toBe(message.timestamp);
  });

  it('has the artifacts first, then what else the agent says; nothing twice', async () => {
    const talker = agentOf(async function* (task) {
      yield 'The answer is 105';
      const file = task.artifact({ name: 'figures' });
      await file.write(link('https://example.com/a.csv', { mediaType: 'text/csv' }));
      return reply(task.text === 'more' ? 'Anything else?' : 'The answer is 105');
    });
    const { peer } = await serveJaf(talker);
    const figures = { kind: 'file', file: { uri: 'https://example.com/a.csv', mimeType: 'text/csv' } };
    const answer = { kind: 'text', text: 'The answer is 105' };
    const { message: more } = await peer.result('message/send', sending('more'));
    expect(more.parts).toEqual([answer, figures, { kind: 'text', text: 'Anything else?' }]);
    const { message: same } = await peer.result('message/send', sending('same'));
    expect(same.parts).toEqual([answer, figures]);
  });

  it('has a task and at least one part, whatever the agent says', async () => {
    const quiet = agentOf((task) => (task.text === 'reply' ? reply('Hi') : undefined));
    const { peer } = await serveJaf(quiet);
    const nothing = await peer.result('message/send', sending('nothing'));
    expect(nothing.message.parts).toEqual([{ kind: 'text', text: '' }]);
    const stored = await peer.result('tasks/get', { id: nothing.taskId });
    expect(stored.status.message).toEqual(nothing.message);
    const replied = await peer.result('message/send', sending('reply'));
    expect(replied.message.parts).toEqual([{ kind: 'text', text: 'Hi' }]);
    expect((await peer.result('tasks/get', { id: replied.taskId })).status.state).toBe('completed');
  });

  it('makes a context where none is named, and keeps the one that is (S1.8)', async () => {
    const counts = agentOf(async (task) => `Message ${(await task.context.messages()).length + 1}`);
    const { peer } = await serveJaf(counts);
    const first = await peer.result('message/send', sending('a', { contextId: undefined }));
    expect(first.contextId).toMatch(/./);
    expect(first.message.contextId).toBe(first.contextId);
    const second = await peer.result('message/send', sending('b', { contextId: first.contextId }));
    expect(second.contextId).toBe(first.contextId);
    expect(second.message.parts[0].text).not.toBe(first.message.parts[0].text);
  });

  it('asks with a completion that is not final, whose task goes on with the next message', async () => {
    const asking = agentOf(async (task) => `A ${await task.ask('Which colour?')} one`);
    const { peer } = await serveJaf(asking);
    const question = await peer.result('message/send', sending('make one'));
    expect(question).toMatchObject({ kind: 'completion', final: false });
    expect(question.message.parts).toEqual([{ kind: 'text', text: 'Which colour?' }]);
    const waiting = await peer.result('tasks/get', { id: question.taskId });
    expect(waiting.status).toMatchObject({ state: 'working', message: { parts: question.message.parts } });
    const answer = await peer.result('message/send', sending('blue', { taskId: question.taskId }));
    expect(answer).toMatchObject({ taskId: question.taskId, final: true });
    expect(answer.message.parts).toEqual([{ kind: 'text', text: 'A blue one' }]);
    expect(answer.message.messageId).not.toBe(question.message.messageId);
  });

  it('asks the same way where the run has ended with a question', async () => {
    const asking = agentOf((task) => (task.history.length > 0 ? `Then ${task.text}` : inputRequired('Which?')));
    const { peer } = await serveJaf(asking);
    const question = await peer.result('message/send', sending('go'));
    expect(question.final).toBe(false);
    const answer = await peer.result(
      'message/send',
      sending('left', { taskId: question.taskId, contextId: undefined }),
    );
    expect(answer.message.parts[0].text).toBe('Then left');
  });

  it('gives a run that takes longer than a request may as what there is so far', async () => {
    const open = gate();
    const slow = agentOf(async function* () {
      yield 'Half';
      await open.promise;
      yield ' and half';
    });
    const { peer } = await serveJaf(slow, { limits: { requestTimeout: 200 } });
    const partial = await peer.result('message/send', sending('go'));
    expect(partial).toMatchObject({ final: false, message: { parts: [{ kind: 'text', text: 'Half' }] } });
    open.resolve();
    await expect
      .poll(async () => (await peer.result('tasks/get', { id: partial.taskId })).status.message.parts)
      .toEqual([{ kind: 'text', text: 'Half and half' }]);
  });

  it('is an error where there is no answer: failed, rejected, canceled (S1.2) (S1.6)', async () => {
    const failing = agentOf(async (task) => {
      if (task.text === 'reject') throw reject('Not on Sundays');
      if (task.text === 'hang') await hang(task);
      throw new Error('secret detail');
    });
    const { peer } = await serveJaf(failing);
    const failed = await peer.error('message/send', sending('fail'));
    expect(failed).toMatchObject({
      code: -32603,
      data: { state: 'failed', errorType: 'TaskFailed', reason: 'agent-error' },
    });
    expect(JSON.stringify(failed)).not.toContain('secret');
    const stored = await peer.result('tasks/get', { id: failed.data.taskId });
    expect(stored.status.error).toMatchObject({
      code: -32603,
      message: failed.message,
      data: { errorType: 'TaskFailed' },
    });
    const rejected = await peer.error('message/send', sending('reject'));
    expect(rejected).toMatchObject({ code: -32602, message: 'Not on Sundays', data: { errorType: 'TaskRejected' } });
    const aborted = new AbortController();
    const frames = peer.frames('message/stream', sending('hang'), {}, aborted.signal);
    const first = await frames.next();
    const { taskId } = first.value?.response.result ?? {};
    const waiting = peer.error('message/send', sending('too', { taskId }));
    await expect.poll(async () => (await peer.result('tasks/get', { id: taskId })).status.state).toBe('working');
    await peer.result('tasks/cancel', { id: taskId, reason: 'Enough' });
    expect(await waiting).toMatchObject({ code: -32602, message: 'Enough', data: { errorType: 'TaskCancelled' } });
    aborted.abort();
  });
});

describe('messages and parts of JAF', () => {
  const mirror = agentOf((task) => [{ kind: 'data', data: JSON.parse(JSON.stringify(task.message)) }]);
  const seen = async (peer: JafPeer, message: Wire) => {
    const { message: answer } = await peer.result('message/send', { message });
    return answer.parts[0].data;
  };

  it('may have the role system and a timestamp, which agents see beside them (S1.4)', async () => {
    const { peer } = await serveJaf(mirror);
    const message = said('Be brief', { role: 'system', timestamp: '2024-03-15T14:30:00Z' });
    const { messageId, metadata, role } = await seen(peer, message);
    expect(role).toBe('user');
    expect(metadata).toEqual({ 'urn:parley:jaf:v1': { role: 'system', timestamp: '2024-03-15T14:30:00Z' } });
    expect(messageId).toBe(message.messageId);
  });

  it('may have data with its type, and data that is no object (S1.4)', async () => {
    const { peer } = await serveJaf(mirror);
    const data = { kind: 'data', data: { any: 'structured data' }, mimeType: 'application/json' };
    const { parts } = await seen(peer, said('', { parts: [data, { kind: 'data', data: [1, null] }] }));
    expect(parts).toEqual([
      { kind: 'data', data: { any: 'structured data' }, mediaType: 'application/json' },
      { kind: 'data', data: [1, null] },
    ]);
  });

  it('may have parts that nobody knows: they come as data, and go back as they were (S1.11)', async () => {
    const back = agentOf((task) => task.parts, { name: 'back' });
    const { peer } = await serveJaf([mirror, back]);
    const video = { kind: 'video', url: 'https://example.com/a.mp4', seconds: 12 };
    const message = said('', { parts: [{ kind: 'text', text: 'look' }, video] });
    expect((await seen(peer, message)).parts[1]).toMatchObject({ kind: 'data', data: video });
    const { message: answer } = await peer.at('/a2a/agents/back').result('message/send', { message });
    expect(answer.parts).toEqual(message.parts);
  });

  it.each([
    ['control characters', 'a\u0000b\u0007c\u001b[31md\u007fe\u0080f\u009bg', 'abc[31mdefg'],
    ['tabs and line breaks, which stay', 'a\tb\nc\r\nd\u0085e\u2028f', 'a\tb\nc\r\nd\u0085e\u2028f'],
    ['halves of characters', 'a\ud83db \ude00c', 'a\ufffdb \ufffdc'],
    ['whole characters, which stay', 'Größe 👍🏽 é', 'Größe 👍🏽 é'],
  ])('are cleaned of what no agent should see in a text: %s (S1.11)', async (_, text, cleaned) => {
    const { peer } = await serveJaf(mirror);
    const parts = [
      { kind: 'text', text, name: text },
      { kind: 'data', data: { text } },
    ];
    const [first, second] = (await seen(peer, said('', { parts }))).parts;
    expect(first).toMatchObject({ text: cleaned, filename: cleaned });
    // Data need not be text: it is left alone.
    expect(second.data).toEqual({ text });
  });

  it('are cleaned by the headers of JAF as well, and nowhere else (S1.11)', async () => {
    const { peer } = await serveJaf(echo, { mounts: [] });
    const params = sending('a\u0000b');
    expect((await peer.result('message/send', params, { 'x-a2a-version': '0.3.0' })).message.parts[0].text).toBe(
      'You said ab',
    );
    expect((await peer.result('message/send', params)).artifacts[0].parts[0].text).toBe('You said a\u0000b');
  });

  it('never make an identity of what the metadata say (S1.5)', async () => {
    const who = agentOf((task) => JSON.stringify(task.user));
    const { peer } = await serveJaf(who);
    const metadata = { priority: 'high', userId: 'user-123', subject: 'admin' };
    const { message } = await peer.result('message/send', sending('who am I?', { metadata }));
    expect(JSON.parse(message.parts[0].text)).toEqual({ tenant: '', subject: '', scopes: [], claims: {} });
  });
});

describe('tasks in JAF', () => {
  it('are got in the shape of the document (S1.3)', async () => {
    const { peer } = await serveJaf(echo);
    const { taskId, message } = await peer.result('message/send', sending('hi'));
    const task = await peer.result('tasks/get', { id: taskId });
    expect(JSON.stringify(task)).toBe(
      JSON.stringify({
        id: taskId,
        contextId: 'ctx-1',
        kind: 'task',
        status: { state: 'completed', message, timestamp: message.timestamp },
      }),
    );
  });

  it('are canceled with a reason, which is what the task says then (S1.3)', async () => {
    const { peer } = await serveJaf(agentOf(hang));
    const frames = peer.frames('message/stream', sending('go'));
    const id = (await frames.next()).value?.response.result.taskId;
    const reason = 'User requested cancellation';
    const answer = await peer.result('tasks/cancel', { id, reason });
    expect(JSON.stringify(answer)).toBe(JSON.stringify({ id, cancelled: true, timestamp: answer.timestamp }));
    const { status } = await peer.result('tasks/get', { id });
    expect(status).toMatchObject({ state: 'cancelled', message: { parts: [{ kind: 'text', text: reason }] } });
    expect(status.error).toBeUndefined();
    const last = (await all(frames)).at(-1);
    expect(last?.response.result).toMatchObject({ kind: 'status-update', status: { state: 'cancelled' }, final: true });
  });

  it('say a reason without what no agent should see (S1.11)', async () => {
    const { peer } = await serveJaf(agentOf(hang));
    const frames = peer.frames('message/stream', sending('go'));
    const id = (await frames.next()).value?.response.result.taskId;
    await peer.result('tasks/cancel', { id, reason: 'Enough\u0000\ud83d' });
    const { status } = await peer.result('tasks/get', { id });
    expect(status.message.parts[0].text).toBe('Enough\ufffd');
    await all(frames);
  });

  it('that are unknown or over are told by the table (S1.3) (S1.6)', async () => {
    const { peer } = await serveJaf(echo);
    for (const method of ['tasks/get', 'tasks/cancel']) {
      expect(await peer.error(method, { id: 'nope' })).toMatchObject({
        code: -32001,
        data: { errorType: 'TaskNotFound' },
      });
    }
    expect(await peer.error('message/send', sending('x', { taskId: 'nope' }))).toMatchObject({ code: -32001 });
    const { taskId } = await peer.result('message/send', sending('hi'));
    const canceled = await peer.error('tasks/cancel', { id: taskId });
    expect(canceled).toMatchObject({ code: -32602, data: { errorType: 'TaskNotCancelable', taskId } });
    const followed = await peer.error('message/send', sending('again', { taskId }));
    expect(followed).toMatchObject({ code: -32602, data: { errorType: 'UnsupportedOperation' } });
  });

  it('are the same tasks in every dialect', async () => {
    const { server, peer } = await serveJaf(echo, { mounts: [{ path: '/jaf', dialect: 'jaf' }] });
    const { taskId } = await peer.at('/jaf').result('message/send', sending('hi', { role: 'system' }));
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: taskId } });
    const headers = { 'content-type': 'application/json' };
    const response = await server.fetch(new Request(`${peer.base}/a2a`, { method: 'POST', headers, body }));
    const { result } = (await response.json()) as Wire;
    expect(result.artifacts[0].parts).toEqual([{ kind: 'text', text: 'You said hi' }]);
    expect(result.history[0]).toMatchObject({ role: 'user', metadata: { 'urn:parley:jaf:v1': { role: 'system' } } });
  });
});
