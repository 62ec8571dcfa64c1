import { A2AClient, A2AServer, type A2AServerOptions, defineAgent, textOf } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RpcPeer, sendParams, type Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';

const V03 = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'Hi' }] };
const V1 = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };

const helper = defineAgent({ name: 'helper', description: 'Helps', version: '1.0.0', run: () => 'helped' });

/** Writes something, waits until the test lets it go on, then asks another agent. */
function gated() {
  const gate = Promise.withResolvers<void>();
  const agent = defineAgent({
    name: 'gated',
    description: 'Waits for a word',
    version: '1.0.0',
    async *run(task) {
      yield 'begun ';
      await gate.promise;
      yield textOf(await task.call(helper, 'Help'));
    },
  });
  return { agent, open: () => gate.resolve() };
}

async function started(options: Partial<A2AServerOptions> = {}) {
  const { agent, open } = gated();
  onTestFinished(() => open());
  const server = new A2AServer({ agents: [agent, helper], log: { error() {}, warn() {} }, ...options });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const url = server.url ?? '';
  const peer = new RpcPeer((request) => fetch(request), `${url}/a2a`);
  const stream = await peer.open('SendStreamingMessage', sendParams('Hi'));
  const frames = await stream.until(({ result }) => result.artifactUpdate !== undefined);
  const id: string = frames[0]?.result.task.id;
  return { server, url, peer, stream, frames, id, open };
}

/** Requests that begin work, in every version and binding, and how each tells that the server is about to stop. */
const SENDS: readonly (readonly [name: string, path: string, headers: Record<string, string>, body: unknown])[] = [
  ['1.0 over JSON-RPC', '/a2a', { 'a2a-version': '1.0' }, rpc('SendMessage', { message: V1 })],
  ['1.0 over JSON-RPC, a stream', '/a2a', { 'a2a-version': '1.0' }, rpc('SendStreamingMessage', { message: V1 })],
  ['1.0 over HTTP+JSON', '/a2a/message:send', { 'a2a-version': '1.0' }, { message: V1 }],
  ['1.0 over HTTP+JSON, a stream', '/a2a/message:stream', { 'a2a-version': '1.0' }, { message: V1 }],
  ['0.3 over JSON-RPC', '/a2a', {}, rpc('message/send', { message: V03 })],
  ['0.3 over HTTP+JSON', '/a2a/v1/message:send', {}, { message: V03 }],
  ['JAF', '/api/a2a', {}, rpc('message/send', { message: V03 })],
];

function rpc(method: string, params: unknown) {
  return { jsonrpc: '2.0', id: 7, method, params };
}

