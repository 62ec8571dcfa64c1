import { A2AClient, A2AServer, type A2AServerOptions, isTask, textOf } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cardOfServer, signingServer, verifyOfficially } from '../cards/support/signed.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { authOf, memberProof } from './callers.ts';

const teller = agentOf((task) => `${task.user.subject || 'anybody'} of ${task.user.tenant || 'nobody'}`, {
  extendedCard: ({ tenant }) => ({ description: `For ${tenant || 'nobody'}` }),
});

const ANN = { name: 'ann', tenant: 'acme' };
const BOB = { name: 'bob', tenant: 'globex' };
const GATEWAY = { name: 'gateway', tenant: '' };
const STREET = 'Straße/1 & co';

async function serve(options: Partial<A2AServerOptions> = {}) {
  const server = new A2AServer({ agents: [teller], ...options });
  onTestFinished(() => server.close());
  await server.listen({ port: 0 });
  const url = server.url ?? '';
  const read = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(`${url}${path}`, { headers });
  return { url, read, peer: new RpcPeer(fetch, `${url}/a2a`) };
}

const cardOf = (tenant: string, agent = '') => `/a2a${agent}/${encodeURIComponent(tenant)}/.well-known/agent-card.json`;
const entries = (card: Wire): string[] =>
  card.supportedInterfaces.map((one: Wire) => `${one.protocolBinding} ${one.protocolVersion} ${one.tenant ?? '-'}`);

describe('the card of a tenant', () => {
  it.each(['acme', STREET])('%j is below its prefix, and names it in every interface', async (tenant) => {
    const { read, url } = await serve({ tenants: ['acme', STREET] });
    for (const agent of ['', '/agents/test']) {
      const card: Wire = await (await read(cardOf(tenant, agent))).json();
      expect(entries(card)).toEqual([`JSONRPC 1.0 ${tenant}`, `HTTP+JSON 1.0 ${tenant}`]);
      expect(card.supportedInterfaces[0].url).toBe(`${url}/a2a${agent}`);
    }
    const client = await A2AClient.connect(`${url}${cardOf(tenant)}`);
    const sent = await client.sendMessage('who?');
    expect(isTask(sent) && textOf(sent)).toBe(`anybody of ${tenant}`);
    const overRest = new A2AClient(`${url}${cardOf(tenant)}`, { prefer: { binding: 'HTTP+JSON' } });
    expect(await overRest.run('who?')).toBe(`anybody of ${tenant}`);
  });

  it('is found by the address of the tenant; for one that is not known the client has no other', async () => {
    const { url } = await serve({ tenants: ['acme'] });
    const client = await A2AClient.connect(`${url}/a2a/acme`);
    expect(client.interface?.tenant).toBe('acme');
    for (const target of [`${url}/a2a/nobody`, `${url}/a2a/agents/test/nobody`, `${url}/a2a/acme/nobody`]) {
      await expect(A2AClient.connect(target), target).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await A2AClient.connect(`${url}/a2a`)).interface?.tenant).toBeUndefined();
    const guarded = await serve({ auth: await authOf([ANN, BOB]), tenants: ['acme', 'globex'] });
    const headers = await memberProof(BOB, 'API key');
    await expect(A2AClient.connect(`${guarded.url}/a2a/acme`, { headers })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is not there for an unknown tenant, nor for a version that cannot name it', async () => {
    const { read } = await serve({ tenants: ['acme'] });
    for (const name of ['nobody', 'Acme', 'tasks', 'operator', 'agents', '%00', '..%2f']) {
      expect((await read(`/a2a/${name}/.well-known/agent-card.json`)).status, name).toBeGreaterThanOrEqual(400);
    }
    expect((await read(cardOf('acme'), { 'a2a-version': '0.3' })).status).toBe(404);
    expect((await read(cardOf('acme', '/agents/unknown'))).status).toBe(404);
  });

  it('is for callers of the tenant alone where callers are told apart; to others it is like one that never was', async () => {
    const { read } = await serve({ auth: await authOf([ANN, BOB, GATEWAY]), tenants: ['acme', 'globex'] });
    const [ann, bob, gateway] = await Promise.all([ANN, BOB, GATEWAY].map((one) => memberProof(one, 'API key')));
    const own = await read(cardOf('acme'), ann);
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, expect.stringContaining('private')]);
    expect(own.headers.get('vary')?.toLowerCase()).toContain('x-api-key');
    // 0.3 names no tenant, and its credentials need none.
    const tenants = ['JSONRPC 1.0 acme', 'HTTP+JSON 1.0 acme'];
    expect(entries(await own.json())).toEqual([...tenants, 'JSONRPC 0.3 -', 'HTTP+JSON 0.3 -']);
    expect(((await (await read(cardOf('acme'), { ...ann, 'a2a-version': '0.3' })).json()) as Wire).url).toContain(
      '/a2a',
    );
    expect(entries(await (await read(cardOf('acme'), gateway)).json())).toEqual(tenants);
    const seen = async (tenant: string, headers?: Record<string, string>) => {
      const response = await read(cardOf(tenant), headers);
      const { date: _, ...rest } = Object.fromEntries(response.headers);
      return [response.status, rest, await response.text()];
    };
    for (const headers of [undefined, bob as Record<string, string>]) {
      expect(await seen('acme', headers)).toEqual(await seen('nobody', headers));
    }
    expect((await read(cardOf('acme'))).status).toBe(401);
    expect((await read(cardOf('acme'), bob)).status).toBe(404);
  });

  it('is hidden from the public card where callers are told apart, and stands there where they are not', async () => {
    const path = '/.well-known/agent-card.json';
    const headers = { 'a2a-version': '1.0' };
    const open = await serve({ tenants: ['acme'] });
    expect(await (await open.read(path, headers)).text()).toContain('acme');
    const guarded = await serve({ auth: await authOf([ANN]), tenants: ['acme'] });
    expect(await (await guarded.read(path, headers)).text()).not.toContain('acme');
  });

  it('is signed like any other', async () => {
    const { peer, keys } = await signingServer({ tenants: ['acme'] });
    const card = await cardOfServer(peer, cardOf('acme'));
    expect(entries(card)).toEqual(['JSONRPC 1.0 acme', 'HTTP+JSON 1.0 acme']);
    await verifyOfficially(card, keys);
    await verifyOfficially(await cardOfServer(peer), keys);
  });

  it('that is extended is that of the tenant that the caller belongs to, or names', async () => {
    const { peer, read } = await serve({ auth: await authOf([ANN, BOB, GATEWAY]), tenants: ['acme', 'globex'] });
    const get = async (headers: Readonly<Record<string, string>>, params = {}) =>
      peer.respond('GetExtendedAgentCard', params, headers);
    const ann = await memberProof(ANN, 'token');
    const gateway = await memberProof(GATEWAY, 'API key');
    const own = (await get(ann)).result;
    expect([own.description, entries(own)[0]]).toEqual(['For acme', 'JSONRPC 1.0 acme']);
    const named = (await get(gateway, { tenant: 'globex' })).result;
    expect([named.description, entries(named)]).toEqual(['For globex', ['JSONRPC 1.0 globex', 'HTTP+JSON 1.0 globex']]);
    expect((await get(gateway)).result.description).toBe('For nobody');
    for (const tenant of ['globex', 'unknown']) {
      const { error } = await get(ann, { tenant });
      expect([error.code, error.message]).toEqual([-32001, 'Not found']);
      const overRest = await read(`/a2a/${tenant}/extendedAgentCard`, { 'a2a-version': '1.0', ...ann });
      expect(overRest.status).toBe(404);
    }
  });
});
