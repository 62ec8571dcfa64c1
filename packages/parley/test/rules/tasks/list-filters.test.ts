import { type A2AServerOptions, inputRequired, reject } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { settableClock } from '../../support/settable-clock.ts';

function start(options: Partial<A2AServerOptions> = {}) {
  const clock = settableClock('2026-03-01T12:00:00.000Z');
  const run = agentOf((task) => {
    if (task.text === 'reject') throw reject('No');
    return task.text === 'ask' ? inputRequired('Yes?') : task.text;
  });
  return { clock, ...startServer([run, agentOf((task) => task.text, { name: 'other' })], { clock, ...options }) };
}

const idsOf = (page: Wire): string[] => page.tasks.map((task: Wire) => task.id);

describe('filters', () => {
  it('select by context, state and time, all of them at once [rule:list.filters]', async () => {
    const { peer, clock } = start();
    const make = async (word: string, contextId: string): Promise<string> => {
      clock.time += 1000;
      return (await peer.send(word, { contextId })).id;
    };
    const oldAsk = await make('ask', 'c-1');
    const rejected = await make('reject', 'c-1');
    const newAsk = await make('ask', 'c-1');
    const otherAsk = await make('ask', 'c-2');
    const done = await make('done', 'c-2');
    const list = async (params: Wire) => idsOf(await peer.call('ListTasks', params));
    const ASK = 'TASK_STATE_INPUT_REQUIRED';
    const third = '2026-03-01T12:00:03.000Z';

    expect(await list({ contextId: 'c-1' })).toEqual([newAsk, rejected, oldAsk]);
    expect(await list({ status: ASK })).toEqual([otherAsk, newAsk, oldAsk]);
    expect(await list({ status: 'TASK_STATE_REJECTED' })).toEqual([rejected]);
    expect(await list({ statusTimestampAfter: third })).toEqual([done, otherAsk, newAsk]);
    expect(await list({ contextId: 'c-1', status: ASK })).toEqual([newAsk, oldAsk]);
    expect(await list({ contextId: 'c-1', statusTimestampAfter: third })).toEqual([newAsk]);
    expect(await list({ status: ASK, statusTimestampAfter: third })).toEqual([otherAsk, newAsk]);
    expect(await list({ contextId: 'c-2', status: ASK, statusTimestampAfter: third })).toEqual([otherAsk]);
    expect(await list({ contextId: 'c-2', status: 'TASK_STATE_WORKING' })).toEqual([]);
    expect(await list({ contextId: 'none' })).toEqual([]);
    expect((await peer.call('ListTasks', { status: ASK, contextId: 'c-1' })).totalSize).toBe(2);
  });

  it('take UNSPECIFIED and empty values for nothing [rule:list.filters]', async () => {
    const { peer } = start();
    const { id } = await peer.send('hello');
    for (const params of [{ status: 'TASK_STATE_UNSPECIFIED' }, { status: 0 }, { contextId: '' }, { pageToken: '' }]) {
      expect(idsOf(await peer.call('ListTasks', params)), JSON.stringify(params)).toEqual([id]);
    }
  });

  it.each<[string, Wire]>([
    ['status', 'TASK_STATE_PAUSED'],
    ['status', 'completed'],
    ['status', 99],
    ['statusTimestampAfter', 'yesterday'],
    ['statusTimestampAfter', '2026-02-30T00:00:00Z'],
    ['statusTimestampAfter', 1767225600000],
    ['contextId', 7],
  ])('refuse an unknown value of %s: %j [rule:list.filters]', async (field, value) => {
    const { peer } = start();
    const error = await peer.error('ListTasks', { [field]: value });
    expect([error.code, error.data[0].fieldViolations[0].field]).toEqual([-32602, field]);
  });

  it('include the very instant of statusTimestampAfter [rule:list.timestamp-inclusive]', async () => {
    const { peer, clock } = start();
    clock.time = Date.parse('2026-03-01T12:00:00.250Z');
    const task = await peer.send('hello');
    expect(task.status.timestamp).toBe('2026-03-01T12:00:00.250Z');
    const count = async (statusTimestampAfter: string) =>
      (await peer.call('ListTasks', { statusTimestampAfter })).tasks.length;
    expect(await count('2026-03-01T12:00:00.249Z')).toBe(1);
    expect(await count('2026-03-01T12:00:00.250Z')).toBe(1);
    expect(await count('2026-03-01T12:00:00.25Z')).toBe(1);
    expect(await count('2026-03-01T12:00:00Z')).toBe(1);
    expect(await count('2026-03-01T12:00:00.251Z')).toBe(0);
    expect(await count('2026-03-01T12:00:01Z')).toBe(0);
  });
});

