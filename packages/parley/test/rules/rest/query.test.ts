import { inputRequired } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type StubbedRest, stubbedRest } from '../../support/http/rest-stub.ts';
import { fieldsOf, type RestPeer, reasonOf, startRest } from '../../support/rest.ts';
import { sendParams, type Wire } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { settableClock } from '../../support/settable-clock.ts';

/** What an operation is asked for by a query. */
async function asked(target: string, { request, calls }: StubbedRest = stubbedRest()): Promise<Wire> {
  const { status, text } = await request('GET', target);
  if (status !== 200) throw new Error(`${target}: ${text}`);
  return calls.at(-1)?.input;
}

const idsOf = (page: Wire): string[] => page.tasks.map((task: Wire) => task.id);

describe('query parameters', () => {
  const ALL = {
    contextId: 'c-1',
    status: 'TASK_STATE_WORKING',
    pageSize: '7',
    pageToken: 'abc',
    historyLength: '3',
    statusTimestampAfter: '2025-11-09T10:30:00Z',
    includeArtifacts: 'true',
  };
  const READ = {
    tenant: '',
    contextId: 'c-1',
    state: 'working',
    statusSince: Date.UTC(2025, 10, 9, 10, 30),
    pageSize: 7,
    pageToken: 'abc',
    historyLength: 3,
    includeArtifacts: true,
  };
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

  it('of a list are read by their types [rule:rest.query]', async () => {
    expect(await asked(`/tasks?${new URLSearchParams(ALL).toString()}`)).toEqual(READ);
    for (const [name, value] of Object.entries(ALL)) {
      const input = await asked(`/tasks?${name}=${encodeURIComponent(value)}`);
      const alone = Object.entries(READ).filter(([key, read]) => input[key] === read);
      expect(alone.length, name).toBeGreaterThanOrEqual(2);
    }
  });

  it('of a list are read in snake_case too [rule:json.snake-in]', async () => {
    const query = new URLSearchParams(
      Object.entries(ALL).map(([name, value]): [string, string] => [snake(name), value]),
    );
    expect(query.has('status_timestamp_after')).toBe(true);
    expect(await asked(`/tasks?${query.toString()}`)).toEqual(READ);
  });

  it('of other routes are read too [rule:rest.query]', async () => {
    expect(await asked('/tasks/t-1?historyLength=0')).toMatchObject({ id: 't-1', historyLength: 0 });
    expect(await asked('/tasks/t-1?history_length=12')).toMatchObject({ id: 't-1', historyLength: 12 });
    const configs = '/tasks/t-1/pushNotificationConfigs';
    expect(await asked(`${configs}?pageSize=5&pageToken=x`)).toMatchObject({
      taskId: 't-1',
      pageSize: 5,
      pageToken: 'x',
    });
    expect(await asked(`${configs}?page_size=5&page_token=x`)).toMatchObject({ pageSize: 5, pageToken: 'x' });
    expect(await asked(`${configs}/cfg-1?tenant=acme`)).toMatchObject({ tenant: 'acme', taskId: 't-1', id: 'cfg-1' });
    const { calls, request } = stubbedRest();
    expect((await request('DELETE', `${configs}/cfg-1?tenant=acme`)).status).toBe(200);
    expect(calls).toMatchObject([{ input: { tenant: 'acme', taskId: 't-1', id: 'cfg-1' } }]);
  });

  it.each([
    ['2025-11-09T10:30:00Z', '2025-11-09T10:30:00.000Z'],
    ['2025-11-09T10%3A30%3A00Z', '2025-11-09T10:30:00.000Z'],
    ['2025-11-09T10%3a30%3a00.5Z', '2025-11-09T10:30:00.500Z'],
    ['2025-11-09T10:30:00.123456789Z', '2025-11-09T10:30:00.123Z'],
  ])('of a time are read, colons encoded or not: %s [rule:rest.query]', async (sent, read) => {
    const { statusSince } = await asked(`/tasks?statusTimestampAfter=${sent}`);
    expect(new Date(statusSince).toISOString()).toBe(read);
  });

  it.each([
    ['true', true],
    ['false', false],
  ])('of a flag are the two words: %s [rule:rest.query]', async (sent, read) => {
    for (const name of ['includeArtifacts', 'include_artifacts']) {
      expect((await asked(`/tasks?${name}=${sent}`)).includeArtifacts).toBe(read);
    }
  });

  it('are percent-decoded, plus signs and all [rule:rest.query]', async () => {
    for (const contextId of ['a+b', 'a b', 'a&b=c', 'Straße', '100%', 'a/b?c#d', '🦜', 'true', '0', 'null']) {
      expect((await asked(`/tasks?contextId=${encodeURIComponent(contextId)}`)).contextId).toBe(contextId);
    }
  });

  it('that nobody knows are ignored [rule:rest.query-bad]', async () => {
    const input = await asked('/tasks');
    const unknown = ['A2A-Version=1.0', 'x=1', 'page-size=0', 'PageSize=0', '__proto__=1', 'constructor=1', '=', '&&'];
    for (const query of unknown) expect(await asked(`/tasks?${query}`), query).toEqual(input);
    expect(await asked('/tasks/t-1?metadata=x&message=y')).toEqual(await asked('/tasks/t-1'));
  });

  it('are no part of what is posted, but for the tenant [rule:rest.query-bad] [rule:tenant.rest-field]', async () => {
    const query = '?message=x&configuration=y&metadata=z&id=other&taskId=other&url=other&tenant=acme';
    const { request, calls } = stubbedRest();
    const webhook = { url: 'https://hooks.example/1', id: 'cfg-1' };
    const posts: [string, Wire, Wire][] = [
      ['/message:send', sendParams('hello', { messageId: 'm-1' }), { message: { messageId: 'm-1' } }],
      ['/message:stream', sendParams('hello', { messageId: 'm-1' }), { message: { messageId: 'm-1' } }],
      ['/tasks/t-1:cancel', { metadata: { why: 'late' } }, { id: 't-1', metadata: { why: 'late' } }],
      ['/tasks/t-1:cancel', undefined, { id: 't-1' }],
      ['/tasks/t-1:subscribe', undefined, { id: 't-1' }],
      ['/tasks/t-1/pushNotificationConfigs', webhook, { config: { ...webhook, taskId: 't-1' } }],
    ];
    for (const [route, body, input] of posts) {
      const { status, text } = await request('POST', `${route}${query}`, body);
      expect([status, status === 200 ? '' : text], route).toEqual([200, '']);
      expect(calls.at(-1)?.input, route).toMatchObject({ ...input, tenant: 'acme' });
    }
  });
});

