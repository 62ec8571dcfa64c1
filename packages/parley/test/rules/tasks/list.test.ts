import { type A2AServerOptions, inputRequired } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { violationsOfV1 } from '../../dialects/support/closed-schema.ts';
import { type RpcPeer, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { settableClock } from '../../support/settable-clock.ts';

/** A server whose clock stands still unless a test moves it; `ask` leaves a task waiting, all else completes. */
function start(options: Partial<A2AServerOptions> = {}) {
  const clock = settableClock();
  const agent = agentOf((task) => (task.text === 'ask' ? inputRequired('Yes?') : task.text));
  const { peer, server } = startServer(agent, { clock, ...options });
  /** A task for each text, a second apart; their ids. */
  const make = async (...texts: string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const word of texts) {
      clock.time += 1000;
      ids.push((await peer.send(word)).id);
    }
    return ids;
  };
  return { peer, server, clock, make };
}

const idsOf = (page: Wire): string[] => page.tasks.map((task: Wire) => task.id);

/** Follows the pages to the last one. */
async function listed(
  peer: RpcPeer,
  params: Wire,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let pageToken = '';
  do {
    const page = await peer.call('ListTasks', { ...params, ...(pageToken === '' ? {} : { pageToken }) });
    expect(page.tasks.length).toBeLessThanOrEqual(page.pageSize);
    ids.push(...idsOf(page));
    pageToken = page.nextPageToken;
    if (pageToken !== '') await between();
  } while (pageToken !== '');
  return ids;
}

