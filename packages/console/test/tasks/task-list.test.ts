import { describe, expect, it } from 'vitest';
import type { TaskPage, TaskRow } from '../../../parley/src/server/operator/console-api.ts';
import { TaskList } from '../../src/tasks/list/task-list.ts';

const PAGE = 3;

function row(id: string, time: number): TaskRow {
  const at = new Date(time).toISOString();
  return {
    id,
    contextId: 'c',
    agent: 'lab',
    state: 'TASK_STATE_WORKING',
    createdAt: at,
    statusAt: at,
    seq: time,
    activity: 'running',
    owner: {},
  };
}

/** A server with tasks in memory, whose front is read when the test says so. */
class Server {
  tasks = new Map<string, TaskRow>();
  failure: Error | undefined;
  #tick: (() => void) | undefined;

  put(id: string, time: number): void {
    this.tasks.set(id, row(id, time));
  }

  readonly list = new TaskList({
    read: (after) => (this.failure ? Promise.reject(this.failure) : Promise.resolve(this.page(after))),
    pause: () => new Promise((resolve) => (this.#tick = resolve)),
  });

  page(after: string | undefined): TaskPage {
    const sorted = [...this.tasks.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
    const rest = after === undefined ? sorted : sorted.filter((task) => keyOf(task) < after);
    const tasks = rest.slice(0, PAGE);
    const last = tasks.at(-1);
    return { tasks, total: sorted.length, next: rest.length > PAGE && last ? keyOf(last) : undefined };
  }

  async tick(): Promise<void> {
    this.#tick?.();
    await settle();
  }

  get shown(): string {
    return this.list
      .view()
      .rows.map(({ id }) => id)
      .join(' ');
  }
}

const keyOf = ({ statusAt, id }: TaskRow) => `${statusAt} ${id}`;
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function follow(times: Readonly<Record<string, number>>): Promise<Server> {
  const server = new Server();
  for (const [id, time] of Object.entries(times)) server.put(id, time);
  server.list.subscribe(() => {});
  await settle();
  return server;
}

describe('the list of tasks', () => {
  it('grows page by page to its end, and never shows a task twice', async () => {
    const server = await follow({ a: 10, b: 20, c: 30, d: 40, e: 50, f: 60, g: 70 });
    expect(server.shown).toBe('g f e');
    await server.list.loadMore();
    await server.list.loadMore();
    expect(server.shown).toBe('g f e d c b a');
    expect(server.list.view()).toMatchObject({ next: undefined, total: 7 });
  });

  it('shows at its front what came, what changed and what is gone, and keeps the pages after it', async () => {
    const server = await follow({ a: 10, b: 20, c: 30, d: 40, e: 50, f: 60 });
    await server.list.loadMore();
    server.put('new', 80);
    server.put('a', 90);
    server.tasks.delete('f');
    await server.tick();
    expect(server.shown).toBe('a new e d c b');
  });

  it('begins anew where more is new than a page holds', async () => {
    const server = await follow({ a: 10, b: 20, c: 30, d: 40 });
    await server.list.loadMore();
    for (const [index, id] of ['w', 'x', 'y', 'z'].entries()) server.put(id, 100 + index);
    await server.tick();
    expect(server.shown).toBe('z y x');
    await server.list.loadMore();
    expect(server.shown).toBe('z y x w d c');
  });

  it('leaves the rows where they are while the person reads further down, and counts what is new', async () => {
    const server = await follow({ a: 10, b: 20, c: 30, d: 40 });
    await server.list.loadMore();
    server.list.setAtTop(false);
    server.put('new', 80);
    server.put('d', 90);
    await server.tick();
    expect(server.shown).toBe('d c b a');
    expect(server.list.view()).toMatchObject({ news: 1 });
    expect(server.list.view().rows[0]?.seq).toBe(90);
    server.list.setAtTop(true);
    await settle();
    expect(server.shown).toBe('d new c');
    expect(server.list.view()).toMatchObject({ news: 0 });
  });

  it('says what went wrong, and goes on by itself', async () => {
    const server = await follow({ a: 10 });
    server.failure = new Error('down');
    await server.tick();
    expect(server.list.view()).toMatchObject({ error: server.failure, rows: [{ id: 'a' }] });
    server.failure = undefined;
    server.put('b', 20);
    await server.tick();
    expect(server.list.view().error).toBeUndefined();
    expect(server.shown).toBe('b a');
  });
});
