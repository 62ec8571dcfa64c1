import { inputRequired } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type RpcPeer, sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

/** An agent that keeps asking and tells whose task it is. */
function start() {
  const agent = agentOf(async (task) => {
    await task.write(`${task.user.tenant || 'nobody'} said ${task.text}`);
    return task.text === 'done' ? undefined : inputRequired('And now?');
  });
  return startServer(agent, { tenants: ['acme', 'globex', 'Straße/1 & co'] });
}

const inTenant = (tenant: string, params: Wire): Wire => (tenant === '' ? params : { ...params, tenant });

async function send(peer: RpcPeer, tenant: string, text: string, message: Wire = {}): Promise<Wire> {
  return (await peer.call('SendMessage', inTenant(tenant, sendParams(text, message)))).task;
}

const idsOf = (page: Wire): string[] => page.tasks.map((task: Wire) => task.id);

describe('a tenant', () => {
  it.each([
    ['acme', 'globex'],
    ['acme', ''],
    ['', 'acme'],
    ['globex', 'Straße/1 & co'],
  ])('does not see tasks of another: those of %j from %j [rule:tenant.isolated]', async (owner, other) => {
    const { peer } = start();
    const task = await send(peer, owner, 'hello');
    expect(task.artifacts[0].parts).toEqual([{ text: `${owner || 'nobody'} said hello` }]);
    const foreign: [string, Wire][] = [
      ['GetTask', { id: task.id }],
      ['CancelTask', { id: task.id }],
      ['SubscribeToTask', { id: task.id }],
      ['SendMessage', sendParams('let me in', { taskId: task.id })],
      ['SendStreamingMessage', sendParams('let me in', { taskId: task.id })],
      ['SendMessage', sendParams('let me in', { taskId: task.id, contextId: task.contextId })],
    ];
    for (const [method, params] of foreign) {
      const error = await peer.error(method, inTenant(other, params));
      expect([error.code, error.data[0].reason], method).toEqual([-32001, 'TASK_NOT_FOUND']);
    }
    for (const filter of [{}, { contextId: task.contextId }, { status: 'TASK_STATE_INPUT_REQUIRED' }]) {
      const page = await peer.call('ListTasks', inTenant(other, filter));
      expect([page.tasks, page.totalSize]).toEqual([[], 0]);
    }
    expect(await peer.call('GetTask', inTenant(owner, { id: task.id }))).toEqual(task);
    expect(idsOf(await peer.call('ListTasks', inTenant(owner, {})))).toEqual([task.id]);
  });

  it('resumes no stream of another [rule:tenant.isolated]', async () => {
    const { peer } = start();
    const { id } = await send(peer, 'acme', 'done');
    for (const position of ['0', '1', '999']) {
      const error = await peer.error('SubscribeToTask', { id, tenant: 'globex' }, { 'last-event-id': position });
      expect(error.code).toBe(-32001);
    }
    const replay = await peer.stream('SubscribeToTask', { id, tenant: 'acme' }, { 'last-event-id': '2' });
    expect(replay.length).toBeGreaterThan(0);
  });

  it('has contexts of its own, also where their ids are the same [rule:tenant.isolated]', async () => {
    const { peer } = start();
    const acme = await send(peer, 'acme', 'hello', { contextId: 'c-1' });
    const globex = await send(peer, 'globex', 'hello', { contextId: 'c-1' });
    const nobody = await send(peer, '', 'hello', { contextId: 'c-1' });
    for (const [tenant, task] of [
      ['acme', acme],
      ['globex', globex],
      ['', nobody],
    ] as const) {
      expect(task.contextId).toBe('c-1');
      expect(task.history).toHaveLength(1);
      expect(idsOf(await peer.call('ListTasks', inTenant(tenant, { contextId: 'c-1' })))).toEqual([task.id]);
    }
  });

  it('has idempotency keys of its own [rule:tenant.isolated]', async () => {
    const { peer } = start();
    const key = { 'idempotency-key': 'k-1' };
    const message = { messageId: 'm-1' };
    const ids = new Set<string>();
    for (const tenant of ['acme', 'globex', '']) {
      const params = inTenant(tenant, sendParams('hello', message));
      const { task } = await peer.call('SendMessage', params, key);
      expect(task.artifacts[0].parts).toEqual([{ text: `${tenant || 'nobody'} said hello` }]);
      expect((await peer.call('SendMessage', params, key)).task.id).toBe(task.id);
      ids.add(task.id);
    }
    expect(ids.size).toBe(3);
    const different = { tenant: 'acme', ...sendParams('something else', message) };
    expect((await peer.error('SendMessage', different, key)).code).toBe(-32602);
  });

  it('goes on with its own task, and its name is taken literally [rule:tenant.isolated]', async () => {
    const { peer } = start();
    for (const tenant of ['acme', 'Straße/1 & co']) {
      const { id } = await send(peer, tenant, 'hello');
      const follow = await send(peer, tenant, 'done', { taskId: id });
      expect([follow.id, follow.status.state]).toEqual([id, 'TASK_STATE_COMPLETED']);
    }
    const { id } = await send(peer, 'acme', 'hello');
    for (const tenant of ['Acme', ' acme', 'acme ', 'acme/']) {
      expect((await peer.error('GetTask', { id, tenant })).code, tenant).toBe(-32001);
    }
  });

  it('stands on the card with an interface of its own [rule:tenant.isolated]', async () => {
    const { peer } = start();
    const card: Wire = await (
      await peer.raw('/.well-known/agent-card.json', { headers: { 'a2a-version': '1.0' } })
    ).json();
    const tenants = new Set(card.supportedInterfaces.map((entry: Wire) => entry.tenant));
    expect([...tenants]).toEqual([undefined, 'acme', 'globex', 'Straße/1 & co']);
  });
});

