import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { authRequired, inputRequired, link } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { httpPost } from '../../support/http/http.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { storeWith } from '../../support/stores/store-with.ts';

it('answers for a foreign task exactly as for an unknown one [rule:security.indistinguishable]', async () => {
  const agents = [agentOf(() => inputRequired('Yes?')), agentOf(() => inputRequired('Yes?'), { name: 'other' })];
  const { peer } = startServer(agents, { tenants: ['acme', 'globex'] });
  const waiting: Wire = (await peer.call('SendMessage', { ...sendParams('hello'), tenant: 'acme' })).task;
  const ended: Wire = (await peer.call('SendMessage', { ...sendParams('hello'), tenant: 'acme' })).task;
  await peer.call('CancelTask', { id: ended.id, tenant: 'acme' });
  const others = (await peer.at('/a2a/agents/other').call('SendMessage', { ...sendParams('hello'), tenant: 'globex' }))
    .task;

  for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask', 'SendMessage', 'SendStreamingMessage']) {
    const ask = async (id: string, more: Wire = {}) => {
      const params = method.startsWith('Send') ? sendParams('x', { taskId: id, ...more }) : { id };
      const response = await peer.request(method, { ...params, tenant: 'globex' });
      const { error }: Wire = await response.json();
      const headers = Object.fromEntries(response.headers);
      return { status: response.status, headers, error: JSON.parse(JSON.stringify(error).replaceAll(id, '<id>')) };
    };
    const unknown = await ask('01890000-0000-7000-8000-000000000000');
    expect(unknown.error.code).toBe(-32001);
    expect(await ask(waiting.id), method).toEqual(unknown);
    expect(await ask(ended.id), method).toEqual(unknown);
    expect(await ask(others.id), method).toEqual(unknown);
    expect(await ask(waiting.id, { contextId: waiting.contextId }), method).toEqual(unknown);
    expect(await ask(waiting.id, { contextId: 'another' }), method).toEqual(unknown);
  }
});

