import { inputRequired } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it } from 'vitest';
import { memory } from '../../src/stores/memory.ts';
import { serveNamed } from '../support/agents/named-callers.ts';
import { eventually } from '../support/eventually.ts';
import { sendParams, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { tempFile } from '../support/temp-folder.ts';

/** Says who calls; asks on, shares with whom the message names, or is done. */
function talker() {
  return agentOf(async (task) => {
    const [word, ...subjects] = task.text.split(' ');
    if (word === 'share') await task.context.share(subjects);
    const earlier = (await task.context.tasks()).length;
    return word === 'done' ? 'done' : inputRequired(`${task.user.subject} ${earlier}`);
  });
}

const STORES = [
  ['memory', () => memory()],
  ['SQLite', () => sqlite(tempFile())],
] as const;

const said = (task: Wire) => task.status.message.parts[0].text;

describe.each(STORES)('a shared context, %s', (_, newStore) => {
  const start = async () => {
    const { server, peerOf } = serveNamed(talker(), { store: newStore() });
    const [ann, bob, eve] = [peerOf('ann'), peerOf('bob'), peerOf('eve')];
    const first = await ann.send('hello', { contextId: 'tea' });
    return { server, ann, bob, eve, first, peerOf };
  };

  it('is used by those it is shared with: get, list, subscribe, follow up, cancel, begin', async () => {
    const { server, ann, bob, eve, first } = await start();
    await server.shareContext({ owner: 'ann', id: 'tea' }, ['bob']);
    expect((await bob.call('GetTask', { id: first.id })).id).toBe(first.id);
    const second = await bob.send('hello', { contextId: 'tea' });
    expect(said(second)).toBe('bob 1');
    const own = await bob.send('hello');
    for (const [filter, ids] of [
      [{ contextId: 'tea' }, [String(second.id), String(first.id)]],
      [{}, [String(own.id), String(second.id), String(first.id)]],
    ] as const) {
      const page = await bob.call('ListTasks', filter);
      expect([page.tasks.map((task: Wire) => task.id).toSorted(), page.totalSize]).toEqual([
        ids.toSorted(),
        ids.length,
      ]);
    }
    expect((await ann.call('ListTasks', {})).totalSize).toBe(2);
    const stream = await bob.open('SubscribeToTask', { id: first.id });
    expect((await stream.next())?.result.task.id).toBe(first.id);
    expect(said(await bob.send('more', { taskId: first.id }))).toBe('bob 0');
    await stream.close();
    expect((await ann.send('done', { taskId: second.id })).status.state).toBe('TASK_STATE_COMPLETED');
    expect((await bob.call('CancelTask', { id: first.id })).status.state).toBe('TASK_STATE_CANCELED');
    expect((await bob.call('GetTask', { id: second.id })).status.state).toBe('TASK_STATE_COMPLETED');
    expect(await ann.error('GetTask', { id: own.id })).toMatchObject({ code: -32001 });
    expect(await eve.call('ListTasks', { contextId: 'tea' })).toMatchObject({ tasks: [], totalSize: 0 });
    const foreign = await eve.error('GetTask', { id: first.id });
    const missing = await eve.error('GetTask', { id: 'none' });
    expect(JSON.stringify(foreign).replaceAll(first.id, 'none')).toBe(JSON.stringify(missing));
  });

  it('is listed page by page with the own tasks, each once', async () => {
    const { server, ann, bob } = await start();
    await server.shareContext({ owner: 'ann', id: 'tea' }, ['bob']);
    for (const peer of [ann, bob]) {
      for (let count = 0; count < 3; count += 1) await peer.send('done', count === 1 ? {} : { contextId: 'tea' });
    }
    const found: string[] = [];
    let pageToken = '';
    do {
      const page = await bob.call('ListTasks', { pageSize: 2, pageToken });
      expect(page.totalSize).toBe(6);
      found.push(...page.tasks.map((task: Wire) => task.id));
      pageToken = page.nextPageToken;
    } while (pageToken);
    expect([found.length, new Set(found).size]).toEqual([6, 6]);
  });

  it('is shared by the agent, with the conversation that its task is part of', async () => {
    const { ann, bob } = await start();
    const task = await ann.send('share bob', {});
    const joined = await bob.send('hello', { contextId: task.contextId });
    expect(said(joined)).toBe('bob 1');
    expect((await ann.call('ListTasks', { contextId: task.contextId })).totalSize).toBe(2);
  });

  it('is shared by a task that is on disk already, as that of a client that does not wait', async () => {
    const { ann, bob } = await start();
    const task = await ann.send('share bob', {}, { returnImmediately: true });
    await eventually(async () => (await ann.call('GetTask', { id: task.id })).status.state).toBe(
      'TASK_STATE_INPUT_REQUIRED',
    );
    await ann.send('share bob', { taskId: task.id });
    expect((await bob.call('GetTask', { id: task.id })).id).toBe(task.id);
  });

  it('is not shared with a subject that has a context of that id, nor with others then', async () => {
    const { server, bob, eve, first } = await start();
    await bob.send('hello', { contextId: 'tea' });
    const sharing = server.shareContext({ owner: 'ann', id: 'tea' }, ['eve', 'bob']);
    await expect(sharing).rejects.toThrow('bob has a context of that id');
    for (const peer of [bob, eve])
      expect(await peer.error('GetTask', { id: first.id })).toMatchObject({ code: -32001 });
    expect((await bob.call('ListTasks', { contextId: 'tea' })).totalSize).toBe(1);
  });

  it('must be there, and is not shared with those who have no name', async () => {
    const { server, ann } = await start();
    await expect(server.shareContext({ owner: 'ann', id: 'none' }, ['bob'])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(server.shareContext({ owner: 'ann', id: 'tea' }, [''])).rejects.toThrow(TypeError);
    const tooMany = Array.from({ length: 101 }, (_unused, index) => `subject ${index}`);
    await expect(server.shareContext({ owner: 'ann', id: 'tea' }, tooMany)).rejects.toThrow('at most 100');
    expect((await ann.call('ListTasks', {})).totalSize).toBe(1);
  });

  it('gives members nothing of other contexts, tenants or keys of its owner', async () => {
    const { server, ann, bob, peerOf } = await start();
    const other = await ann.send('hello', { contextId: 'milk' });
    await server.shareContext({ owner: 'ann', id: 'tea' }, ['bob']);
    expect(await bob.error('GetTask', { id: other.id })).toMatchObject({ code: -32001 });
    const params = sendParams('done', { contextId: 'tea' });
    const ofAnn = await ann.call('SendMessage', params, { 'idempotency-key': 'one' });
    const ofBob = await bob.call('SendMessage', params, { 'idempotency-key': 'one' });
    expect(ofBob.task.id).not.toBe(ofAnn.task.id);
    const elsewhere = peerOf('bob', { tenant: 'acme' });
    expect(await elsewhere.error('GetTask', { id: ofAnn.task.id })).toMatchObject({ code: -32001 });
  });
});