describe('a server that is closed while a task runs', () => {
  it('refuses new work in every version and binding, answers everything else, and lets the run finish', async () => {
    const { server, url, peer, stream, id, open } = await started({ drainTimeout: 60_000 });
    const closing = server.close();
    expect(server.close()).toBe(closing);

    for (const [name, path, headers, body] of SENDS) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
      const response = await fetch(url + path, { ...init, body: JSON.stringify(body) });
      expect([name, response.status, response.headers.get('retry-after')]).toEqual([name, 503, '10']);
      const { jsonrpc, id: answered, error } = (await response.json()) as Wire;
      expect([name, error.message]).toEqual([name, 'The server is shutting down; try again']);
      if (path === '/a2a' || path === '/api/a2a') expect([name, jsonrpc, answered]).toEqual([name, '2.0', 7]);
      else expect([name, error.code, error.status]).toEqual([name, 503, 'UNAVAILABLE']);
    }

    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, ready.headers.get('content-type'), ready.headers.get('retry-after')]).toEqual([
      503,
      'application/problem+json',
      '10',
    ]);
    expect(await ready.json()).toEqual({
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The server is shutting down',
    });
    const verbose = (await (await fetch(`${url}/readyz?verbose`)).json()) as Wire;
    expect(verbose.checks).toEqual([
      { name: 'serving', status: 'failed', message: 'The server is shutting down' },
      { name: 'store', status: 'ok' },
    ]);
    for (const path of ['/livez', '/healthz', '/a2a/health']) {
      const alive = await fetch(url + path);
      expect([path, alive.status, await alive.json()]).toEqual([path, 200, { status: 'draining' }]);
      // So that clients go elsewhere.
      expect(alive.headers.get('connection')).toBe('close');
    }
    expect((await fetch(`${url}/.well-known/agent-card.json`)).status).toBe(200);
    expect((await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_WORKING');
    expect((await peer.call('ListTasks', {})).tasks).toHaveLength(1);
    const second = await peer.open('SubscribeToTask', { id });

    open();
    const [first, other] = await Promise.all([stream.rest(), second.rest()]);
    for (const frames of [first, other]) {
      expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    }
    await closing;
    expect(server.url).toBeUndefined();
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });

  it('takes a cancellation, and does not wait for longer than there are runs', async () => {
    const { server, peer, id } = await started({ drainTimeout: 600_000 });
    const closing = server.close();
    expect((await peer.call('CancelTask', { id })).status.state).toBe('TASK_STATE_CANCELED');
    await closing;
  });

  it('ends streams with the time to come back once the runs have had theirs, and they can be resumed', async () => {
    const file = tempFile();
    const { server, url, frames, id } = await started({ drainTimeout: 50, store: sqlite(file) });
    const last = String(frames.at(-1)?.id);
    const body = JSON.stringify(rpc('SubscribeToTask', { id }));
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0', 'last-event-id': last };
    const reading = await fetch(`${url}/a2a`, { method: 'POST', headers, body });
    await server.close();
    expect(await reading.text()).toMatch(/(?:^|\n)retry: 1000\n$|TASK_STATE_FAILED/);

    const next = new A2AServer({ agents: [helper, gated().agent], default: 'gated', store: sqlite(file) });
    onTestFinished(() => next.close());
    const peer = new RpcPeer(next.fetch);
    const rest = await peer.stream('SubscribeToTask', { id }, { 'last-event-id': last });
    expect(rest.at(-1)?.result.statusUpdate.status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { metadata: { reason: 'server-stopped' } },
    });
  });

  it('answers a send that waits for a run which goes on elsewhere with the task as it is', async () => {
    const begun = Promise.withResolvers<void>();
    const endless = defineAgent({
      name: 'endless',
      description: 'Goes on in the next process',
      version: '1.0.0',
      resumable: true,
      async run(task) {
        await task.step('begin', () => begun.resolve());
        await new Promise(() => {});
      },
    });
    const server = await new A2AServer({ agents: [endless], drainTimeout: 20, store: sqlite(tempFile()) }).listen({
      port: 0,
    });
    const peer = new RpcPeer((request) => fetch(request), `${server.url}/a2a`);
    const sending = peer.send('Hi');
    await begun.promise;
    await server.close();
    expect((await sending).status.state).toBe('TASK_STATE_WORKING');
  });

  it('closes at once where nothing runs, and streams of waiting tasks end with the time to come back', async () => {
    const asks = defineAgent({ name: 'asks', description: 'Asks', version: '1.0.0', run: (task) => task.ask('What?') });
    const server = await new A2AServer({ agents: [asks], drainTimeout: 600_000 }).listen({ port: 0 });
    const client = await A2AClient.connect(server.url ?? '');
    const asked = (await client.sendMessage('Hi')) as Wire;
    const response = await fetch(`${server.url}/a2a/tasks/${asked.id}:subscribe`, {
      method: 'POST',
      headers: { 'a2a-version': '1.0' },
    });
    await server.close();
    expect(await response.text()).toMatch(/\n\nretry: 1000\n$/);
  });
});

describe('the settings of draining', () => {
  const agents = [helper];

  it('are checked', () => {
    for (const value of [-1, Number.NaN, '10s' as unknown as number]) {
      expect(() => new A2AServer({ agents, drainTimeout: value })).toThrow(
        `drainTimeout must be a number of milliseconds that is not negative, not ${value}`,
      );
    }
  });
});

describe('probes', () => {
  it('list what was looked at for those who ask', async () => {
    const server = new A2AServer({ agents: [helper] });
    onTestFinished(() => server.close());
    const get = async (path: string) => (await server.fetch(new Request(`http://localhost${path}`))).json();
    expect(await get('/readyz')).toEqual({ status: 'ok' });
    expect(await get('/readyz?verbose=false')).toEqual({ status: 'ok' });
    expect(await get('/readyz?verbose')).toEqual({
      status: 'ok',
      checks: [
        { name: 'serving', status: 'ok' },
        { name: 'store', status: 'ok' },
      ],
    });
    expect(await get('/livez/?verbose=1')).toEqual({ status: 'ok', checks: [{ name: 'process', status: 'ok' }] });
  });
});
