import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { a2aNode } from 'parley-a2a/node';
import type { Store } from 'parley-a2a/ports';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { isServingProcess } from '../../../src/server/core/runtime.ts';
import { eventually } from '../../support/eventually.ts';
import { RpcPeer, sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { storeWith } from '../../support/stores/store-with.ts';

const FAILURE = new Error('secret.db is in use');

/** A store that cannot be opened so many times. */
function closedStore(times = Number.POSITIVE_INFINITY): { readonly store: Store; readonly opened: () => number } {
  let opened = 0;
  const open = async () => {
    opened += 1;
    if (opened <= times) throw FAILURE;
  };
  return { store: storeWith(() => ({ open })), opened: () => opened };
}

function serverOn(store: Store, more: Partial<A2AServerOptions> = {}): A2AServer {
  const log = { error: () => {}, warn: () => {} };
  const server = new A2AServer({ agents: [agentOf((task) => task.text)], store, log, ...more });
  onTestFinished(() => server.close());
  return server;
}

/** What nobody has caught; the test run itself does not hear of it. */
function unhandledRejections(): unknown[] {
  const reasons: unknown[] = [];
  const before = process.rawListeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => void reasons.push(reason));
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of before) process.on('unhandledRejection', listener as (reason: unknown) => void);
  });
  return reasons;
}

describe('server.open()', () => {
  it('rejects with what is wrong, and can be tried again', async () => {
    const { store, opened } = closedStore(1);
    const server = serverOn(store);
    await expect(server.open()).rejects.toBe(FAILURE);
    expect(await server.open()).toBe(server);
    await Promise.all([server.open(), server.open()]);
    expect(opened()).toBe(2);
    expect((await new RpcPeer(server.fetch).send('Ada')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('is begun by an adapter, for whom nobody waits: a failure is not handled', async () => {
    const reasons = unhandledRejections();
    a2aNode(serverOn(closedStore().store));
    await eventually(() => reasons).toEqual([FAILURE]);
  });

  it('is a failure of the process also while requests wait for it', async () => {
    const reasons = unhandledRejections();
    const server = serverOn(closedStore().store);
    const [response] = await Promise.all([new RpcPeer(server.fetch).request('SendMessage', sendParams('Ada'))]);
    expect(response.status).toBe(503);
    await eventually(() => reasons).toEqual([FAILURE]);
  });

  it('is told to whoever waits for it instead', async () => {
    const reasons = unhandledRejections();
    const server = serverOn(closedStore().store);
    a2aNode(server);
    await expect(server.open()).rejects.toBe(FAILURE);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(reasons).toEqual([]);
  });

  it('is not begun where nothing may be done before the first request', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
    onTestFinished(() => void vi.unstubAllGlobals());
    const random = vi.spyOn(crypto, 'getRandomValues');
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const { store, opened } = closedStore(0);
    const { fetch } = serverOn(store);
    expect([random.mock.calls.length, timer.mock.calls.length]).toEqual([0, 0]);
    vi.restoreAllMocks();
    await new Promise((resolve) => void setImmediate(resolve));
    expect(opened()).toBe(0);
    expect((await new RpcPeer(fetch).send('Ada')).status.state).toBe('TASK_STATE_COMPLETED');
    expect(opened()).toBe(1);
  });

  it('is waited for by a close', async () => {
    const gate = Promise.withResolvers<void>();
    const events: string[] = [];
    const store = storeWith(() => ({
      open: async () => {
        await gate.promise;
        events.push('opened');
      },
      close: () => void events.push('closed'),
    }));
    const server = serverOn(store);
    const opening = server.open();
    const closing = server.close();
    gate.resolve();
    await Promise.all([opening, closing]);
    expect(events).toEqual(['opened', 'closed']);
    await expect(serverOn(store).close()).resolves.toBeUndefined();
  });

  it('leaves nothing open where the recovery fails', async () => {
    const events: string[] = [];
    const store = storeWith(() => ({
      open: () => void events.push('opened'),
      abandoned: () => Promise.reject(FAILURE),
      close: () => void events.push('closed'),
    }));
    await expect(serverOn(store).open()).rejects.toBe(FAILURE);
    expect(events).toEqual(['opened', 'closed']);
  });
});

describe('a server that could not be opened', () => {
  it('answers 503 in the shape of the binding and the version, and does not say why', async () => {
    const server = serverOn(closedStore().store);
    await server.open().catch(() => undefined);
    const peer = new RpcPeer(server.fetch);
    const asked = await Promise.all([
      peer.request('SendMessage', sendParams('Ada')),
      peer.request('message/stream', {}, { 'a2a-version': '0.3' }),
      peer.raw('/a2a/tasks', { headers: { 'a2a-version': '1.0' } }),
      peer.raw('/a2a/v1/tasks/1'),
      peer.raw('/readyz'),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect(asked.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1', '1', '1']);
    const [v1, v03, rest, , readiness] = await Promise.all(asked.map((response): Wire => response.json()));
    expect(v1).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'The server is not ready' } });
    expect(v03).toMatchObject({ jsonrpc: '2.0', id: 2, error: { message: 'The server is not ready' } });
    expect(rest.error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
    expect(readiness).toMatchObject({ status: 503, detail: 'The server is not ready' });
    expect(JSON.stringify([v1, v03, rest, readiness])).not.toContain('secret');
  });

  it('still shows its cards and that it lives', async () => {
    const server = serverOn(closedStore().store);
    await server.open().catch(() => undefined);
    const peer = new RpcPeer(server.fetch);
    for (const path of ['/.well-known/agent-card.json', '/a2a/agents', '/a2a/agents/test', '/healthz', '/a2a/health']) {
      expect([path, (await peer.raw(path)).status]).toEqual([path, 200]);
    }
  });

  it('answers as soon as it can be', async () => {
    const server = serverOn(closedStore(1).store);
    await server.open().catch(() => undefined);
    expect((await new RpcPeer(server.fetch).send('Ada')).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('isServingProcess', () => {
  const node = { versions: { node: '24.0.0' }, env: {} };
  const withoutEnvironment = {
    versions: { node: '24.0.0', deno: '2.9.6' },
    get env(): never {
      throw new Error('Requires env access');
    },
  };

  it.each([
    ['Node', { process: node, navigator: { userAgent: 'Node.js/24' } }, true],
    ['Node without a navigator', { process: node }, true],
    ['Bun', { process: { versions: { node: '24.0.0', bun: '1.4.4' }, env: {} } }, true],
    ['Deno, which is not asked for its environment', { process: withoutEnvironment }, true],
    ['a Worker', { navigator: { userAgent: 'Cloudflare-Workers' } }, false],
    [
      'a Worker with the compatibility of Node',
      { process: node, navigator: { userAgent: 'Cloudflare-Workers' } },
      false,
    ],
    ['an edge function', { process: node, EdgeRuntime: 'edge-runtime' }, false],
    ['a build of Next', { process: { ...node, env: { NEXT_PHASE: 'phase-production-build' } } }, false],
    ['a browser', {}, false],
  ])('knows %s', (_, surroundings, expected) => {
    expect(isServingProcess(surroundings)).toBe(expected);
  });
});