describe('tokens', () => {
  async function withToken() {
    const started = start({ tenants: ['acme'] });
    for (const word of ['one', 'two', 'three']) await started.peer.send(word, { contextId: 'c-1' });
    const { nextPageToken } = await started.peer.call('ListTasks', { pageSize: 1, contextId: 'c-1' });
    expect(nextPageToken).not.toBe('');
    return { ...started, token: nextPageToken as string };
  }

  it('that are malformed are refused [rule:list.bad-token]', async () => {
    const { peer, token } = await withToken();
    const bad = [
      'garbage',
      '0',
      '1',
      'null',
      'W10',
      btoa('[1,2,3]'),
      btoa('{}'),
      '%%%',
      'ü',
      `x${token}`,
      `${token}${token}`,
    ];
    for (let length = 1; length < token.length; length += 1) bad.push(token.slice(0, length));
    for (const pageToken of bad) {
      const error = await peer.error('ListTasks', { pageSize: 1, contextId: 'c-1', pageToken });
      expect([error.code, error.data[0].fieldViolations[0].field], pageToken).toEqual([-32602, 'pageToken']);
    }
    expect((await peer.error('ListTasks', { pageToken: 5 })).code).toBe(-32602);
    expect((await peer.call('ListTasks', { contextId: 'c-1', pageToken: token })).tasks).toHaveLength(2);
  });

  it.each<[string, Wire]>([
    ['no filter', {}],
    ['another context', { contextId: 'c-2' }],
    ['a further filter', { contextId: 'c-1', status: 'TASK_STATE_COMPLETED' }],
    ['another time', { contextId: 'c-1', statusTimestampAfter: '2026-01-01T00:00:00Z' }],
    ['another tenant', { contextId: 'c-1', tenant: 'acme' }],
  ])('of another list are refused: %s [rule:list.bad-token]', async (_, params) => {
    const { peer, token } = await withToken();
    const error = await peer.error('ListTasks', { ...params, pageToken: token });
    expect([error.code, error.data[0].fieldViolations[0].field]).toEqual([-32602, 'pageToken']);
  });

  it('of another agent are refused [rule:list.bad-token]', async () => {
    const { peer, token } = await withToken();
    const params = { contextId: 'c-1', pageToken: token };
    expect((await peer.at('/a2a/agents/other').error('ListTasks', params)).code).toBe(-32602);
  });
});

describe('who may list', () => {
  it('sees only tasks of that agent and tenant, with and without filters [rule:list.scope]', async () => {
    const { peer } = start({ tenants: ['acme', 'globex'] });
    const inTenant = async (tenant: string) =>
      (
        await peer.call('SendMessage', {
          tenant,
          message: { messageId: 'm', role: 'ROLE_USER', contextId: 'c-1', parts: [{ text: 'x' }] },
        })
      ).task.id;
    const mine = (await peer.send('x', { contextId: 'c-1' })).id;
    const others = (await peer.at('/a2a/agents/other').send('x', { contextId: 'c-1' })).id;
    const acme = await inTenant('acme');
    const globex = await inTenant('globex');
    const filters = [
      {},
      { contextId: 'c-1' },
      { status: 'TASK_STATE_COMPLETED' },
      { statusTimestampAfter: '2020-01-01T00:00:00Z' },
    ];
    for (const filter of filters) {
      const list = async (at: string, tenant?: string) => {
        const page = await peer.at(at).call('ListTasks', tenant === undefined ? filter : { ...filter, tenant });
        expect(page.totalSize).toBe(1);
        return idsOf(page);
      };
      expect(await list('/a2a')).toEqual([mine]);
      expect(await list('/a2a/agents/other')).toEqual([others]);
      expect(await list('/a2a', 'acme')).toEqual([acme]);
      expect(await list('/a2a', 'globex')).toEqual([globex]);
    }
  });

  it.each([
    ['private', undefined],
    ['private', 'private' as const],
    ['shared', 'shared' as const],
  ])('is nobody without a name, unless anonymous is shared: %s for %s [rule:list.anonymous]', async (kind, anonymous) => {
    const { peer } = start({ anonymous });
    const { id } = await peer.send('hello');
    expect((await peer.call('GetTask', { id })).id).toBe(id);
    const response = await peer.request('ListTasks');
    expect(response.status).toBe(kind === 'shared' ? 200 : 403);
    const body: Wire = await response.json();
    if (kind === 'shared') expect(idsOf(body.result)).toEqual([id]);
    else expect(JSON.stringify(body)).not.toContain(id);
  });

  it('is anybody on a server that only this machine reaches [rule:list.anonymous]', async () => {
    const { peer, server } = start({ anonymous: undefined });
    expect((await peer.request('ListTasks')).status).toBe(403);
    await server.listen({ port: 0, host: '127.0.0.1' });
    expect((await new RpcPeer(fetch, `${server.url}/a2a`).request('ListTasks')).status).toBe(200);
  });
});
