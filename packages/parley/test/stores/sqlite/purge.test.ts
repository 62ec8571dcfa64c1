import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store, TaskHead } from '../../../src/engine/ports.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../../src/stores/sqlite/file/migrations.ts';
import { faultsOfFile } from '../../crash/check/file-check.ts';
import {
  AGENT,
  ALICE,
  accept,
  append,
  BOB,
  body,
  chunkEvent,
  commitOne,
  creation,
  keyRecord,
  type NewTask,
  NO_LIMIT,
  statusEvent,
} from '../fixtures.ts';
import { inspect, openStore, temporaryFolder } from './fixtures.ts';

const newFile = () => join(temporaryFolder(), 'tasks.db');
const TABLES = ['tasks', 'log', 'artifacts', 'journal', 'keys', 'contexts', 'counts'];
const FREE: Partial<TaskHead> = { lease: { number: 1, node: null } };

function rowsIn(path: string): Readonly<Record<string, number>> {
  return inspect(path, (database) => {
    const count = (table: string) => database.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
    return Object.fromEntries(TABLES.map((table) => [table, count(table) ?? -1]));
  });
}

/** A task with a key, a journal, several rows of log and a body, that ended at that time. */
async function endedTask(store: Store, id: string, time: number, size = 10, more: NewTask = {}): Promise<void> {
  const key = keyRecord(`key of ${id}`, { taskId: id, messageSeq: 2, expiresAt: 1e15 });
  let head = await accept(store, creation(id, { keys: [key], ...more }));
  const text = 'x'.repeat(size);
  const working = append(head, [statusEvent(3, 'working'), chunkEvent(4, 'result', text)]);
  head = await accept(store, { ...working, journal: [{ number: 1, seq: 3, body: { step: text } }] });
  const ended = [chunkEvent(5, 'result', text), statusEvent(6, 'completed', time)];
  await accept(store, append(head, ended, { bodies: [body('result', 0, 5, text)], head: FREE }));
}

