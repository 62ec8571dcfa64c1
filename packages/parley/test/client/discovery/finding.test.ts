import { A2AClient } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type Answer, cardOf, fetchOf, jsonOf } from '../support/recorded.ts';
import { settableTiming } from '../support/settable-timing.ts';

const ADDRESS = 'https://agent.example';
const V03_CARD = { name: 'Old', url: `${ADDRESS}/a2a`, protocolVersion: '0.3.0', capabilities: {}, skills: [] };
const V03_TASK = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };

/** A server of 0.3 whose card is at the oldest place only, as seed S3 has it. */
function oldServer(elsewhere: () => Response, card: object = V03_CARD): Answer {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/.well-known/agent.json') return jsonOf(card);
    if (pathname !== '/a2a') return elsewhere();
    const { id, method } = (await request.json()) as { id: number; method: string };
    const unknown = { code: -32601, message: 'Method not found' };
    return jsonOf({ jsonrpc: '2.0', id, ...(method === 'tasks/get' ? { result: V03_TASK } : { error: unknown }) });
  };
}

describe('a card in an older place', () => {
  it.for([
    ['answers with some JSON', () => jsonOf({ error: 'not found' })],
    ['answers with a list', () => jsonOf([])],
    ['wants to know who calls (401)', () => jsonOf({}, {}, 401)],
    ['refuses (403)', () => jsonOf({}, {}, 403)],
  ] as const)('is found where the newer place %s (S3.6)', async ([, elsewhere]) => {
    const { fetch } = fetchOf(oldServer(elsewhere));
    const agent = await A2AClient.connect(ADDRESS, { fetch });
    expect(agent.card?.name).toBe('Old');
  });

  it('that is nowhere leaves the first refusal', async () => {
    const { fetch } = fetchOf(() => jsonOf({}, {}, 401));
    await expect(A2AClient.connect(ADDRESS, { fetch })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      httpStatus: 401,
    });
  });
});

describe('rpcPath', () => {
  it('is spoken to in the version of a card without JSON-RPC (S3.6)', async () => {
    const card = { ...V03_CARD, url: `${ADDRESS}/rest`, preferredTransport: 'HTTP+JSON' };
    const { fetch, sent } = fetchOf(oldServer(() => jsonOf({}, {}, 404), card));
    const agent = new A2AClient(ADDRESS, { fetch, rpcPath: '/a2a' });
    await expect(agent.getTask('t')).resolves.toMatchObject({ id: 't' });
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(agent.interface?.protocolVersion).toBe('0.3');
  });

  it('is tried in both versions where the card names no interface (S3.6)', async () => {
    const { url: _, protocolVersion: __, ...card } = V03_CARD;
    const { fetch } = fetchOf(oldServer(() => jsonOf({}, {}, 404), card));
    const agent = new A2AClient(ADDRESS, { fetch, rpcPath: '/a2a' });
    await expect(agent.getTask('t')).resolves.toMatchObject({ id: 't' });
    expect(agent.card?.name).toBe('Old');
    expect(agent.interface).toMatchObject({ url: `${ADDRESS}/a2a`, protocolVersion: '0.3' });
  });

  it('is understood by all calls that are under way when one finds out the version (S3.6)', async () => {
    const { fetch: answer } = fetchOf(oldServer(() => jsonOf({}, {}, 404), {}));
    let refusals = 0;
    const send: typeof fetch = async (input, init) => {
      const response = await answer(input, init);
      const isRefused = typeof init?.body === 'string' && init.body.includes('GetTask');
      if (!isRefused) return response;
      // The second refusal comes when the first call has long got its answer.
      refusals += 1;
      if (refusals > 1) await new Promise((resolve) => setTimeout(resolve, 50));
      return response;
    };
    const agent = new A2AClient(ADDRESS, { fetch: send, rpcPath: '/a2a' });
    const tasks = await Promise.all([agent.getTask('t'), agent.getTask('t')]);
    expect(tasks.map(({ id }) => id)).toEqual(['t', 't']);
  });
});

it('asks for the card again when its interface is not there any more', async () => {
  let path = '/one';
  const { fetch, sent } = fetchOf(async (request) => {
    const { pathname } = new URL(request.url);
    const entry = { url: ADDRESS + path, protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    if (pathname.startsWith('/.well-known/')) return jsonOf(cardOf({ supportedInterfaces: [entry] }));
    if (pathname !== path) return new Response('<h1>Not found</h1>', { status: 404 });
    const { id } = (await request.json()) as { id: number };
    return jsonOf({ jsonrpc: '2.0', id, result: { id: 't', status: { state: 'TASK_STATE_COMPLETED' } } });
  });
  const timing = settableTiming();
  const agent = await A2AClient.connect(ADDRESS, { fetch, timing });
  await agent.getTask('t');
  path = '/two';
  timing.time += 61_000;
  await expect(agent.getTask('t')).rejects.toMatchObject({ httpStatus: 404 });
  await expect(agent.getTask('t')).resolves.toMatchObject({ id: 't' });
  expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(2);
});

it('tries each interface once for each call, however many fail at once [rule:card.client-fallback]', async () => {
  const hosts = ['one', 'two', 'three'];
  const supportedInterfaces = hosts.map((host) => ({
    url: `https://${host}.example/rpc`,
    protocolBinding: 'JSONRPC',
    protocolVersion: '1.0',
  }));
  let requests = 0;
  const { fetch: answer } = fetchOf(() => jsonOf(cardOf({ supportedInterfaces })));
  const send: typeof fetch = async (input, init) => {
    if (new Request(input).url.includes('/.well-known/')) return answer(input, init);
    requests += 1;
    await new Promise((resolve) => setTimeout(resolve, requests % 7));
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
  };
  const agent = await A2AClient.connect(ADDRESS, { fetch: send, retry: false });
  const calls = await Promise.allSettled(Array.from({ length: 40 }, () => agent.getTask('t')));
  expect(calls.every(({ status }) => status === 'rejected')).toBe(true);
  expect(requests).toBeLessThanOrEqual(40 * hosts.length);
});