describe('order', () => {
  it('is by status time, newest first [rule:list.order]', async () => {
    const { peer, clock, make } = start();
    const [first = '', second = '', third = ''] = await make('ask', 'done', 'ask');
    expect(idsOf(await peer.call('ListTasks'))).toEqual([third, second, first]);
    clock.time += 1000;
    await peer.send('answer', { taskId: first });
    const { tasks } = await peer.call('ListTasks');
    expect(tasks.map((task: Wire) => task.id)).toEqual([first, third, second]);
    const times: number[] = tasks.map((task: Wire) => Date.parse(task.status.timestamp));
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  it('is by id where the times are equal, whatever the page size [rule:list.order-stable]', async () => {
    const { peer } = start();
    for (let count = 0; count < 12; count += 1) await peer.send(count % 3 === 0 ? 'ask' : 'done');
    const ids = idsOf(await peer.call('ListTasks'));
    expect(ids).toHaveLength(12);
    const sorted = [...ids].sort((one, other) => (one < other ? -1 : 1));
    expect([sorted, [...sorted].reverse()]).toContainEqual(ids);
    expect(idsOf(await peer.call('ListTasks'))).toEqual(ids);
    for (const pageSize of [1, 5]) expect(await listed(peer, { pageSize })).toEqual(ids);
  });

  it('does not change with an artifact [rule:list.order-stable]', async () => {
    const clock = settableClock();
    const goOn = gate();
    const wrote = gate();
    const { peer } = startServer(
      agentOf(async (task) => {
        if (task.text !== 'slow') return 'done';
        await task.write('one');
        await goOn.promise;
        await task.write('two');
        wrote.resolve();
        await new Promise((resolve) => task.signal.addEventListener('abort', resolve));
        return undefined;
      }),
      { clock },
    );
    const slow = await peer.send('slow', {}, { returnImmediately: true });
    clock.time += 1000;
    const quick = await peer.send('quick');
    clock.time += 1000;
    goOn.resolve();
    await wrote.promise;
    const parts = async () => (await peer.call('GetTask', { id: slow.id })).artifacts[0].parts;
    await expect.poll(parts).toEqual([{ text: 'onetwo' }]);
    expect(idsOf(await peer.call('ListTasks'))).toEqual([quick.id, slow.id]);
    await peer.call('CancelTask', { id: slow.id });
    expect(idsOf(await peer.call('ListTasks'))).toEqual([slow.id, quick.id]);
  });
});

describe('pages', () => {
  it.each([
    7, 50, 100,
  ])('of %i visit each of 120 tasks once while others are written [rule:list.cursor]', async (pageSize) => {
    const { peer, clock, make } = start();
    const made = await make(...Array.from({ length: 120 }, (_, index) => (index % 4 === 0 ? 'ask' : 'done')));
    let visited = made.length - 4;
    const seen = await listed(peer, { pageSize }, async () => {
      clock.time += 1000;
      await peer.send('new');
      // The newest that waits was on the first page: it moves to the front.
      await peer.send('ask', { taskId: made[visited] ?? '' });
      visited -= 4;
    });
    expect(seen).toEqual([...made].reverse());
  });

  it('visit each task of a filter once, times equal or not [rule:list.cursor]', async () => {
    const { peer, make } = start();
    for (let count = 0; count < 10; count += 1) await peer.send('ask', { contextId: 'c-1' });
    await make('done', 'ask', 'done');
    const params = { contextId: 'c-1', status: 'TASK_STATE_INPUT_REQUIRED', pageSize: 3 };
    const seen = await listed(peer, params, () => peer.send('new'));
    expect(seen).toHaveLength(10);
    expect(new Set(seen).size).toBe(10);
  });

  it('have 50 tasks at most unless asked otherwise [rule:list.page-size]', async () => {
    const { peer, make } = start();
    await make(...Array.from({ length: 103 }, () => 'done'));
    const sizes = async (params: Wire) => {
      const page = await peer.call('ListTasks', params);
      return [page.tasks.length, page.pageSize, page.totalSize];
    };
    expect(await sizes({})).toEqual([50, 50, 103]);
    expect(await sizes({ pageSize: 1 })).toEqual([1, 1, 103]);
    expect(await sizes({ pageSize: 100 })).toEqual([100, 100, 103]);
    expect(await sizes({ pageSize: '20' })).toEqual([20, 20, 103]);
  });

  it.each([
    0,
    -1,
    101,
    150,
    1.5,
    1e9,
    2 ** 31,
    'ten',
    '',
    true,
    [5],
  ])('of %j are refused, not clamped [rule:list.page-size]', async (pageSize) => {
    const { peer } = start();
    const error = await peer.error('ListTasks', { pageSize });
    expect([error.code, error.data[0].fieldViolations[0].field]).toEqual([-32602, 'pageSize']);
  });

  it('say where the next one begins, and "" at the end [rule:list.next-token]', async () => {
    const { peer, make } = start();
    expect((await peer.call('ListTasks')).nextPageToken).toBe('');
    await make('one', 'two', 'three', 'four');
    const first = await peer.call('ListTasks', { pageSize: 2 });
    expect(first.nextPageToken).toEqual(expect.stringMatching(/./));
    const second = await peer.call('ListTasks', { pageSize: 2, pageToken: first.nextPageToken });
    expect([second.tasks.length, second.nextPageToken]).toEqual([2, '']);
    expect((await peer.call('ListTasks', { pageSize: 4 })).nextPageToken).toBe('');
    expect((await peer.call('ListTasks', { contextId: 'none' })).nextPageToken).toBe('');
  });

  it('always say how many there are [rule:list.sizes]', async () => {
    const { peer, make } = start();
    expect(await peer.call('ListTasks')).toEqual({ tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
    await make('ask', 'done', 'done', 'done', 'done');
    const first = await peer.call('ListTasks', { pageSize: 2 });
    expect(first).toMatchObject({ pageSize: 2, totalSize: 5 });
    const second = await peer.call('ListTasks', { pageSize: 3, pageToken: first.nextPageToken });
    expect(second).toMatchObject({ pageSize: 3, totalSize: 5 });
    const filtered = await peer.call('ListTasks', { status: 'TASK_STATE_COMPLETED', pageSize: 1 });
    expect(filtered).toMatchObject({ pageSize: 1, totalSize: 4 });
    expect(await peer.call('ListTasks', { status: 'TASK_STATE_FAILED' })).toMatchObject({ tasks: [], totalSize: 0 });
  });
});

describe('listed tasks', () => {
  it('have no artifacts member unless it is asked for [rule:list.artifacts-absent]', async () => {
    const { peer, make } = start();
    await make('one', 'two', 'ask');
    for (const params of [
      {},
      { includeArtifacts: false },
      { includeArtifacts: null },
      { status: 'TASK_STATE_COMPLETED' },
    ]) {
      const page = await peer.call('ListTasks', params);
      expect(violationsOfV1('ListTasksResponse', page)).toEqual([]);
      expect(page.tasks.length).toBeGreaterThan(0);
      for (const task of page.tasks) expect(Object.keys(task)).not.toContain('artifacts');
    }
  });

  it('have their real artifacts where it is [rule:list.artifacts-present]', async () => {
    const { peer, make } = start();
    await make('one', 'two', 'ask');
    const { tasks } = await peer.call('ListTasks', { includeArtifacts: true });
    expect(tasks.map((task: Wire) => task.artifacts)).toEqual([
      [],
      [{ artifactId: expect.any(String), parts: [{ text: 'two' }] }],
      [{ artifactId: expect.any(String), parts: [{ text: 'one' }] }],
    ]);
    for (const task of tasks.slice(1)) expect(task).toEqual(await peer.call('GetTask', { id: task.id }));
  });
});
