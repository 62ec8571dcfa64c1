import { inputRequired, json, reply, text } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { readSse } from '../../support/sse.ts';

/** The request of S0's first example, byte for byte but for its text. */
function s0Request(method: string, words: string, more: Wire = {}, configuration?: Wire): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      message: {
        kind: 'message',
        role: 'user',
        parts: [{ kind: 'text', text: words }],
        messageId: 'msg-123',
        ...more,
      },
      configuration: configuration ?? { acceptedOutputModes: ['application/json', 'text/plain'], historyLength: 10 },
    },
  });
}

const worker = () =>
  agentOf(async function* (task) {
    if (task.text === 'ask') return inputRequired('Which quarter?');
    if (task.text === 'hi') return reply('Hello');
    if (task.text === 'fail') throw new Error('inner secret');
    for (const piece of ['Analysis: ', 'Sales increased', ', by 15%']) {
      yield piece;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return undefined;
  });

async function rpc(peer: RpcPeer, method: string, params?: Wire): Promise<Wire> {
  return (await peer.post(JSON.stringify({ jsonrpc: '2.0', id: 'q-1', method, params }))).json();
}

async function frames(response: Response): Promise<Wire[]> {
  if (!response.body) throw new Error('A stream was expected');
  const events: Wire[] = [];
  for await (const event of readSse(response.body)) events.push(JSON.parse(event.data));
  return events;
}

describe('message/stream', () => {
  it('streams JSON-RPC responses with headers for proxies: the task, updates, a last status with final (S0.1) (S4.4) [rule:v03.stream] [rule:v03.stream-first] [rule:v03.final-flag] [rule:v03.final-value] [rule:version.detect-slash]', async () => {
    const { peer } = startServer(worker());
    const response = await peer.post(s0Request('message/stream', 'Analyze sales data and generate report'));
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream; *charset=utf-8$/);
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const events = await frames(response);
    for (const event of events) {
      expect(Object.keys(event)).toEqual(['jsonrpc', 'id', 'result']);
      expect(event.id).toBe(1);
      expect(Object.keys(event.result)[0]).toBe('kind');
    }
    const results = events.map((event) => event.result);
    expect(results[0]).toMatchObject({ kind: 'task', status: { state: 'submitted' }, history: [{ kind: 'message' }] });
    expect(results[0].contextId).not.toBe('');
    expect(results[1]).toMatchObject({ kind: 'status-update', status: { state: 'working' }, final: false });
    const chunks = results.filter((result) => result.kind === 'artifact-update');
    expect(chunks.map((chunk) => chunk.artifact.parts[0])).toMatchObject([
      { kind: 'text', text: 'Analysis: ' },
      { kind: 'text', text: 'Sales increased' },
      { kind: 'text', text: ', by 15%' },
      ...chunks.slice(3).map(() => ({ kind: 'text', text: '' })),
    ]);
    expect(chunks.map((chunk) => chunk.append)).toEqual([false, ...chunks.slice(1).map(() => true)]);
    expect(chunks.at(-1)?.lastChunk).toBe(true);
    expect(results.at(-1)).toMatchObject({ kind: 'status-update', status: { state: 'completed' }, final: true });
    expect(results.filter((result) => result.final === true)).toHaveLength(1);
  });

  it('ends with final at a question, and is one message for a bare reply [rule:v03.stream] [rule:v03.final-value]', async () => {
    const { peer } = startServer(worker());
    const asked = await frames(await peer.post(s0Request('message/stream', 'ask')));
    expect(asked.at(-1)?.result).toMatchObject({ status: { state: 'input-required' }, final: true });
    const replied = await frames(await peer.post(s0Request('message/stream', 'hi')));
    expect(replied.map((event) => event.result)).toMatchObject([
      { kind: 'message', role: 'agent', parts: [text('Hello')] },
    ]);
  });
});

