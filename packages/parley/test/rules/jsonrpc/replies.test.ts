import { describe, expect, it } from 'vitest';
import { type RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { readSse } from '../../support/sse.ts';
import { storeWith } from '../../support/stores/store-with.ts';

const V1 = { 'a2a-version': '1.0' };
const echo = () => agentOf((task) => task.text);

const post = (peer: RpcPeer, body: Wire) => peer.post(JSON.stringify(body), V1);

describe('the id', () => {
  it.each([
    ['a string'],
    [''],
    ['1'],
    [0],
    [1],
    [-7],
    [1.5],
    [9007199254740991],
    [null],
    ['🙂 "quoted" \\ \n'],
  ])('%j comes back as it was [rule:jsonrpc.id]', async (id) => {
    const { peer } = startServer(echo());
    const list: Wire = await (await post(peer, { jsonrpc: '2.0', id, method: 'ListTasks' })).json();
    expect(list).toMatchObject({ id, result: { tasks: [] } });
    const bad: Wire = await (await post(peer, { jsonrpc: '2.0', id, method: 'GetTask', params: {} })).json();
    expect(bad).toMatchObject({ id, error: { code: -32602 } });
    const unknown: Wire = await (await post(peer, { jsonrpc: '2.0', id, method: 'Nothing' })).json();
    expect(unknown).toMatchObject({ id, error: { code: -32601 } });
  });

  it('is null where the request has none, and the request is answered [rule:jsonrpc.no-id]', async () => {
    const { peer } = startServer(echo());
    const response = await post(peer, { jsonrpc: '2.0', method: 'SendMessage', params: sendParams('hello') });
    expect(response.status).toBe(200);
    const answer: Wire = await response.json();
    expect(answer.id).toBeNull();
    expect(answer.result.task.status.state).toBe('TASK_STATE_COMPLETED');
    const error: Wire = await (await post(peer, { jsonrpc: '2.0', method: 'GetTask', params: {} })).json();
    expect([error.id, error.error.code]).toEqual([null, -32602]);
  });
});

describe('the reply', () => {
  it('has a result or an error, and the error only its three members [rule:jsonrpc.result-or-error] [rule:jsonrpc.data-array]', async () => {
    const { peer } = startServer(echo());
    const task = await peer.send('hello');
    const bodies = [
      '{',
      '[]',
      '{}',
      ...(
        [
          ['ListTasks', {}],
          ['GetTask', { id: task.id }],
          ['GetTask', { id: 'unknown' }],
          ['GetTask', {}],
          ['CancelTask', { id: task.id }],
          ['SubscribeToTask', { id: task.id }],
          ['ListTaskPushNotificationConfigs', { taskId: task.id }],
          ['GetExtendedAgentCard', {}],
          ['Nothing', {}],
        ] as const
      ).map(([method, params]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
    ];
    for (const body of bodies) {
      const answer: Wire = await (await peer.post(body, V1)).json();
      expect(Object.keys(answer).filter((name) => name === 'result' || name === 'error')).toHaveLength(1);
      if (!answer.error) continue;
      for (const name of Object.keys(answer.error)) expect(['code', 'message', 'data']).toContain(name);
      expect(Number.isInteger(answer.error.code)).toBe(true);
      expect(typeof answer.error.message).toBe('string');
      if ('data' in answer.error) expect(Array.isArray(answer.error.data)).toBe(true);
    }
  });

  it('to someone who is not let in keeps 401 and 403 [rule:jsonrpc.http-status]', async () => {
    const agent = agentOf((task) => task.text, { extendedCard: { description: 'More' } });
    const { peer } = startServer(agent, { anonymous: 'private' });
    const unauthenticated = await peer.request('GetExtendedAgentCard');
    expect(unauthenticated.status).toBe(401);
    expect(await unauthenticated.json()).toHaveProperty('error.code');
    const forbidden = await peer.request('ListTasks');
    expect(forbidden.status).toBe(403);
    expect(await forbidden.json()).toHaveProperty('error.code');
  });

  it('to a body that is too large keeps 413 [rule:jsonrpc.http-status]', async () => {
    const { peer } = startServer(echo(), { limits: { bodyBytes: 1000 } });
    expect((await peer.request('SendMessage', sendParams('x'.repeat(2000)))).status).toBe(413);
  });

  it('to too many messages keeps 429, with Retry-After [rule:jsonrpc.http-status]', async () => {
    const over = gate();
    const { peer } = startServer(
      agentOf(() => over.promise),
      { limits: { queuedMessages: 1 } },
    );
    const { id } = await peer.send('start', {}, { returnImmediately: true });
    await peer.send('waits', { taskId: id }, { returnImmediately: true });
    const response = await peer.request('SendMessage', sendParams('too many', { taskId: id }));
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    over.resolve();
  });

  it('to too many messages keeps 429 for a stream too, whatever it accepts [rule:jsonrpc.http-status]', async () => {
    const over = gate();
    const { peer } = startServer(
      agentOf(() => over.promise),
      { limits: { queuedMessages: 1 } },
    );
    const { id: taskId } = await peer.send('start', {}, { returnImmediately: true });
    await peer.send('waits', { taskId }, { returnImmediately: true });
    const accept = { accept: 'text/event-stream' };
    const newer = await peer.request('SendStreamingMessage', sendParams('too many', { taskId }), accept);
    const message = { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'a' }], taskId };
    const params = { message };
    const older = await peer.request('message/stream', params, { ...accept, 'a2a-version': '0.3' });
    for (const response of [newer, older]) {
      expect([response.status, response.headers.get('content-type')]).toEqual([429, 'application/json']);
      expect(await response.json()).toHaveProperty('error.code', -32603);
    }
    over.resolve();
  });

  it('to an agent that is not there keeps 404, to another verb 405 [rule:jsonrpc.http-status]', async () => {
    const { peer } = startServer(echo());
    expect((await peer.at('/a2a/agents/nobody').request('ListTasks')).status).toBe(404);
    expect((await peer.raw('/a2a', { method: 'PUT' })).status).toBe(405);
  });

  it('while the server closes keeps 503, with Retry-After [rule:jsonrpc.http-status]', async () => {
    const { peer, server } = startServer(echo());
    await peer.send('opens the server');
    await server.close();
    const response = await peer.request('SendMessage', sendParams('too late'));
    expect(response.status).toBe(503);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('a stream', () => {
  it('is made of whole JSON-RPC responses with the id of the request [rule:jsonrpc.sse]', async () => {
    const { peer } = startServer(
      agentOf(async function* (task) {
        await task.status('Thinking');
        yield 'one ';
        yield 'two';
      }),
    );
    for (const id of ['stream-1', 0, 42, null]) {
      const body = { jsonrpc: '2.0', id, method: 'SendStreamingMessage', params: sendParams('go') };
      const response = await post(peer, body);
      if (!response.body) throw new Error('no body');
      let count = 0;
      for await (const event of readSse(response.body)) {
        const frame: Wire = JSON.parse(event.data);
        expect(Object.keys(frame).sort()).toEqual(['id', 'jsonrpc', 'result']);
        expect([frame.jsonrpc, frame.id]).toEqual(['2.0', id]);
        expect(event.event).toBeUndefined();
        count += 1;
      }
      expect(count).toBeGreaterThanOrEqual(5);
    }
  });

  it('that fails ends with an error event, without an event line [rule:jsonrpc.sse-error]', async () => {
    const goOn = gate();
    let refuses = false;
    const store = storeWith((inner) => ({
      commit: (entries) => (refuses ? entries.map(() => 'conflict' as const) : inner.commit(entries)),
    }));
    const { peer } = startServer(
      agentOf(async function* () {
        yield 'one';
        await goOn.promise;
        yield 'two';
      }),
      { store },
    );
    const body = { jsonrpc: '2.0', id: 'my-id', method: 'SendStreamingMessage', params: sendParams('go') };
    const response = await post(peer, body);
    expect(response.status).toBe(200);
    if (!response.body) throw new Error('no body');
    const events: Wire[] = [];
    for await (const event of readSse(response.body)) {
      events.push(event);
      if (!event.data.includes('"artifactUpdate"')) continue;
      refuses = true;
      goOn.resolve();
    }
    const last = events.at(-1);
    const failure: Wire = JSON.parse(last.data);
    expect(last.event).toBeUndefined();
    expect(Object.keys(failure).sort()).toEqual(['error', 'id', 'jsonrpc']);
    expect(failure.id).toBe('my-id');
    expect(failure.error).toMatchObject({ code: -32603, message: expect.any(String) });
    for (const event of events.slice(0, -1)) expect(JSON.parse(event.data)).toHaveProperty('result');
  });
});