describe.each(['loop', 'worker'] as const)('purging a file, written on the %s', (writer) => {
  it('leaves no row of the task in any table', async () => {
    const path = newFile();
    const store = await openStore(path, { writer });
    await endedTask(store, 'gone', 10);
    expect(Object.values(rowsIn(path)).every((count) => count > 0)).toBe(true);
    expect(await store.purge({ endedBefore: 11, limit: 10 })).toEqual(['gone']);
    expect(rowsIn(path)).toEqual(Object.fromEntries(TABLES.map((table) => [table, 0])));
  });

  it('lets the file reach a size and keep it under a steady load', async () => {
    const path = newFile();
    const store = await openStore(path, { writer, synchronous: 'off' });
    const pages = () => Number(inspect(path, (database) => database.pragma('page_count')));
    const sizes: number[] = [];
    for (let round = 1; round <= 24; round += 1) {
      for (let count = 0; count < 20; count += 1) {
        const id = `task ${String(round).padStart(3, '0')} ${count}`;
        await endedTask(store, id, round, 3_000, { owner: { tenant: '', subject: `caller ${round}` } });
      }
      while ((await store.purge({ endedBefore: round - 1, limit: 7 })).length > 0);
      sizes.push(pages());
    }
    const early = Math.max(...sizes.slice(4, 8));
    expect(Math.max(...sizes.slice(8))).toBeLessThanOrEqual(early * 1.05);
    await store.close();
    expect(faultsOfFile(path)).toEqual([]);
  });

  it('removes a task that has more rows than a batch alone, in one piece', async () => {
    const path = newFile();
    const store = await openStore(path, { writer, synchronous: 'off' });
    for (const id of ['long', 'longer']) {
      let head = await accept(store, creation(id));
      for (let count = 0; count < 1_100; count += 1) {
        const isLast = count === 1_099;
        const event = isLast ? statusEvent(head.seq + 1, 'completed', 10) : chunkEvent(head.seq + 1);
        head = await accept(store, append(head, [event], isLast ? { head: FREE } : {}));
      }
    }
    await endedTask(store, 'short', 20);
    expect(await store.purge({ endedBefore: 100, limit: 10 })).toHaveLength(1);
    expect(rowsIn(path)).toMatchObject({ tasks: 2 });
    expect(faultsOfFile(path)).toEqual([]);
    expect(await store.purge({ endedBefore: 100, limit: 10 })).toHaveLength(1);
    expect(await store.purge({ endedBefore: 100, limit: 10 })).toEqual(['short']);
    expect(rowsIn(path)).toMatchObject({ log: 0, tasks: 0 });
  });

  it('is seen as a whole by who reads at the same time', async () => {
    const path = newFile();
    const store = await openStore(path, { writer, synchronous: 'off' });
    const ids = Array.from({ length: 100 }, (_, index) => `task ${index}`);
    for (const id of ids) await endedTask(store, id, 10, 100_000);
    const removed: string[] = [];
    let isDone = false;
    const purging = (async () => {
      for (;;) {
        const batch = await store.purge({ endedBefore: 100, limit: 10 });
        if (batch.length === 0) break;
        removed.push(...batch);
        await new Promise(setImmediate);
      }
      isDone = true;
    })();
    let reads = 0;
    while (!isDone) {
      for (const id of ids) {
        const [stored] = await store.load([id], { history: true, artifacts: true });
        const events = await store.read(id, 0, NO_LIMIT);
        expect([0, 6]).toContain(events.length);
        if (stored) expect([stored.bodies.length, stored.events.length]).toEqual([1, 3]);
        const { heads, total } = await store.list({ agent: AGENT, owner: ALICE, limit: ids.length });
        expect(total).toBe(heads.length);
        reads += 1;
      }
      await new Promise(setImmediate);
    }
    await purging;
    expect(removed.toSorted()).toEqual(ids.toSorted());
    expect(reads).toBeGreaterThan(0);
  });
});

describe('a file of the schema before purging', () => {
  it('knows after its migration which contexts have tasks', async () => {
    const path = newFile();
    inspect(path, (database) => {
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      for (const step of MIGRATIONS.slice(0, 5)) database.exec(step);
      database.exec('PRAGMA user_version = 5');
      const task = database.prepare(
        `INSERT INTO tasks VALUES (NULL, ?, 'agent', '', 'alice', ?, 1, 'completed', ?, NULL, 1, 1, 0, 0, 0, ?, NULL)`,
      );
      const status = JSON.stringify({ state: 'completed', timestamp: new Date(0).toISOString() });
      task.run('first', 'talk', 10, status);
      task.run('second', 'talk', 20, status);
      task.run('third', 'other', 10, status);
      const log = database.prepare('INSERT INTO log VALUES (?, 1, 1, 0, ?)');
      for (const key of [1, 2, 3]) log.run(key, '[{"kind":"created","seq":1,"time":1}]');
      for (const id of ['talk', 'other']) {
        database.prepare(`INSERT INTO contexts VALUES ('', ?, 'alice', 1, 1)`).run(id);
      }
      database.exec(`INSERT INTO counts VALUES ('agent', '', 'alice', 'completed', 3)`);
    });
    const store = await openStore(path);
    expect(faultsOfFile(path)).toEqual([]);
    expect((await store.purge({ endedBefore: 20, limit: 10 })).toSorted()).toEqual(['first', 'third']);
    expect(await store.contextOwner(ALICE, 'other')).toBeUndefined();
    expect(await store.contextOwner(ALICE, 'talk')).toEqual(ALICE);
    await store.purge({ endedBefore: 21, limit: 10 });
    expect(await store.contextOwner(ALICE, 'talk')).toBeUndefined();
    expect(await commitOne(store, creation('foreign', { contextId: 'talk', owner: BOB }))).toBe('ok');
    expect(faultsOfFile(path)).toEqual([]);
  });
});