describe('a malformed query value', () => {
  it.each([
    ['/tasks?pageSize=0', ['pageSize']],
    ['/tasks?pageSize=101', ['pageSize']],
    ['/tasks?pageSize=ten', ['pageSize']],
    ['/tasks?pageSize=1.5', ['pageSize']],
    ['/tasks?pageSize=-1', ['pageSize']],
    ['/tasks?pageSize=1e1', ['pageSize']],
    ['/tasks?pageSize=', ['pageSize']],
    ['/tasks?page_size=0', ['pageSize']],
    ['/tasks?historyLength=-1', ['historyLength']],
    ['/tasks?historyLength=99999999999', ['historyLength']],
    ['/tasks/t-1?historyLength=-1', ['historyLength']],
    ['/tasks/t-1?historyLength=all', ['historyLength']],
    ['/tasks?status=working', ['status']],
    ['/tasks?status=TASK_STATE_DONE', ['status']],
    ['/tasks?status=task_state_working', ['status']],
    ['/tasks?statusTimestampAfter=yesterday', ['statusTimestampAfter']],
    ['/tasks?statusTimestampAfter=1762684200000', ['statusTimestampAfter']],
    ['/tasks?statusTimestampAfter=2025-02-30T00:00:00Z', ['statusTimestampAfter']],
    ['/tasks?statusTimestampAfter=2025-11-09T10:30:00%2B01:00', ['statusTimestampAfter']],
    ['/tasks?includeArtifacts=yes', ['includeArtifacts']],
    ['/tasks?includeArtifacts=1', ['includeArtifacts']],
    ['/tasks?includeArtifacts=True', ['includeArtifacts']],
    ['/tasks?include_artifacts=TRUE', ['includeArtifacts']],
    ['/tasks?pageToken=nonsense', ['pageToken']],
    ['/tasks?pageSize=0&status=DONE&historyLength=x', ['historyLength', 'pageSize', 'status']],
  ])('%s is 400 and names the fields [rule:rest.query-bad] [rule:errors.fields]', async (route, fields) => {
    const { rest } = startRest(agentOf((task) => task.text));
    await rest.send('hello');
    const { status, error } = await rest.error('GET', route);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
    expect(fieldsOf(error)).toEqual(fields);
    expect(reasonOf(error)).toBe('INVALID_PARAMS');
  });
});

