import { A2AClient, A2AServer, defineAgent, memory } from 'parley-a2a';
import { postgres } from 'parley-a2a/postgres';
import { sqlite } from 'parley-a2a/sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { emptyTables } from '../stores/postgres/fixtures.ts';
import { eventually } from '../support/eventually.ts';
import { openDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { gate } from '../support/script.ts';
import { describeCopies } from './describe-copies.ts';

describeCopies('memory', () => [{ store: memory() }]);
describeCopies('SQLite', () => [{ store: sqlite(':memory:') }]);
describeCopies('a front and a worker that share a store', () => {
  const shared = { store: memory({ shared: true }), bus: localBus() };
  return [
    { ...shared, role: 'worker' },
    { ...shared, role: 'front' },
  ];
});

describe('Postgres', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
    const store = postgres(database.url);
    await store.open();
    await store.close();
  });
  beforeEach(() => emptyTables(database));
  afterAll(() => database.drop());
  describeCopies('one node', () => [{ store: postgres(database.url) }]);
  describeCopies('two nodes', () => [{ store: postgres(database.url) }, { store: postgres(database.url) }]);
});

describe('a summary', () => {
  it('is one line, cut, changed and taken back, and seen while the run works', async () => {
    const { promise, resolve } = gate();
    const agent = defineAgent({
      name: 'long',
      description: 'Says much',
      version: '1.0.0',
      async run(task) {
        task.summary('first');
        task.summary(`  a\r\n\u2028b\u0007 ${'x'.repeat(300)}`);
        await task.status('ready');
        await promise;
        task.summary('');
        return 'done';
      },
    });
    const server = new A2AServer({ agents: [agent] });
    await server.listen({ port: 0 });
    onTestFinished(() => server.close());
    const client = new A2AClient(`${server.url}/a2a`);
    const begun = await client.sendMessage('x', { returnImmediately: true } as never);
    if (!('status' in begun)) throw new Error('no task');
    const rows = async () => {
      const response = await fetch(`${server.url}/a2a/operator/all-tasks`);
      return ((await response.json()) as { tasks: { summary?: string }[] }).tasks[0]?.summary ?? '';
    };
    await eventually(async () => (await rows()).length).toBe(200);
    expect(await rows()).toMatch(/^a b x+…$/);
    resolve();
    await eventually(async () => (await client.getTask(begun.id)).status.state).toBe('completed');
    expect(await rows()).toBe('');
  });
});
