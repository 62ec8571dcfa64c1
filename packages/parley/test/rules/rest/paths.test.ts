import type { A2AServerOptions } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { reasonOf, startRest } from '../../support/rest.ts';
import type { Wire } from '../../support/rpc.ts';
import { agentOf, hang } from '../../support/script.ts';

/** Echoes, or works without an end. */
const start = (options: Partial<A2AServerOptions> = {}) =>
  startRest(
    agentOf((task) => (task.text === 'work' ? hang(task) : task.text)),
    options,
  );

describe('a task id in the path', () => {
  const IDS = ['a:b', 'a:cancel', 'x:subscribe', 'a/b', 'a b', '100%', 'ü', 'a?b#c', 'tasks', 'a%3Ab', '+', 'q:'];

  it.each(IDS)('%j is found when it is percent-encoded [rule:rest.actions]', async (id) => {
    let made = 0;
    const { rest } = start({ newId: () => (made++ === 0 ? 'node' : id) });
    const sent = await rest.send('work', {}, { returnImmediately: true });
    expect(sent.id).toBe(id);
    const encoded = encodeURIComponent(id);
    // An encoded colon before an action counts as its colon.
    if (!/%3A(cancel|subscribe)$/.test(encoded)) expect((await rest.call('GET', `/tasks/${encoded}`)).id).toBe(id);
    const stream = await rest.open('GET', `/tasks/${encoded}:subscribe`);
    expect((await stream.next())?.result.task.id).toBe(id);
    await stream.close();
    const canceled = await rest.call('POST', `/tasks/${encoded}:cancel`);
    expect([canceled.id, canceled.status.state]).toEqual([id, 'TASK_STATE_CANCELED']);
  });

  it('may be followed by an encoded colon and the action [rule:rest.actions]', async () => {
    const { rest } = start();
    for (const colon of ['%3A', '%3a', ':']) {
      const { id } = await rest.send('work', {}, { returnImmediately: true });
      const stream = await rest.open('GET', `/tasks/${id}${colon}subscribe`);
      expect((await stream.next())?.result.task.id).toBe(id);
      await stream.close();
      expect((await rest.call('POST', `/tasks/${id}${colon}cancel`)).status.state).toBe('TASK_STATE_CANCELED');
    }
  });

  it('ends at the last colon: another action is part of it [rule:rest.actions]', async () => {
    const { rest } = start();
    const { id } = await rest.send('hello');
    const actions = ['archive', 'Cancel', 'CANCEL', 'Subscribe', 'cancel ', 'cancel2', ''];
    for (const action of actions) {
      const route = `/tasks/${id}:${encodeURIComponent(action)}`;
      const { status, error } = await rest.error('GET', route);
      expect([status, reasonOf(error)], route).toEqual([404, 'TASK_NOT_FOUND']);
      expect(error.details[0].metadata.taskId, route).toBe(`${id}:${action}`);
      expect((await rest.error('POST', route)).status, route).toBe(405);
    }
    expect((await rest.error('GET', `/tasks/${id}:archive:subscribe`)).error.details[0].metadata.taskId).toBe(
      `${id}:archive`,
    );
  });

  it('is not the action alone [rule:rest.actions]', async () => {
    const { rest } = start();
    for (const route of ['/tasks/:cancel', '/tasks/:subscribe']) {
      const response = await rest.request('POST', route);
      expect([404, 405], route).toContain(response.status);
      expect(((await response.json()) as Wire).error.code).toBe(response.status);
    }
  });

  it('that cannot be decoded is an unknown one [rule:rest.actions]', async () => {
    const { rest } = start();
    for (const id of ['%', '%zz', '%E0%A4%A', '%C3']) {
      const { status, error } = await rest.error('GET', `/tasks/${id}`);
      expect([status, reasonOf(error)], id).toEqual([404, 'TASK_NOT_FOUND']);
    }
  });
});