describe('a list', () => {
  /** Five tasks, each a minute after the one before; the odd ones in a context of their own and open. */
  async function fiveTasks(): Promise<{ rest: RestPeer; ids: string[] }> {
    const clock = settableClock('2026-03-01T12:00:00.000Z');
    const { rest } = startRest(
      agentOf((task) => (task.text === 'ask' ? inputRequired('Which?') : task.text)),
      { clock },
    );
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const odd = index % 2 === 1;
      ids.push((await rest.send(odd ? 'ask' : 'hello', { contextId: odd ? 'c odd+' : 'c-even' })).id);
      clock.time += 60_000;
    }
    return { rest, ids: ids.reverse() };
  }

  it('is filtered and paged by its query [rule:rest.query] [rule:list.filters] [rule:list.cursor] [rule:list.timestamp-inclusive]', async () => {
    const { rest, ids } = await fiveTasks();
    const list = async (query: string) => rest.call('GET', `/tasks${query}`);
    expect(idsOf(await list(''))).toEqual(ids);
    const odd = [ids[1], ids[3]];
    expect(idsOf(await list('?contextId=c%20odd%2B'))).toEqual(odd);
    expect(idsOf(await list('?contextId=c+odd%2B'))).toEqual(odd);
    expect(idsOf(await list('?contextId=c%20odd+'))).toEqual([]);
    expect(idsOf(await list('?status=TASK_STATE_INPUT_REQUIRED'))).toEqual(odd);
    expect(idsOf(await list('?status=TASK_STATE_UNSPECIFIED'))).toEqual(ids);
    for (const time of ['2026-03-01T12:02:00Z', '2026-03-01T12%3A02%3A00.000Z']) {
      expect(idsOf(await list(`?statusTimestampAfter=${time}`))).toEqual(ids.slice(0, 3));
    }
    expect(idsOf(await list('?statusTimestampAfter=2026-03-01T12:02:00Z&status=TASK_STATE_INPUT_REQUIRED'))).toEqual([
      ids[1],
    ]);
    const seen: string[] = [];
    for (let token = '', pages = 0; pages === 0 || token !== ''; pages += 1) {
      const page = await list(`?pageSize=2&pageToken=${encodeURIComponent(token)}`);
      expect([page.pageSize, page.totalSize]).toEqual([2, 5]);
      seen.push(...idsOf(page));
      token = page.nextPageToken;
    }
    expect(seen).toEqual(ids);
  });

  it('has history and artifacts as its query says [rule:rest.query] [rule:list.artifacts-absent] [rule:list.artifacts-present] [rule:history.zero]', async () => {
    const { rest, ids } = await fiveTasks();
    const whole: Wire[] = [];
    for (const id of ids) whole.push(await rest.call('GET', `/tasks/${id}`));
    const { tasks } = await rest.call('GET', '/tasks?includeArtifacts=true');
    expect(tasks).toEqual(whole.map((task) => ({ artifacts: [], ...task })));
    for (const query of ['', '?includeArtifacts=false']) {
      for (const task of (await rest.call('GET', `/tasks${query}`)).tasks) expect(task).not.toHaveProperty('artifacts');
    }
    for (const task of (await rest.call('GET', '/tasks?historyLength=0')).tasks) {
      expect(task).not.toHaveProperty('history');
    }
    expect(await rest.call('GET', `/tasks/${ids[0]}?historyLength=0`)).not.toHaveProperty('history');
    expect((await rest.call('GET', `/tasks/${ids[0]}?historyLength=1`)).history).toHaveLength(1);
  });

  it('is refused to anonymous callers where the server says so [rule:list.anonymous]', async () => {
    const { rest } = startRest(
      agentOf((task) => task.text),
      { anonymous: 'private' },
    );
    const { id } = await rest.send('hello');
    const { status, error } = await rest.error('GET', '/tasks');
    expect([status, error.code, error.status]).toEqual([403, 403, 'PERMISSION_DENIED']);
    expect((await rest.call('GET', `/tasks/${id}`)).id).toBe(id);
  });
});