describe('AUTH_REQUIRED', () => {
  it('is a state of the task with a message that says what is needed [rule:security.auth-required]', async () => {
    const { peer } = startServer(
      agentOf((task) => (task.history.length === 0 ? authRequired('Sign in at https://id.example.com') : 'Thanks')),
    );
    const task = await peer.send('go');
    expect(violationsOfV1('Task', task)).toEqual([]);
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_AUTH_REQUIRED',
      message: { role: 'ROLE_AGENT', taskId: task.id, parts: [{ text: 'Sign in at https://id.example.com' }] },
    });
    expect(await peer.call('GetTask', { id: task.id })).toEqual(task);
    expect((await peer.call('ListTasks', { status: 'TASK_STATE_AUTH_REQUIRED' })).totalSize).toBe(1);
    const after = await peer.send('signed in', { taskId: task.id });
    expect([after.id, after.status.state]).toEqual([task.id, 'TASK_STATE_COMPLETED']);
  });

  it('is the same where the run waits for it [rule:security.auth-required]', async () => {
    const { peer } = startServer(agentOf((task) => task.ask('Please sign in', { state: 'auth-required' })));
    const task = await peer.send('go');
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_AUTH_REQUIRED',
      message: { role: 'ROLE_AGENT', parts: [{ text: 'Please sign in' }] },
    });
    expect((await peer.send('signed in', { taskId: task.id })).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

it('never fetches a URL out of a part by itself [rule:security.file-urls]', async () => {
  const hits: string[] = [];
  const target = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('secret');
  });
  await new Promise<void>((resolve) => void target.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void target.close());
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/metadata`;
  const agent = agentOf((task) => [link(`${url}?from=agent`), ...task.parts], { inputModes: ['*/*'] });
  const { peer } = startServer(agent);
  const parts = [{ url }, { url, mediaType: 'text/plain', filename: 'x.txt' }, { url: 'file:///etc/passwd' }];
  const task = await peer.send('', { parts });
  expect(task.artifacts[0].parts).toEqual([{ url: `${url}?from=agent` }, ...parts]);
  await peer.stream('SendStreamingMessage', sendParams('', { parts }));
  await peer.call('ListTasks', { includeArtifacts: true });
  expect(hits).toEqual([]);
});

describe('limits', () => {
  it('refuse a body beyond the size limit, and only that [rule:security.limits]', async () => {
    const { peer } = startServer(
      agentOf((task) => String(task.text.length)),
      { limits: { bodyBytes: 2000 } },
    );
    const empty = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('') });
    const filled = (bytes: number) => empty.replace('"text":""', `"text":"${'x'.repeat(bytes - empty.length)}"`);
    expect((await peer.post(filled(2000), { 'a2a-version': '1.0' })).status).toBe(200);
    const refused = await peer.post(filled(2001), { 'a2a-version': '1.0' });
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('2000') } });
    expect((await peer.call('ListTasks')).totalSize).toBe(1);
  });

  it('refuse it over a socket too, whether its length is declared or not [rule:security.limits]', async () => {
    const { server } = startServer(
      agentOf((task) => task.text),
      { limits: { bodyBytes: 2000 } },
    );
    await server.listen({ port: 0 });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sendParams('x'.repeat(5000)) });
    const json = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const declared = await httpPost(`${server.url}/a2a`, { ...json, 'content-length': body.length }, body);
    expect(declared.status).toBe(413);
    const chunked = await httpPost(`${server.url}/a2a`, { ...json, 'transfer-encoding': 'chunked' }, body);
    expect(chunked.status).toBe(413);
    const fine = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks' });
    expect((await httpPost(`${server.url}/a2a`, json, fine)).status).toBe(200);
  });

  it('refuse content that is nested beyond reason [rule:security.limits]', async () => {
    const { peer } = startServer(agentOf((task) => task.parts));
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    for (const member of [`"parts":[{"data":${deep}}]`, `"parts":[{"text":"x"}],"metadata":{"a":${deep}}`]) {
      const message = `{"messageId":"m","role":"ROLE_USER",${member}}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${message}}}`;
      const answer: Wire = await (await peer.post(body, { 'a2a-version': '1.0' })).json();
      expect(answer.error.code).toBe(-32602);
    }
    expect((await peer.call('ListTasks')).totalSize).toBe(0);
  });
});

it('writes no credentials, tokens or keys to the log [rule:security.logs]', async () => {
  let broken = false;
  const store = storeWith((inner) => ({
    load: (ids, detail) => {
      if (broken) throw new Error('The disk is gone');
      return inner.load(ids, detail);
    },
  }));
  const { peer, logged } = startServer(
    agentOf(() => {
      throw new Error('The agent broke');
    }),
    { store },
  );
  const secrets = {
    authorization: 'Bearer s3cret-token',
    'proxy-authorization': 'Basic s3cret-proxy',
    cookie: 'session=s3cret-cookie',
    'x-api-key': 's3cret-api-key',
    'idempotency-key': 's3cret-idempotency-key',
  };
  const configuration = {
    taskPushNotificationConfig: {
      url: 'https://x.example',
      token: 's3cret-webhook',
      authentication: { scheme: 'Bearer', credentials: 's3cret-hook' },
    },
  };
  const withKey = peer.at('/a2a?api_key=s3cret-in-query&access_token=s3cret-access');
  const { task } = await withKey.call('SendMessage', sendParams('hello'), secrets);
  expect(task.status.state).toBe('TASK_STATE_FAILED');
  await withKey.error('SendMessage', sendParams('hello', {}, configuration), secrets);
  broken = true;
  expect((await withKey.error('GetTask', { id: task.id }, secrets)).code).toBe(-32603);
  await withKey.post('{"token": "s3cret-in-broken-json', secrets);
  expect(logged.length).toBeGreaterThanOrEqual(2);
  expect(inspect(logged, { depth: null, showHidden: true })).not.toContain('s3cret');
});

it('sends no CORS header unless CORS is set [rule:security.cors-off]', async () => {
  const { peer } = startServer(agentOf((task) => task.text));
  const origin = { origin: 'https://app.example.com' };
  const preflight = {
    ...origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'a2a-version',
  };
  const responses = [
    await peer.raw('/.well-known/agent-card.json', { headers: origin }),
    await peer.raw('/.well-known/agent-card.json', { method: 'OPTIONS', headers: preflight }),
    await peer.raw('/a2a', { method: 'OPTIONS', headers: preflight }),
    await peer.raw('/', { headers: origin }),
    await peer.raw('/healthz', { headers: origin }),
    await peer.raw('/nowhere', { headers: origin }),
    await peer.request('SendMessage', sendParams('hello'), origin),
    await peer.request('SendStreamingMessage', sendParams('hello'), origin),
    await peer.request('GetTask', { id: 'unknown' }, origin),
  ];
  for (const response of responses) {
    await response.text();
    const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(names, response.url).toEqual([]);
  }
});
