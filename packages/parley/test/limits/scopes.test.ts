import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { custom } from 'parley-a2a/auth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../support/manual-clock.ts';
import type { Wire } from '../support/rpc.ts';
import { agentOf, gate } from '../support/script.ts';

const LOG = { error: () => undefined, warn: () => undefined };

/** A server and requests of 1.0 to it; `init` may tell who asks. */
function start(options: Partial<A2AServerOptions>) {
  const clock = new ManualClock();
  const server = new A2AServer({
    agents: [agentOf(() => 'done')],
    clock,
    log: LOG,
    drainTimeout: 0,
    ...options,
  });
  onTestFinished(() => server.close());
  const ask = (
    path = '/a2a',
    init: { name?: string; parts?: number; address?: string; body?: unknown; version?: string } = {},
  ) => {
    const parts = Array.from({ length: init.parts ?? 1 }, () => ({ text: 'go' }));
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts };
    const body = init.body ?? { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    const headers = {
      'content-type': 'application/json',
      'a2a-version': init.version ?? '1.0',
      ...(init.name && { 'x-name': init.name }),
    };
    const request = new Request(`http://localhost${path}`, { method: 'POST', body: JSON.stringify(body), headers });
    return server.fetch(request, init.address === undefined ? undefined : { remoteAddr: { hostname: init.address } });
  };
  /** How many requests pass until one is refused; no more than ten. */
  const passing = async (...details: Parameters<typeof ask>) => {
    for (let count = 0; count < 10; count += 1) if ((await ask(...details)).status === 429) return count;
    return 10;
  };
  return { server, clock, ask, passing };
}

const named = custom(
  ({ headers }) => {
    const name = headers['x-name'];
    return typeof name === 'string' ? { subject: name, scopes: name === 'carol' ? ['bulk'] : [] } : undefined;
  },
  { scheme: { type: 'apiKey', in: 'header', name: 'x-name' } },
);
const rateOf = (requests: number) => ({ requests, window: 60_000 });

describe('the limits of a request are those', () => {
  it('of its caller before those of its mount, and these before those of the server', async () => {
    const { passing } = start({
      auth: named,
      mounts: [{ path: '/mounted', dialect: '1.0', limits: { rate: rateOf(3) } }],
      limits: {
        rate: rateOf(2),
        perCaller: ({ scopes }) => (scopes.includes('bulk') ? { rate: rateOf(5) } : undefined),
      },
    });
    expect(await passing('/a2a', { name: 'alice' })).toBe(2);
    expect(await passing('/a2a', { name: 'bob' })).toBe(2);
    // A mount with limits of its own counts for itself.
    expect(await passing('/mounted', { name: 'alice' })).toBe(3);
    expect(await passing('/a2a', { name: 'carol' })).toBe(5);
    expect(await passing('/mounted', { name: 'carol' })).toBe(5);
  });

  it('of the server at a mount that has none of its own, counted together', async () => {
    const mounts = [{ path: '/mounted', dialect: '1.0', limits: { parts: 5 } }];
    const { passing } = start({ mounts, limits: { rate: rateOf(3) } });
    expect(await passing('/a2a')).toBe(3);
    expect(await passing('/mounted')).toBe(0);
  });

  it('of its caller also for what it may say', async () => {
    const perCaller: NonNullable<A2AServerOptions['limits']>['perCaller'] = ({ scopes }) =>
      scopes.includes('bulk') ? { parts: 5 } : undefined;
    const { ask } = start({ auth: named, limits: { parts: 2, perCaller } });
    const told = async (name: string, parts: number) => (await (await ask('/a2a', { name, parts })).json()) as object;
    expect(await told('alice', 2)).toHaveProperty('result');
    expect(await told('alice', 3)).toHaveProperty('error.message', expect.stringContaining('at most 2'));
    expect(await told('carol', 5)).toHaveProperty('result');
    expect(await told('carol', 6)).toHaveProperty('error.message', expect.stringContaining('at most 5'));
  });

  it('of its caller where they are looked up first', async () => {
    const { ask, passing } = start({
      auth: named,
      limits: {
        rate: rateOf(2),
        async perCaller({ subject, scopes }) {
          await new Promise((resolve) => setImmediate(resolve));
          if (subject === 'dave') throw new Error('The table of limits is away');
          return scopes.includes('bulk') ? { rate: rateOf(5) } : undefined;
        },
      },
    });
    expect(await passing('/a2a', { name: 'alice' })).toBe(2);
    expect(await passing('/a2a', { name: 'carol' })).toBe(5);
    const failed = await ask('/a2a', { name: 'dave' });
    const body = await failed.text();
    expect((JSON.parse(body) as Wire).error.code).toBe(-32603);
    expect(body).not.toContain('away');
  });

  it('of its address where nobody says who calls', async () => {
    const { passing } = start({ limits: { rate: rateOf(2) } });
    expect(await passing('/a2a', { address: '192.0.2.1' })).toBe(2);
    expect(await passing('/a2a', { address: '2001:db8::1' })).toBe(2);
    expect(await passing('/a2a', { address: '2001:db8::2' })).toBe(0);
    expect(await passing('/a2a', { address: '2001:db8:0:1::2' })).toBe(2);
  });

  it('of the document at a mount of JAF, each replaced by a setting (S1.10)', async () => {
    const policyOf = async (options: Partial<A2AServerOptions>) => {
      const { ask } = start({ mounts: [{ path: '/jaf', dialect: 'jaf' }], ...options });
      const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'go' }] };
      const response = await ask('/jaf', {
        version: '0.3',
        body: { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } },
      });
      expect(await response.json()).toHaveProperty('result.kind', 'completion');
      return response.headers.get('ratelimit-policy');
    };
    expect(await policyOf({})).toBe('"burst";q=20;w=1, "requests";q=100;w=60');
    expect(await policyOf({ limits: { rate: rateOf(7) } })).toBe('"requests";q=7;w=60');
    const mounts = [{ path: '/jaf', dialect: 'jaf', limits: { rate: rateOf(9) } }];
    expect(await policyOf({ mounts, limits: { rate: rateOf(7) } })).toBe('"requests";q=9;w=60');
    expect(await policyOf({ mounts: [{ path: '/jaf', dialect: 'jaf', limits: { rate: false } }] })).toBe(null);
  });
});