describe('message/send', () => {
  it('answers with the finished bare task; get, cancel and resubscribe work (S0.2) (S4.2) [rule:v03.methods] [rule:v03.result-bare] [rule:v03.kind] [rule:v03.context-id]', async () => {
    const { peer } = startServer(worker());
    const sent: Wire = await (await peer.post(s0Request('message/send', 'Analyze'))).json();
    expect(sent).toMatchObject({ jsonrpc: '2.0', id: 1, result: { kind: 'task', status: { state: 'completed' } } });
    const { id, contextId, artifacts } = sent.result;
    expect(artifacts[0].parts).toEqual([{ kind: 'text', text: 'Analysis: Sales increased, by 15%' }]);
    expect((await rpc(peer, 'tasks/get', { id })).result).toMatchObject({ kind: 'task', id, contextId });
    expect((await rpc(peer, 'tasks/cancel', { id })).error).toMatchObject({ code: -32002 });
    expect((await rpc(peer, 'tasks/get', { id: 'none' })).error).toMatchObject({ code: -32001 });
    const again: Wire = await (await peer.post(s0Request('message/send', 'more', { taskId: id }))).json();
    expect(again.error.code).toBe(-32004);
  });

  it('waits unless blocking is false [rule:v03.blocking] [rule:v03.blocking-absent-forms]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'begun';
        await go.promise;
      }),
    );
    const send = async (configuration: Wire): Promise<Wire> =>
      (await peer.post(s0Request('message/send', 'go', {}, configuration))).json();
    const atOnce = await send({ blocking: false });
    expect(['submitted', 'working']).toContain(atOnce.result.status.state);
    const waiting = [send({ blocking: true }), send({}), send({ historyLength: 1 })];
    const early = await Promise.race([...waiting, new Promise((resolve) => setTimeout(resolve, 100, 'none yet'))]);
    expect(early).toBe('none yet');
    go.resolve();
    for (const answer of await Promise.all(waiting)) expect(answer.result.status.state).toBe('completed');
  });

  it('takes a message without kind, and both kinds of file but not together (S4.3) [rule:v03.kind] [rule:v03.file-parts]', async () => {
    const { peer } = startServer(agentOf((task) => [...task.parts], { inputModes: ['*/*'] }));
    const file = (content: Wire) => [{ kind: 'file', file: { mimeType: 'text/plain', name: 'a.txt', ...content } }];
    const send = async (parts: Wire) => rpc(peer, 'message/send', { message: { role: 'user', messageId: 'm', parts } });
    expect((await send(file({ bytes: 'aGk=' }))).result.artifacts[0].parts).toEqual([
      { kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'a.txt' } },
    ]);
    expect((await send(file({ uri: 'https://example.com/a' }))).result.artifacts[0].parts[0].file.uri).toBe(
      'https://example.com/a',
    );
    const both = await send(file({ bytes: 'aGk=', uri: 'https://example.com/a' }));
    expect(both.error.code).toBe(-32602);
    expect(both.error.message).toContain('message.parts[0].file');
  });

  it('wraps data that is not an object [rule:v03.data-object]', async () => {
    const { peer } = startServer(agentOf(() => [json([1, 'two', null]), json({ rows: 2 })]));
    const sent: Wire = await (await peer.post(s0Request('message/send', 'data'))).json();
    expect(sent.result.artifacts[0].parts).toEqual([
      { kind: 'data', data: { value: [1, 'two', null] }, metadata: { data_part_compat: true } },
      { kind: 'data', data: { rows: 2 } },
    ]);
  });
});

describe('tasks/get', () => {
  it('has a history member where historyLength was given, at most so long (S4.2) [rule:v03.history-member]', async () => {
    const { peer } = startServer(worker());
    const { result }: Wire = await (await peer.post(s0Request('message/send', 'Analyze'))).json();
    const get = async (historyLength?: number) =>
      (await rpc(peer, 'tasks/get', { id: result.id, historyLength })).result;
    expect((await get(0)).history).toEqual([]);
    expect((await get(1)).history).toHaveLength(1);
    expect((await get()).history).toHaveLength(1);
  });
});

describe('tasks/resubscribe', () => {
  it('begins with the task and goes on, or with a position gives the rest (S4.2) [rule:v03.resubscribe]', async () => {
    const go = gate();
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'one ';
        await go.promise;
        yield 'two';
      }),
    );
    const started: Wire = await (await peer.post(s0Request('message/send', 'go', {}, { blocking: false }))).json();
    const { id } = started.result;
    const subscribe = (headers: Record<string, string> = {}) =>
      peer.post(JSON.stringify({ jsonrpc: '2.0', id: 'again', method: 'tasks/resubscribe', params: { id } }), headers);
    const live = subscribe();
    const resumed = subscribe({ 'last-event-id': '3' });
    const opened = [await live, await resumed];
    go.resolve();
    const [fromNow = [], fromThree = []] = await Promise.all(opened.map(frames));
    expect(fromNow[0]?.result).toMatchObject({ kind: 'task', id });
    expect(fromNow.at(-1)?.result).toMatchObject({ status: { state: 'completed' }, final: true });
    expect(fromThree[0]?.result).toMatchObject({ kind: 'artifact-update', artifact: { parts: [{ text: 'one ' }] } });
    for (const event of [...fromNow, ...fromThree]) expect(event.id).toBe('again');
  });

  it('answers an error as the only event of a stream, whatever is accepted [rule:v03.stream-error]', async () => {
    const { peer } = startServer(worker());
    const message = { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'a' }] };
    for (const [method, params, code] of [
      ['tasks/resubscribe', { id: 'none' }, -32001],
      ['tasks/resubscribe', {}, -32602],
      ['message/stream', { message: { ...message, taskId: 'none' } }, -32001],
      ['message/stream', {}, -32602],
    ] as const) {
      for (const accept of ['*/*', 'application/json', 'text/event-stream']) {
        const response = await peer.post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }), { accept });
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
        const [only, ...more] = await frames(response);
        expect(only).toEqual({ jsonrpc: '2.0', id: 7, error: { code, message: expect.any(String) } });
        expect(more).toEqual([]);
      }
    }
  });

  it('follows Accept where no method could be found [rule:v03.stream-error]', async () => {
    const { peer } = startServer(worker());
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tasks/none', params: {} });
    expect(await (await peer.post(body)).json()).toMatchObject({ id: 7, error: { code: -32601 } });
    const streamed = await peer.post(body, { accept: 'text/event-stream' });
    expect(await frames(streamed)).toMatchObject([{ id: 7, error: { code: -32601 } }]);
  });
});

