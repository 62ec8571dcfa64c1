import { DatabaseSync } from 'node:sqlite';
import { A2AClient, A2AServer, type A2AServerOptions, defineAgent, taskTree } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { testAgent } from 'parley-a2a/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { RpcPeer, sendParams } from '../../support/rpc.ts';
import { agentOf, gate } from '../../support/script.ts';
import { settableClock } from '../../support/settable-clock.ts';
import { tempFile } from '../../support/temp-folder.ts';

const DAY = 24 * 3_600_000;

async function listening(options: A2AServerOptions): Promise<{ readonly server: A2AServer; readonly peer: RpcPeer }> {
  const server = await new A2AServer(options).listen({ port: 0 });
  onTestFinished(() => server.close());
  return { server, peer: new RpcPeer((request) => fetch(request), `${server.url}/a2a`) };
}

function rowsIn(file: string, ...tables: readonly string[]): readonly number[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return tables.map((table) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n));
  } finally {
    database.close();
  }
}

const booking = () =>
  agentOf(
    async function* (task) {
      yield await task.step('one', () => `${task.text}, `);
      yield await task.step('two', () => 'booked');
    },
    { resumable: true },
  );

describe('retention.tasks', () => {
  it('removes what has ended, journal and key included, as seen over HTTP', async () => {
    const file = tempFile();
    const clock = settableClock();
    const { peer } = await listening({
      agents: [booking()],
      store: sqlite(file, { now: () => clock.now() }),
      clock,
      retention: { tasks: DAY, keys: 100 * DAY },
      limits: { heartbeatInterval: 20 },
    });
    const key = { 'Idempotency-Key': 'one of many' };
    const params = sendParams('flight', { messageId: 'm' });
    const { task } = await peer.call('SendMessage', params, key);
    expect((await peer.call('SendMessage', params, key)).task.id).toBe(task.id);
    expect(rowsIn(file, 'tasks', 'journal', 'keys')).toEqual([1, 3, 1]);
    clock.time += DAY;
    const later = await peer.send('later');
    clock.time += 1;
    await eventually(async () => (await peer.respond('GetTask', { id: task.id })).error?.code).toBe(-32001);
    const rest = await peer.raw(`/tasks/${task.id}`, { headers: { 'A2A-Version': '1.0' } });
    expect([rest.status, await rest.json()]).toMatchObject([404, { error: { status: 'NOT_FOUND' } }]);
    const { tasks, totalSize } = await peer.call('ListTasks', {});
    expect([tasks.map(({ id }: { id: string }) => id), totalSize]).toEqual([[later.id], 1]);
    for (const position of ['0', '3', '999']) {
      const resumed = await peer.error('SubscribeToTask', { id: task.id }, { 'Last-Event-ID': position });
      expect(resumed.code).toBe(-32001);
    }
    expect((await peer.error('CancelTask', { id: task.id })).code).toBe(-32001);
    expect((await peer.error('SendMessage', sendParams('more', { taskId: task.id }))).code).toBe(-32001);
    expect(rowsIn(file, 'tasks', 'journal', 'keys')).toEqual([1, 3, 0]);
    const again = (await peer.call('SendMessage', params, key)).task;
    expect(again.id).not.toBe(task.id);
    expect(again.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('is for ever by default and with 0, and must not be negative', async () => {
    const clock = settableClock();
    for (const retention of [{}, { tasks: 0 }]) {
      const { peer } = await listening({ agents: [booking()], clock, retention, limits: { heartbeatInterval: 1 } });
      const { id } = await peer.send('stay');
      clock.time += 10_000 * DAY;
      for (let round = 0; round < 5; round += 1) await peer.call('ListTasks', {});
      expect((await peer.call('GetTask', { id })).id).toBe(id);
    }
    const options = { agents: [booking()], retention: { tasks: -1 } };
    expect(() => new A2AServer(options)).toThrow('retention.tasks must be a time');
  });
});

describe('server.purgeTasks', () => {
  it('removes those that ended before a time, or one by its id, and says how many', async () => {
    const clock = settableClock();
    const { server, peer } = await listening({ agents: [booking()], clock });
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push((await peer.send(`number ${count}`)).id);
      clock.time += 1_000;
    }
    const listed = async () => (await peer.call('ListTasks', {})).tasks.map(({ id }: { id: string }) => id);
    expect(await server.purgeTasks({ endedBefore: new Date(clock.time - 3_000) })).toBe(1);
    expect(await listed()).toEqual([ids[3], ids[2], ids[1]]);
    expect(await server.purgeTasks({ taskId: ids[2] })).toBe(1);
    expect(await server.purgeTasks({ taskId: ids[2] })).toBe(0);
    expect(await server.purgeTasks({ taskId: ids[1], endedBefore: clock.time - 10_000 })).toBe(0);
    expect(await listed()).toEqual([ids[3], ids[1]]);
    expect(await server.purgeTasks({ endedBefore: clock.time })).toBe(2);
  });

  it('leaves a task that works', async () => {
    const go = gate();
    const { server, peer } = await listening({
      agents: [
        agentOf(async () => {
          await go.promise;
          return 'done';
        }),
      ],
    });
    const { id } = await peer.send('go', {}, { returnImmediately: true });
    expect(await server.purgeTasks({ endedBefore: Number.POSITIVE_INFINITY })).toBe(0);
    expect(await server.purgeTasks({ taskId: id })).toBe(0);
    go.resolve();
    await eventually(async () => (await peer.call('GetTask', { id })).status.state).toBe('TASK_STATE_COMPLETED');
    expect(await server.purgeTasks({ taskId: id })).toBe(1);
  });

  it('refuses to guess what is meant', async () => {
    const server = new A2AServer({ agents: [booking()] });
    onTestFinished(() => server.close());
    await expect(server.purgeTasks({})).rejects.toThrow('purgeTasks needs endedBefore or taskId');
    await expect(server.purgeTasks({ endedBefore: new Date('never') })).rejects.toThrow(TypeError);
    expect(await server.purgeTasks({ endedBefore: 0 })).toBe(0);
  });
});

describe('who refers to a task that was purged', () => {
  it('finds it missing from the tree of its caller', async () => {
    const child = defineAgent({ name: 'child', description: 'Called', version: '1.0.0', run: () => 'called' });
    const parent = agentOf(async function* (task) {
      yield* task.call(child, 'go').textStream;
    });
    const kit = testAgent(parent, { agents: [child] });
    onTestFinished(() => kit.close());
    const { id } = await kit.client.sendMessageStream('go').task;
    const whole = await taskTree(kit.client, id);
    const called = whole.children[0]?.taskId;
    expect(await kit.server.purgeTasks({ taskId: called })).toBe(1);
    const tree = await taskTree(kit.client, id);
    expect(tree.missing).toBeUndefined();
    expect(tree.children).toMatchObject([{ taskId: called, missing: { error: { code: 'TASK_NOT_FOUND' } } }]);
  });

  it('is told in the middle of a replay, instead of what looks like an end', async () => {
    const writer = agentOf(async function* () {
      for (let count = 0; count < 3_000; count += 1) yield `${count} ${'x'.repeat(500)}\n`;
    });
    const server = new A2AServer({ agents: [writer] });
    onTestFinished(() => server.close());
    const peer = new RpcPeer(server.fetch);
    const { id } = await peer.send('go');
    const stream = await peer.open('SubscribeToTask', { id }, { 'Last-Event-ID': '3' });
    expect((await stream.next())?.result).toHaveProperty('artifactUpdate');
    expect(await server.purgeTasks({ taskId: id })).toBe(1);
    const frames = await stream.rest();
    expect(frames.at(-1)?.response).toMatchObject({ error: { code: -32001 } });
    expect(frames.slice(0, -1).every(({ result }) => result.artifactUpdate)).toBe(true);
  });

  it('is told by the client’s calls', async () => {
    const { server } = await listening({ agents: [booking()] });
    const client = await A2AClient.connect(server.url ?? '', { retry: false });
    const { id } = await client.sendMessageStream('go').task;
    await server.purgeTasks({ taskId: id });
    await expect(client.getTask(id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    await expect(client.subscribe(id).task).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});
