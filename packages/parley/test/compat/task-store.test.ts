import { A2AServer, type A2AServerOptions, defineAgent } from 'parley-a2a';
import { type A2ATask, fromTaskStore, InMemoryTaskStore, type TaskStore } from 'parley-a2a/compat';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { RpcPeer } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';

const task = (id: string, more: Partial<A2ATask> = {}): A2ATask => ({
  id,
  contextId: 'ctx_456',
  status: { state: 'working', timestamp: '2026-01-05T10:15:00.000Z' },
  history: [],
  artifacts: [],
  ...more,
});

describe('InMemoryTaskStore (S3, Task 6) [seed:S3.5]', () => {
  it('creates and gets', async () => {
    const store = new InMemoryTaskStore();
    await store.create(task('task_123'));
    expect(await store.get('task_123')).toEqual(task('task_123'));
    expect(await store.get('task_124')).toBeNull();
  });

  it('updates', async () => {
    const store = new InMemoryTaskStore();
    await store.create(task('task_123'));
    const status = { state: 'completed', timestamp: '2026-01-05T10:16:00.000Z' } as const;
    await store.update('task_123', { status });
    expect(await store.get('task_123')).toEqual(task('task_123', { status }));
    await expect(store.update('task_124', { status })).rejects.toMatchObject({ code: -32001 });
  });

  it('lists all, or by context, by state, and in pages', async () => {
    const store = new InMemoryTaskStore();
    const status = { state: 'failed', timestamp: '2026-01-05T10:16:00.000Z' } as const;
    await store.create(task('a'));
    await store.create(task('b', { contextId: 'other' }));
    await store.create(task('c', { status }));
    const ids = async (...filter: Parameters<TaskStore['list']>) => (await store.list(...filter)).map(({ id }) => id);
    expect(await ids()).toEqual(['a', 'b', 'c']);
    expect(await ids({ contextId: 'ctx_456' })).toEqual(['a', 'c']);
    expect(await ids({ state: 'failed' })).toEqual(['c']);
    expect(await ids({ contextId: 'other', state: 'failed' })).toEqual([]);
    expect(await ids({ limit: 2 })).toEqual(['a', 'b']);
    expect(await ids({ offset: 1, limit: 1 })).toEqual(['b']);
  });

  it('deletes, also what is not there', async () => {
    const store = new InMemoryTaskStore();
    await store.create(task('task_123'));
    await store.delete('task_123');
    await store.delete('task_123');
    expect(await store.get('task_123')).toBeNull();
  });

  it('keeps copies', async () => {
    const store = new InMemoryTaskStore();
    const given = task('task_123');
    await store.create(given);
    given.status.state = 'failed';
    const got = await store.get('task_123');
    if (got) got.status.state = 'canceled';
    expect((await store.get('task_123'))?.status.state).toBe('working');
  });
});

/** A task store that counts, and fails as often as it is told to. */
class Watched extends InMemoryTaskStore {
  writes: string[] = [];
  failures = 0;
  atOnce = 0;
  mostAtOnce = 0;

  override create(given: A2ATask): Promise<void> {
    return this.#watched(`create ${given.status.state}`, () => super.create(given));
  }

  override update(id: string, changes: Partial<A2ATask>): Promise<void> {
    return this.#watched(`update ${changes.status?.state}`, () => super.update(id, changes));
  }

  async #watched(what: string, write: () => Promise<void>): Promise<void> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.atOnce -= 1;
    this.writes.push(what);
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('the disk is full');
    }
    await write();
  }
}

const counter = defineAgent({
  name: 'counter',
  description: 'Counts',
  version: '1.0.0',
  async *run(given) {
    for (let number = 1; number <= Number(given.text); number += 1) yield `${number}\n`;
  },
});

function served(taskStore: TaskStore, more: Partial<A2AServerOptions> = {}) {
  const logged: string[] = [];
  const record = (message: string) => void logged.push(message);
  const server = new A2AServer({ agents: [counter], taskStore, log: { error: record, warn: record }, ...more });
  onTestFinished(() => server.close());
  return { server, peer: new RpcPeer(server.fetch), logged };
}

describe('a task store as the mirror of a server [seed:S3.5]', () => {
  it('has every task as it is, in the shape of the document', async () => {
    const store = new Watched();
    const { peer } = served(store);
    const { id } = await peer.send('3');
    await eventually(async () => (await store.get(id))?.status.state).toBe('completed');
    expect(await store.get(id)).toMatchObject({
      id,
      history: [{ role: 'user', parts: [{ type: 'text', text: '3' }] }],
      artifacts: [{ id: expect.any(String), parts: [{ type: 'text', text: '1\n2\n3\n' }] }],
    });
    expect(await store.list({ state: 'completed' })).toHaveLength(1);
  });

  it('is written far less often than events happen, one write of a task after the other', async () => {
    const store = new Watched();
    const { peer, server } = served(store);
    await peer.send('2000');
    await server.close();
    expect(store.writes.length).toBeLessThan(100);
    expect(store.writes[0]).toMatch(/^create/);
    expect(store.writes.slice(1).every((write) => write.startsWith('update'))).toBe(true);
    expect(store.writes.at(-1)).toMatch(/completed$/);
    expect(store.mostAtOnce).toBe(1);
  });

  it('is written again where that failed, and nobody waits for it', async () => {
    const store = new Watched();
    store.failures = 2;
    const { peer, logged } = served(store);
    const { id, status } = await peer.send('1');
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    await eventually(async () => (await store.get(id))?.status.state).toBe('completed');
    expect(logged.filter((line) => line.includes('task store'))).toHaveLength(2);
  });

  it('has all that it lacks when the server has closed, and does not keep it from closing', async () => {
    const store = new Watched();
    const { peer, server } = served(store);
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await peer.send('1')).id));
    await server.close();
    for (const id of ids) expect((await store.get(id))?.status.state).toBe('completed');
    const broken = new Watched();
    broken.failures = Number.POSITIVE_INFINITY;
    const other = served(broken);
    await other.peer.send('1');
    await other.server.close();
    expect(other.logged.length).toBeGreaterThan(0);
  });

  it('goes on with the tasks of a log on disk after a restart', async () => {
    const file = tempFile();
    const asking = defineAgent({
      name: 'asking',
      description: 'Asks',
      version: '1.0.0',
      run: (given) => (given.history.length === 0 ? { outcome: 'input-required', message: 'Which?' } : 'Thanks'),
    });
    const store = new Watched();
    const first = served(store, { agents: [asking], store: sqlite(file) });
    const { id } = await first.peer.send('Hello');
    await first.server.close();
    expect((await store.get(id))?.status.state).toBe('input-required');
    const second = served(store, {
      agents: [asking],
      store: fromTaskStore(store, { store: sqlite(file) }),
      taskStore: undefined,
    });
    await second.peer.send('This', { taskId: id });
    await second.server.close();
    expect((await store.get(id))?.status.state).toBe('completed');
    expect(await store.list()).toHaveLength(1);
  });
});