describe('errors of 0.3', () => {
  it('have their codes, travel with HTTP 200 and leak nothing (S0.5) (S4.1) [rule:v03.error-codes]', async () => {
    const { peer } = startServer(worker(), { push: false });
    const failed: Wire = await (await peer.post(s0Request('message/send', 'fail'))).json();
    expect(failed.result.status.state).toBe('failed');
    expect(JSON.stringify(failed)).not.toContain('inner secret');
    const push = { taskId: 't', pushNotificationConfig: { url: 'https://example.com' } };
    for (const [method, params, code] of [
      ['tasks/get', { id: 'none' }, -32001],
      ['tasks/cancel', { id: failed.result.id }, -32002],
      ['tasks/pushNotificationConfig/set', push, -32003],
      ['tasks/pushNotificationConfig/list', { id: 't' }, -32003],
      ['agent/getAuthenticatedExtendedCard', undefined, -32007],
      ['message/send', {}, -32602],
      ['tasks/none', {}, -32601],
    ] as const) {
      const response = await peer.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      expect(response.status, method).toBe(200);
      expect(await response.json(), method).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code } });
    }
  });

  it('refuse the extended card unless it is declared [rule:v03.extended-card]', async () => {
    const { peer } = startServer(worker());
    expect((await rpc(peer, 'agent/getAuthenticatedExtendedCard')).error.code).toBe(-32007);
    const declared = startServer(agentOf(() => 'x', { extendedCard: { description: 'More' } })).peer;
    const response = await declared.post(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'agent/getAuthenticatedExtendedCard' }),
    );
    expect(response.status).toBe(401);
  });

  it('refuse to list tasks [rule:v03.no-list]', async () => {
    const { peer } = startServer(worker());
    expect((await rpc(peer, 'tasks/list', {})).error.code).toBe(-32601);
    expect((await peer.raw('/a2a/v1/tasks')).status).toBe(404);
  });
});

it('reads X-A2A-Extensions and answers under the same name [rule:v03.extensions]', async () => {
  const uri = 'https://example.com/ext/tone/v1';
  const { peer } = startServer(agentOf((task) => task.extensions.join(' '), { extensions: [{ uri }] }));
  const response = await peer.post(s0Request('message/send', 'hi'), { 'x-a2a-extensions': `${uri}, https://none` });
  expect(response.headers.get('x-a2a-extensions')).toBe(uri);
  expect(response.headers.get('a2a-extensions')).toBeNull();
  const { result }: Wire = await response.json();
  expect(result.artifacts[0].parts[0].text).toBe(uri);
});

it('names its version in answers, and on request what was detected and why (S2.6)', async () => {
  const { server } = startServer(worker());
  const peer = new RpcPeer(server.fetch);
  const debug = { 'x-parley-debug': '1' };
  const old = await peer.post(s0Request('message/send', 'hi'), debug);
  expect(old.headers.get('a2a-protocol-version')).toBe('0.3');
  expect(old.headers.get('x-parley-dialect')).toMatch(/^v0_3; .*slash method/);
  const current = await peer.request('ListTasks', {}, debug);
  expect(current.headers.get('a2a-protocol-version')).toBe('1.0');
  expect(current.headers.get('x-parley-dialect')).toMatch(/^v1_0; header A2A-Version 1\.0/);
  expect((await peer.request('ListTasks', {})).headers.get('x-parley-dialect')).toBeNull();
});