describe('an unknown tenant', () => {
  const calls: [string, Wire][] = [
    ['SendMessage', sendParams('hello')],
    ['SendStreamingMessage', sendParams('hello')],
    ['SendMessage', sendParams('hello', { taskId: 'unknown' })],
    ['GetTask', { id: 'unknown' }],
    ['ListTasks', {}],
    ['CancelTask', { id: 'unknown' }],
    ['SubscribeToTask', { id: 'unknown' }],
  ];

  it.each(calls)('is not found: %s [rule:tenant.unknown]', async (method, params) => {
    let runs = 0;
    const { peer } = startServer(
      agentOf(() => {
        runs += 1;
      }),
      { tenants: ['secret-customer'] },
    );
    const response = await peer.request(method, { ...params, tenant: 'nobody' });
    const { error }: Wire = await response.json();
    expect([error.code, error.data[0].reason]).toEqual([-32001, 'TASK_NOT_FOUND']);
    expect(JSON.stringify(error)).not.toContain('secret-customer');
    expect(runs).toBe(0);
  });

  it('is not found where the server has no tenants at all [rule:tenant.unknown]', async () => {
    const { peer } = startServer(agentOf((task) => task.text));
    expect((await peer.error('SendMessage', { ...sendParams('hello'), tenant: 'acme' })).code).toBe(-32001);
    expect((await peer.call('SendMessage', { ...sendParams('hello'), tenant: '' })).task.status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });

  it('is not found where a function says so [rule:tenant.unknown]', async () => {
    const { peer } = startServer(
      agentOf((task) => task.text),
      { tenants: (tenant) => tenant.startsWith('team-') },
    );
    expect((await peer.error('SendMessage', { ...sendParams('hello'), tenant: 'acme' })).code).toBe(-32001);
    expect((await send(peer, 'team-1', 'hello')).status.state).toBe('TASK_STATE_COMPLETED');
  });

  it.each([
    'GetTask',
    'CancelTask',
    'SubscribeToTask',
  ])('cannot be told from a known one by asking for a task: %s [rule:tenant.unknown]', async (method) => {
    const { peer } = start();
    const known = await peer.error(method, { id: 'unknown', tenant: 'acme' });
    const unknown = await peer.error(method, { id: 'unknown', tenant: 'nobody' });
    expect(unknown).toEqual(known);
  });

  it.each([
    'ListTasks',
    'GetExtendedAgentCard',
  ])('cannot be told from a known one by someone who may not ask anyway: %s [rule:tenant.unknown]', async (method) => {
    const agent = agentOf((task) => task.text, { extendedCard: { description: 'More' } });
    const { peer } = startServer(agent, { tenants: ['acme'], anonymous: 'private' });
    const known = await peer.request(method, { tenant: 'acme' });
    const unknown = await peer.request(method, { tenant: 'nobody' });
    expect(unknown.status).toBe(known.status);
    expect(((await unknown.json()) as Wire).error).toEqual(((await known.json()) as Wire).error);
  });
});
