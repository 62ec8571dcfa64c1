import { A2AServer } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cli, objectsOf } from '../cli/support/in-process.ts';
import { eventually } from '../support/eventually.ts';
import { RpcPeer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { isCompleted, type Receiver, startReceiver, toldBy, withoutRepeats } from './receiver.ts';
import { inline, LOCAL } from './support.ts';

const echo = agentOf((task) => task.text);
const TOKENS: Readonly<Record<string, readonly string[]>> = { operator: ['parley:operator'], caller: [] };

/** A server on a socket, with a webhook that has been given up for now, and requests for operators. */
async function serve(receiver: Receiver) {
  const server = new A2AServer({
    agents: [echo],
    auth: {
      type: 'bearer',
      validate: (token) => (TOKENS[token] ? { subject: token, scopes: TOKENS[token] } : undefined),
    },
    push: { ...LOCAL, retry: { firstDelay: 3_600_000, longestDelay: 3_600_000 } },
    log: { error: () => {}, warn: () => {} },
  });
  await server.listen({ port: 0 });
  onTestFinished(() => server.close());
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}` });
  const peer = new RpcPeer((request) => fetch(request), `${server.url}/a2a`);
  const config = {
    id: 'my hook',
    url: receiver.url,
    token: 'hidden',
    authentication: { scheme: 'Bearer', credentials: 'hidden' },
  };
  const task = await peer.send('hello', {}, inline(config), headersOf('caller'));
  const ask = (path: string, init: RequestInit = {}, token = 'operator') =>
    fetch(`${server.url}/a2a/operator/push${path}`, { ...init, headers: headersOf(token) });
  return { server, task, ask };
}

describe('operators', () => {
  it('are those on the machine of a server without credentials, and nobody through a proxy', async () => {
    const server = new A2AServer({ agents: [echo], push: LOCAL });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const url = `${server.url}/a2a/operator/push`;
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(401);
    expect(await cli(['push', 'list', server.url ?? ''])).toMatchObject({ code: 0, stdout: '' });
  });

  it('see how webhooks stand, and send again', async () => {
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 200 : 503 }));
    const { task, ask } = await serve(receiver);
    const place = `/${task.id}/my%20hook`;
    const show = async (): Promise<Wire> => (await ask(place)).json();
    await eventually(async () => (await show()).failures).toBe(1);
    const webhook = await show();
    expect(webhook).toMatchObject({
      taskId: task.id,
      id: 'my hook',
      owner: { tenant: '', subject: 'caller' },
      url: receiver.url,
      standing: 'active',
      isPending: true,
      lastError: 'HTTP 503',
    });
    expect(Date.parse(webhook.nextTry)).toBeGreaterThan(Date.now() + 1_800_000);
    expect(JSON.stringify(webhook)).not.toContain('hidden');
    for (const path of ['', `/${task.id}`]) {
      const { webhooks } = (await (await ask(path)).json()) as Wire;
      expect(webhooks).toEqual([webhook]);
    }
    isUp = true;
    expect(await (await ask(place, { method: 'POST' })).json()).toEqual({
      redelivered: [{ taskId: task.id, id: 'my hook', from: 0 }],
    });
    await receiver.untilBody(isCompleted);
    expect(receiver.accepted.map(toldBy)).toEqual(['working', 'hello', 'completed']);
    await eventually(async () => (await show()).isPending).toBe(false);
    expect((await show()).lastError).toBe(null);
    // Everything again, with the same ids.
    expect((await ask(`/${task.id}`, { method: 'POST' })).status).toBe(200);
    await receiver.until(6);
    expect(withoutRepeats(receiver)).toHaveLength(3);
    expect((await ask(`${place}?from=4`, { method: 'POST' })).status).toBe(200);
    await receiver.until(7);
    expect(receiver.accepted.slice(6).map(toldBy)).toEqual(['completed']);
  });

  it('may look at one tenant alone, by a query, by a prefix, and by its card on the command line', async () => {
    const receiver = await startReceiver();
    const server = new A2AServer({
      agents: [echo],
      tenants: ['acme', 'globex'],
      auth: {
        type: 'bearer',
        validate: (token) => {
          const [subject = '', tenant = ''] = token.split(' ');
          return { subject, tenant, scopes: tenant === '' ? ['parley:operator'] : [] };
        },
      },
      push: LOCAL,
    });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const peer = new RpcPeer((request) => fetch(request), `${server.url}/a2a`);
    const tasks: Record<'ann acme' | 'bob acme' | 'ann globex' | 'ann', string> = {
      'ann acme': '',
      'bob acme': '',
      'ann globex': '',
      ann: '',
    };
    for (const who of ['ann acme', 'bob acme', 'ann globex', 'ann'] as const) {
      const headers = { authorization: `Bearer ${who}` };
      tasks[who] = (await peer.send('hello', {}, inline({ id: who, url: receiver.url }), headers)).id;
    }
    const headers = { authorization: 'Bearer root', 'a2a-version': '1.0' };
    const ask = async (path: string, method = 'GET'): Promise<Wire> =>
      (await fetch(`${server.url}/a2a/operator${path}`, { method, headers })).json();
    const idsAt = async (path: string) => (await ask(path)).webhooks.map(({ id }: Wire) => id).toSorted();
    expect(await idsAt('/push')).toEqual(['ann', 'ann acme', 'ann globex', 'bob acme']);
    expect(await idsAt('/push?tenant=')).toHaveLength(4);
    expect(await idsAt('/push?tenant=acme')).toEqual(['ann acme', 'bob acme']);
    expect(await idsAt('/push?tenant=nobody')).toEqual([]);
    const first = await ask('/push?tenant=acme&limit=1');
    const second = await ask(`/push?tenant=acme&limit=1&after=${first.next}`);
    expect([first.webhooks[0].id, second.webhooks[0].id, second.next]).toEqual(['ann acme', 'bob acme', undefined]);
    const place = `/push/${tasks['ann acme']}`;
    expect((await ask(`${place}/ann%20acme?tenant=acme`)).id).toBe('ann acme');
    for (const method of ['GET', 'POST']) {
      expect(await ask(`${place}/ann%20acme?tenant=globex`, method)).toMatchObject({ status: 404 });
    }
    expect(await ask(`${place}?tenant=globex`, 'POST')).toMatchObject({ status: 404 });
    const tasksAt = async (path: string) => (await ask(path)).tasks.map(({ id }: Wire) => id).toSorted();
    const ofAcme = [tasks['ann acme'], tasks['bob acme']].toSorted();
    expect(await tasksAt('/tasks')).toEqual(Object.values(tasks).toSorted());
    expect(await tasksAt('/acme/tasks')).toEqual(ofAcme);
    expect(await ask(`/acme/tasks/${tasks['ann acme']}`)).toMatchObject({ id: tasks['ann acme'] });
    expect(await ask(`/acme/tasks/${tasks['ann globex']}`)).toMatchObject({ error: { code: 404 } });
    const url = `${server.url}/a2a/acme/.well-known/agent-card.json`;
    const { stdout } = await cli(['push', 'list', url, '--token', 'root']);
    const lines = stdout.split('\n').filter(Boolean);
    expect(lines.map((line) => line.split('\t')[2] ?? '').toSorted()).toEqual(['ann acme', 'bob acme']);
    const listed = await cli(['tasks', url, '--everyone', '--json', '--token', 'root']);
    expect(
      objectsOf(listed.stdout)
        .map(({ id }) => String(id))
        .toSorted(),
    ).toEqual(ofAcme);
  });

  it('are the only ones, and hear what is wrong as problem details', async () => {
    const { task, ask } = await serve(await startReceiver());
    for (const [path, init, token, status] of [
      ['', {}, 'caller', 403],
      ['', {}, 'nobody', 401],
      [`/${task.id}/my%20hook`, { method: 'POST' }, 'caller', 403],
      ['/unknown/hook', {}, 'operator', 404],
      ['/unknown', { method: 'POST' }, 'operator', 404],
      ['?limit=0', {}, 'operator', 400],
      ['?after=x', {}, 'operator', 400],
      [`/${task.id}?from=-1`, { method: 'POST' }, 'operator', 400],
      ['', { method: 'POST' }, 'operator', 405],
      [`/${task.id}`, { method: 'DELETE' }, 'operator', 405],
    ] as const) {
      const response = await ask(path, init, token);
      expect([response.status, response.headers.get('content-type')], `${path} ${token}`).toEqual([
        status,
        'application/problem+json',
      ]);
      expect(await response.json()).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
    }
  });

  it('use the command line', async () => {
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 200 : 500 }));
    const { server, task } = await serve(receiver);
    const url = server.url ?? '';
    const push = (...words: string[]) => cli(['push', ...words, '--token', 'operator']);
    await eventually(async () => (await push('list', url)).stdout).toContain('HTTP 500');
    const { stdout } = await push('list', url);
    expect(stdout.split('\t').slice(0, 6)).toEqual(['active', task.id, 'my hook', receiver.url, '1', 'HTTP 500']);
    const shown = await push('show', url, task.id);
    expect(shown.stdout).toMatch(/lastError +HTTP 500\n/);
    expect(objectsOf((await push('show', url, task.id, 'my hook', '--json')).stdout)).toMatchObject([
      { id: 'my hook' },
    ]);
    isUp = true;
    expect(await push('redeliver', url, task.id, 'my hook')).toMatchObject({ code: 0 });
    await receiver.untilBody(isCompleted);
    const refused = await cli(['push', 'list', url, '--token', 'caller']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('parley:operator');
    const unknown = await cli(['push', 'list', url]);
    expect(unknown.stderr).toContain(`${url} does not know who you are`);
    expect((await push('show', url, 'unknown')).stderr).toContain('has no webhooks');
    expect((await push('show', url)).stderr).toContain('needs URL and TASK');
    expect((await push('shw', url)).stderr).toContain('did you mean show?');
  });
});
