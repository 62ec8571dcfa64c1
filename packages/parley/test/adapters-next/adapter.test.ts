import { a2aNext, type NextHandler, oncePerProcess } from 'parley-a2a/next';
import { describe, expect, it, vi } from 'vitest';
import { RpcPeer, sendParams, startServer, type Wire } from '../support/rpc.ts';
import { agentOf, hang } from '../support/script.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'] as const;

/** Calls the handler that a route would have for the request's method. */
function served(agent = agentOf(() => 'done')) {
  const { server } = startServer(agent);
  const handlers: Readonly<Record<string, NextHandler>> = { ...a2aNext(server) };
  const fetch: NextHandler = (request) => {
    const handler = handlers[request.method];
    return handler ? handler(request) : Promise.resolve(new Response(null, { status: 405 }));
  };
  return { server, fetch, peer: new RpcPeer(fetch) };
}

describe('a2aNext [seed:S3.1] [seed:S3.2]', () => {
  it('has a handler for each method that A2A needs', () => {
    expect(Object.keys(a2aNext(startServer(agentOf(() => 'done')).server)).sort()).toEqual([...METHODS].sort());
  });

  it.for(METHODS)('answers %s as the server does', async (method) => {
    const { server, fetch } = served();
    for (const path of ['/a2a', '/.well-known/agent-card.json', '/a2a/tasks/none', '/elsewhere']) {
      const request = () => new Request(`http://agents.test${path}`, { method, headers: { 'a2a-version': '1.0' } });
      const [ours, plain] = await Promise.all([fetch(request()), server.fetch(request())]);
      expect([ours.status, [...ours.headers], await ours.text()]).toEqual([
        plain.status,
        [...plain.headers],
        await plain.text(),
      ]);
    }
  });

  it('is mounted in a folder of the app, below the base path that Next keeps to itself', async () => {
    const { GET } = a2aNext(startServer(agentOf(() => 'done')).server, { prefix: '/agents', basePath: 'site/' });
    const at = (path: string) => GET(new Request(`http://agents.test${path}`));
    const card: Wire = await (await at('/agents/.well-known/agent-card.json')).json();
    expect(card.url).toBe('http://agents.test/site/agents/a2a');
    expect([(await at('/agents/healthz')).status, (await at('/healthz')).status]).toEqual([200, 404]);
  });

  it('sends and streams', async () => {
    const { peer } = served();
    expect(await peer.send('hello')).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
    const frames = await peer.stream('SendStreamingMessage', sendParams('hello'));
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('frees a stream whose request is aborted', async () => {
    const { server, fetch } = served(agentOf(hang));
    const leaving = new AbortController();
    const response = await fetch(streamRequest('http://agents.test/a2a', leaving.signal));
    const reader = response.body?.getReader();
    await reader?.read();
    expect(server.load.subscriptions).toBe(1);
    leaving.abort();
    expect(server.load.subscriptions).toBe(0);
  });

  describe('where a header made Next say https', () => {
    it('has a card with the address that was used', async () => {
      const { fetch } = served();
      // Next puts its own name for the host into the URL; the header is the client's.
      const headers = { host: 'agents.test:3000', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.test' };
      const card: Wire = await (
        await fetch(new Request('https://localhost:3000/.well-known/agent-card.json', { headers }))
      ).json();
      expect(new Set(card.supportedInterfaces.map((one: Wire) => one.url))).toEqual(
        new Set(['http://agents.test:3000/a2a']),
      );
    });

    it('reads bodies, streams and notices who leaves', async () => {
      const { server, fetch } = served(agentOf(hang));
      const leaving = new AbortController();
      const response = await fetch(streamRequest('https://agents.test/a2a', leaving.signal));
      const reader = response.body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('TASK_STATE_SUBMITTED');
      leaving.abort();
      expect(server.load.subscriptions).toBe(0);
    });
  });
});

describe('oncePerProcess', () => {
  it('makes a thing once for each name', () => {
    const name = crypto.randomUUID();
    const first = oncePerProcess(name, () => ({ made: 1 }));
    expect(oncePerProcess(name, () => ({ made: 2 }))).toBe(first);
    expect(oncePerProcess(`${name} other`, () => ({ made: 3 }))).toEqual({ made: 3 });
  });

  it('tries again where making failed', () => {
    const name = crypto.randomUUID();
    const fail = () => {
      throw new Error('no');
    };
    expect(() => oncePerProcess(name, fail)).toThrow('no');
    expect(oncePerProcess(name, () => 'yes')).toBe('yes');
  });

  it('is shared by copies of the module, as bundlers make them', async () => {
    const name = crypto.randomUUID();
    vi.resetModules();
    const copy = await import('parley-a2a/next');
    expect(copy.oncePerProcess).not.toBe(oncePerProcess);
    const first = copy.oncePerProcess(name, () => ({}));
    expect(oncePerProcess(name, () => ({}))).toBe(first);
  });
});

function streamRequest(url: string, signal: AbortSignal): Request {
  return new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendStreamingMessage',
      params: sendParams('hello'),
    }),
    signal,
  });
}