describe('what is counted', () => {
  it('are operations, and neither cards nor health nor calls between agents', async () => {
    const called = agentOf(() => 'done', { name: 'called' });
    const calling = agentOf(
      async (task) => {
        await task.call(called, 'go');
        return 'called it';
      },
      { name: 'calling' },
    );
    const { server, ask, passing } = start({
      agents: [calling, called],
      clock: undefined,
      limits: { rate: rateOf(1) },
    });
    for (const path of ['/.well-known/agent-card.json', '/healthz', '/a2a/agents', '/a2a/agents/called']) {
      for (let count = 0; count < 3; count += 1) {
        const response = await server.fetch(new Request(`http://localhost${path}`));
        expect(response.status).toBe(200);
        expect(response.headers.has('ratelimit')).toBe(false);
      }
    }
    const first = await ask();
    expect(first.headers.get('ratelimit')).toContain('r=0');
    expect(JSON.stringify(await first.json())).toContain('called it');
    expect(await passing()).toBe(0);
  });

  it('is each operation of a batch', async () => {
    const { ask } = start({ jsonRpcBatches: true, limits: { rate: rateOf(3) } });
    const get = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'nobody' } };
    const response = await ask('/a2a', { body: Array.from({ length: 5 }, () => get) });
    const codes = ((await response.json()) as { error: { message: string } }[]).map(({ error }) => error.message);
    expect(codes.filter((message) => message.startsWith('Too many requests'))).toHaveLength(2);
    expect((await ask()).status).toBe(429);
  });

  it('is let go of when a client leaves, and when a request fails', async () => {
    const open = gate();
    const agent = agentOf(async function* () {
      yield 'at work';
      await open.promise;
    });
    const { server, ask } = start({ agents: [agent], limits: { requestsPerCaller: 1 } });
    const abort = new AbortController();
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
    const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
    const { signal } = abort;
    const waiting = server.fetch(new Request('http://localhost/a2a', { method: 'POST', body, headers, signal }));
    await expect.poll(async () => (await ask()).status).toBe(429);
    abort.abort();
    await waiting;
    for (const bad of ['{', { jsonrpc: '2.0', id: 1, method: 'Nothing' }]) {
      expect((await ask('/a2a', { body: bad })).status).toBe(200);
    }
    const answered = ask();
    open.resolve();
    expect((await answered).status).toBe(200);
  });

  it('is refused with the policy alone where the store cannot tell what is left without counting', async () => {
    const open = gate();
    const rateStore = { take: () => ({ exceeded: undefined, remaining: 4, reset: 1000 }) };
    const limits = { rate: rateOf(5), rateStore, requestsPerCaller: 1 };
    const { ask } = start({ agents: [agentOf(() => open.promise.then(() => 'done'))], limits });
    const first = ask();
    const { status, headers } = await ask();
    expect(status).toBe(429);
    expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual(['"requests";q=5;w=60', null]);
    open.resolve();
    expect((await first).headers.get('ratelimit')).toBe('"requests";r=4;t=1');
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no network'))],
    [
      'throws',
      () => {
        throw new Error('no network');
      },
    ],
  ])('passes where the store of the rates %s, which the log tells', async (_, take) => {
    const errors: string[] = [];
    const log = { error: (message: string) => void errors.push(message), warn: () => undefined };
    const rateStore = { take };
    const { ask } = start({ log, limits: { rate: rateOf(1), rateStore } });
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(errors).toEqual(Array(2).fill('The rate of a caller could not be counted; the request passes'));
  });

  it('is refused as usual where the store cannot tell what is left, which the log tells', async () => {
    const open = gate();
    const errors: string[] = [];
    const log = { error: (message: string) => void errors.push(message), warn: () => undefined };
    const rateStore = {
      take: () => ({ exceeded: undefined, remaining: 4, reset: 1000 }),
      look: () => {
        throw new Error('no network');
      },
    };
    const agents = [agentOf(() => open.promise.then(() => 'done'))];
    const { ask } = start({ agents, log, limits: { rate: rateOf(5), rateStore, requestsPerCaller: 1 } });
    const first = ask();
    expect((await ask()).status).toBe(429);
    expect(errors).toEqual(['The rate of a caller could not be read; the response does not tell it']);
    open.resolve();
    await first;
  });

  it.each([
    [{ rate: { requests: 0, window: 1000 } }, /limits\.rate\.requests must be a whole number above 0, not 0/],
    [{ rate: { requests: 1, window: 1000, burst: 1.5 } }, /limits\.rate\.burst must be a whole number/],
    [{ requestsPerCaller: -1 }, /limits\.requestsPerCaller must be a number that is not negative/],
  ])('is told where a setting makes no sense: %j', (limits, problem) => {
    expect(() => start({ limits })).toThrow(problem);
    expect(() => start({ mounts: [{ path: '/m', dialect: '1.0', limits }] })).toThrow(problem);
  });
});
