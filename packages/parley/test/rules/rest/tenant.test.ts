import { A2AServer, inputRequired, memory } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type RestPeer, reasonOf, startRest } from '../../support/rest.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

const STREET = 'Straße/1 & co';
const TENANTS = ['acme', 'globex', STREET, 'a:b', '100%', 'x+y z'];

/** An agent that keeps asking and tells whose task it is. */
const agent = agentOf(async (task) => {
  await task.write(`${task.user.tenant || 'nobody'} said ${task.text}`);
  return task.text === 'done' ? undefined : inputRequired('And now?');
});
const start = () => startRest(agent, { tenants: TENANTS });

const below = (tenant: string) => `/${encodeURIComponent(tenant)}`;
const textOf = (task: Wire): string => task.artifacts[0].parts[0].text;
const sendTo = async (rest: RestPeer, route: string, body: Wire): Promise<Wire> =>
  (await rest.call('POST', route, body)).task;

describe('a tenant in the path', () => {
  it.each(TENANTS)('%j has all routes below it [rule:tenant.rest-prefix] [rule:tenant.isolated]', async (tenant) => {
    const { rest } = start();
    const prefix = below(tenant);
    const task = await sendTo(rest, `${prefix}/message:send`, sendParams('hello'));
    expect(textOf(task)).toBe(`${tenant} said hello`);
    expect(await rest.call('GET', `${prefix}/tasks/${task.id}`)).toEqual(task);
    expect((await rest.call('GET', `${prefix}/tasks`)).totalSize).toBe(1);
    const subscribed = await rest.open('GET', `${prefix}/tasks/${task.id}:subscribe`);
    const posted = await rest.open('POST', `${prefix}/tasks/${task.id}:subscribe`);
    for (const stream of [subscribed, posted]) expect((await stream.next())?.result.task).toEqual(task);
    const follow = sendParams('done', { taskId: task.id });
    const frames = await rest.stream('POST', `${prefix}/message:stream`, follow);
    expect(frames.at(-1)?.result.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED');
    expect(await subscribed.rest()).toEqual(await posted.rest());
    const other = await sendTo(rest, `${prefix}/message:send`, sendParams('hello'));
    expect((await rest.call('POST', `${prefix}/tasks/${other.id}:cancel`)).status.state).toBe('TASK_STATE_CANCELED');
    const configs = `${prefix}/tasks/${task.id}/pushNotificationConfigs`;
    const config = await rest.call('POST', configs, { id: 'cfg-1', url: 'https://hooks.example/1' });
    expect(await rest.call('GET', configs)).toEqual({ configs: [config] });
    expect(await rest.call('GET', `${configs}/cfg-1`)).toEqual(config);
    expect(await rest.call('DELETE', `${configs}/cfg-1`)).toEqual({});
    expect(reasonOf((await rest.error('GET', `${prefix}/extendedAgentCard`)).error)).toBe('UNSUPPORTED_OPERATION');
  });

  it('sees nothing of another, nor of those without one [rule:tenant.isolated]', async () => {
    const { rest } = start();
    const { id } = await sendTo(rest, '/acme/message:send', sendParams('hello'));
    for (const prefix of ['', '/globex', below(STREET)]) {
      for (const [verb, route, body] of [
        ['GET', `/tasks/${id}`, undefined],
        ['POST', `/tasks/${id}:cancel`, undefined],
        ['GET', `/tasks/${id}:subscribe`, undefined],
        ['POST', '/message:send', sendParams('let me in', { taskId: id })],
      ] as const) {
        const { status, error } = await rest.error(verb, `${prefix}${route}`, body);
        expect([status, reasonOf(error)], `${prefix}${route}`).toEqual([404, 'TASK_NOT_FOUND']);
      }
      expect((await rest.call('GET', `${prefix}/tasks`)).totalSize).toBe(0);
    }
  });

  it('is the same as in the field of JSON-RPC, and as on the card [rule:tenant.rest-prefix]', async () => {
    const { rest, peer } = start();
    for (const tenant of TENANTS) {
      const task = await sendTo(rest, `${below(tenant)}/message:send`, sendParams('hello'));
      expect(await peer.call('GetTask', { id: task.id, tenant })).toEqual(task);
    }
    const headers = { 'a2a-version': '1.0' };
    const card: Wire = await (await peer.raw('/.well-known/agent-card.json', { headers })).json();
    const listed = card.supportedInterfaces.filter((entry: Wire) => entry.protocolBinding === 'HTTP+JSON');
    expect(listed.map((entry: Wire) => entry.tenant)).toEqual(expect.arrayContaining(TENANTS));
  });

  it.each([
    'nobody',
    'Acme',
    'acme%20',
    '%61cme%2F',
  ])('%s that is not known is not found, like a task [rule:tenant.unknown]', async (tenant) => {
    const { rest } = start();
    const { id } = await rest.send('hello');
    const known = await rest.error('GET', '/acme/tasks/unknown');
    const unknown = await rest.error('GET', `/${tenant}/tasks/unknown`);
    expect([unknown.status, unknown.error]).toEqual([known.status, known.error]);
    for (const [verb, route, body] of [
      ['POST', '/message:send', sendParams('hello')],
      ['POST', '/message:stream', sendParams('hello')],
      ['GET', '/tasks', undefined],
      ['GET', `/tasks/${id}`, undefined],
      ['POST', `/tasks/${id}:cancel`, undefined],
    ] as const) {
      const { status, error } = await rest.error(verb, `/${tenant}${route}`, body);
      expect([status, reasonOf(error)], route).toEqual([404, 'TASK_NOT_FOUND']);
      expect(JSON.stringify(error)).not.toContain('globex');
    }
  });
});

describe('a tenant without a prefix', () => {
  it('may be in the body of a POST [rule:tenant.rest-field]', async () => {
    const { rest } = start();
    for (const tenant of TENANTS) {
      const task = await sendTo(rest, '/message:send', { ...sendParams('hello'), tenant });
      expect(textOf(task)).toBe(`${tenant} said hello`);
      const stream = await rest.open('POST', `/tasks/${task.id}:subscribe`, { tenant });
      expect((await stream.next())?.result.task).toEqual(task);
      await stream.close();
      expect((await rest.call('POST', `/tasks/${task.id}:cancel`, { tenant })).id).toBe(task.id);
    }
  });

  it('may be in the query of every route [rule:tenant.rest-field]', async () => {
    const { rest } = start();
    for (const tenant of TENANTS) {
      const query = `?tenant=${encodeURIComponent(tenant)}`;
      const task = await sendTo(rest, `/message:send${query}`, sendParams('hello'));
      expect(textOf(task)).toBe(`${tenant} said hello`);
      expect(await rest.call('GET', `/tasks/${task.id}${query}`)).toEqual(task);
      expect((await rest.call('GET', `/tasks${query}`)).tasks[0].id).toBe(task.id);
      const stream = await rest.open('GET', `/tasks/${task.id}:subscribe${query}`);
      await stream.close();
      expect((await rest.error('POST', `/tasks/${task.id}:cancel`)).status).toBe(404);
      expect((await rest.call('POST', `/tasks/${task.id}:cancel${query}`)).id).toBe(task.id);
    }
  });

  it('loses to the one in the path [rule:tenant.rest-field]', async () => {
    const { rest } = start();
    const body = { ...sendParams('hello'), tenant: 'globex' };
    const task = await sendTo(rest, '/acme/message:send?tenant=globex', body);
    expect(textOf(task)).toBe('acme said hello');
    expect(await rest.call('GET', `/acme/tasks/${task.id}?tenant=globex`)).toEqual(task);
    expect((await rest.error('GET', `/globex/tasks/${task.id}?tenant=acme`)).status).toBe(404);
  });
});

describe('a fixed route', () => {
  const FIXED = [
    'tasks',
    'message:send',
    'message:stream',
    'extendedAgentCard',
    'v1',
    'agents',
    'health',
    '.well-known',
  ];

  it('wins over a tenant of that name: tasks/tasks is a task [rule:tenant.fixed-routes]', async () => {
    const { rest } = startRest(agent, { tenants: () => true });
    const { status, error } = await rest.error('GET', '/tasks/tasks');
    expect([status, reasonOf(error), error.details[0].metadata.taskId]).toEqual([404, 'TASK_NOT_FOUND', 'tasks']);
    expect((await rest.raw('/health')).status).toBe(200);
    expect((await rest.error('GET', '/tasks/message:send')).error.details[0].metadata.taskId).toBe('message:send');
  });

  it.each(FIXED)('is no tenant, encoded or not: %s [rule:tenant.fixed-routes]', async (name) => {
    const { rest } = startRest(agent, { tenants: () => true });
    const everyLetter = Array.from(Buffer.from(name), (letter) => `%${letter.toString(16)}`).join('');
    for (const prefix of [name, encodeURIComponent(name), everyLetter]) {
      // Clients resolve a path that begins with a dot by themselves.
      if (name.startsWith('.') && prefix !== name) continue;
      for (const [verb, route] of [
        ['POST', '/message:send'],
        ['GET', '/extendedAgentCard'],
      ] as const) {
        const body = verb === 'POST' ? sendParams('hello') : undefined;
        const response = await rest.request(verb, `/${prefix}${route}`, body);
        expect([404, 405], `${verb} /${prefix}${route}`).toContain(response.status);
      }
    }
    expect((await rest.call('GET', '/tasks')).totalSize).toBe(0);
  });

  it.each(FIXED)('cannot be named as a tenant anywhere: %s [rule:tenant.fixed-routes]', async (name) => {
    const { rest, peer } = startRest(agent, { tenants: () => true });
    const named = await rest.error('POST', '/message:send', { ...sendParams('hello'), tenant: name });
    expect([named.status, reasonOf(named.error)]).toEqual([404, 'TASK_NOT_FOUND']);
    expect((await peer.error('SendMessage', { ...sendParams('hello'), tenant: name })).code).toBe(-32001);
    const make = () => new A2AServer({ agents: [agent], store: memory(), tenants: ['acme', name] });
    expect(make).toThrow(name);
  });
});