describe('an unknown route', () => {
  const UNKNOWN = [
    '/nothing',
    '/message',
    '/message:sends',
    '/message:send/more',
    '/Message:send',
    '/message:SEND',
    '/task',
    '/tasks/t-1/pushNotificationConfig',
    '/tasks/t-1/pushNotificationConfigs/cfg-1/more',
    '/tasks/t-1/artifacts',
    '/tasks//pushNotificationConfigs',
    '/extendedAgentCard/more',
    '/card',
    '/v1/tasks',
    '/v1/message:send',
    '/acme/nothing',
    '/acme/acme/tasks',
    '//tasks',
    '/__proto__',
    '/constructor',
    '/%',
  ];

  it.each(UNKNOWN)('%s is 404 with the error body [rule:rest.unknown-route] [rule:rest.error-body]', async (route) => {
    const { rest } = start({ tenants: () => true });
    for (const verb of ['GET', 'POST', 'DELETE', 'PUT']) {
      const { status, headers, error } = await rest.error(verb, route, verb === 'POST' ? {} : undefined);
      expect(status, verb).toBe(404);
      expect(headers.get('content-type')).toBe('application/json');
      expect(error).toMatchObject({ code: 404, status: 'UNIMPLEMENTED', message: expect.stringMatching(/\S/) });
      expect(error.details).toBeInstanceOf(Array);
    }
  });

  it('of an agent that is not there is 404 with the error body [rule:rest.unknown-route] [rule:rest.error-body]', async () => {
    const { rest } = start();
    const { status, error } = await rest.at('/a2a/agents/nobody').error('GET', '/tasks');
    expect(status).toBe(404);
    expect(error).toMatchObject({ code: 404, status: 'NOT_FOUND', details: expect.any(Array) });
  });
});

describe('a wrong verb', () => {
  const WRONG: readonly (readonly [string, string, string])[] = [
    ['GET', '/message:send', 'POST'],
    ['HEAD', '/message:stream', 'POST'],
    ['DELETE', '/message:stream', 'POST'],
    ['POST', '/tasks', 'GET, HEAD'],
    ['POST', '/tasks/t-1', 'GET, HEAD'],
    ['DELETE', '/tasks/t-1', 'GET, HEAD'],
    ['GET', '/tasks/t-1:cancel', 'POST'],
    ['HEAD', '/tasks/t-1:cancel', 'POST'],
    ['PUT', '/tasks/t-1:subscribe', 'POST, GET, HEAD'],
    ['PATCH', '/tasks/t-1/pushNotificationConfigs', 'POST, GET, HEAD'],
    ['POST', '/tasks/t-1/pushNotificationConfigs/cfg-1', 'GET, HEAD, DELETE'],
    ['PUT', '/extendedAgentCard', 'GET, HEAD'],
    ['POST', '/acme/extendedAgentCard', 'GET, HEAD'],
    ['get', '/message:send', 'POST'],
    ['constructor', '/tasks', 'GET, HEAD'],
    ['toString', '/message:send', 'POST'],
  ];

  it.each(
    WRONG,
  )('%s %s is 405 and names the right ones [rule:rest.unknown-route] [rule:rest.error-body]', async (verb, route, allow) => {
    const { rest } = start();
    const response = await rest.request(verb, route, verb === 'POST' ? {} : undefined);
    expect(response.status).toBe(405);
    const listed = response.headers.get('allow')?.split(/, */);
    expect(listed?.sort()).toEqual(allow.split(', ').sort());
    const text = await response.text();
    if (verb === 'HEAD') {
      expect(text).toBe('');
      return;
    }
    const { error }: Wire = JSON.parse(text);
    expect(error).toMatchObject({ code: 405, status: 'UNIMPLEMENTED', message: expect.stringMatching(/\S/) });
    expect(error.details).toBeInstanceOf(Array);
  });
});

describe('HEAD', () => {
  it('gives what GET gives, without the body [rule:rest.routes]', async () => {
    const { rest, server } = start();
    const { id } = await rest.send('hello');
    for (const route of [`/tasks/${id}`, '/tasks', '/tasks/unknown', '/tasks?pageSize=0', '/extendedAgentCard']) {
      const get = await rest.request('GET', route);
      const head = await rest.request('HEAD', route);
      expect([head.status, head.headers.get('content-type')], route).toEqual([
        get.status,
        get.headers.get('content-type'),
      ]);
      expect(await head.text(), route).toBe('');
      expect(await get.text(), route).not.toBe('');
    }
    await server.listen({ port: 0 });
    const overSocket = await fetch(`${server.url}/a2a/tasks/${id}`, {
      method: 'HEAD',
      headers: { 'a2a-version': '1.0' },
    });
    expect([overSocket.status, await overSocket.text()]).toEqual([200, '']);
    expect(Number(overSocket.headers.get('content-length'))).toBeGreaterThan(0);
  });

  it('of a stream ends at once and leaves no reader behind [rule:subscribe.verbs]', async () => {
    const { rest, server } = start();
    const { id } = await rest.send('work', {}, { returnImmediately: true });
    const head = await rest.request('HEAD', `/tasks/${id}:subscribe`);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    await eventually(() => server.load.subscriptions).toBe(0);
    await server.listen({ port: 0 });
    const url = `${server.url}/a2a/tasks/${id}:subscribe`;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const overSocket = await fetch(url, { method: 'HEAD', headers: { 'a2a-version': '1.0' }, signal });
    expect([overSocket.status, await overSocket.text()]).toEqual([200, '']);
    await eventually(() => server.load.subscriptions).toBe(0);
  });
});
