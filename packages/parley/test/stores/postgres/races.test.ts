import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CommitEntry, Store } from '../../../src/engine/ports.ts';
import { postgres } from '../../../src/postgres.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { accept, append, BOB, commitOne, creation, keyRecord, messageEvent } from '../fixtures.ts';
import { emptyTables } from './fixtures.ts';

let database: TestDatabase;
let store: Store;
let other: pg.Client;

beforeAll(async () => {
  database = await openDatabase();
  store = postgres(database.url, { timeout: 60_000, now: () => 0 });
  await store.open();
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});

beforeEach(() => emptyTables(database));

afterAll(async () => {
  await other.end();
  await store.close();
  await database.drop();
});

/** Commits while another node has written something and not committed yet, and gives the result after it has. */
async function commitDuring(sql: string, entry: CommitEntry) {
  await other.query('BEGIN');
  await other.query(sql);
  const result = commitOne(store, entry);
  await expect.poll(async () => (await database.query(WAITING)).length).toBe(1);
  await other.query('COMMIT');
  return result;
}

/** A statement of the store that waits for somebody's lock. */
const WAITING = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'parley'`;

it('a commit is refused if another node has written the task since it was looked at', async () => {
  const head = await accept(store, creation('task'));
  const sql = "UPDATE parley.tasks SET seq = 3 WHERE id = 'task'";
  expect(await commitDuring(sql, append(head, [messageEvent(3)]))).toBe('conflict');
  expect(await database.query('SELECT 1 FROM parley.log')).toHaveLength(1);
});

it('a commit is refused if another node has taken the lease since it was looked at', async () => {
  const head = await accept(store, creation('task'));
  const sql = "UPDATE parley.tasks SET lease_number = 2, lease_node = 'node-2' WHERE id = 'task'";
  const entry = { ...append(head, [messageEvent(3)]), keys: [keyRecord('key')] };
  expect(await commitDuring(sql, entry)).toBe('conflict');
  expect((await store.head('task'))?.lease).toEqual({ number: 2, node: 'node-2' });
  expect(await store.key(keyRecord('key').scope, 'key', 0)).toBe(undefined);
});

it('a commit goes on if the other node gave up', async () => {
  const head = await accept(store, creation('task'));
  await other.query('BEGIN');
  await other.query("UPDATE parley.tasks SET seq = 3 WHERE id = 'task'");
  const result = commitOne(store, append(head, [messageEvent(3)]));
  await expect.poll(async () => (await database.query(WAITING)).length).toBe(1);
  await other.query('ROLLBACK');
  expect(await result).toBe('ok');
});

it('a task is not made a second time', async () => {
  const sql = `INSERT INTO parley.tasks (id, agent, tenant, subject, context_id, created_at, state, status_time, lease_number,
      seq, consumed, asking, open_from, status)
    VALUES ('task', 'agent', '', 'alice', 'talk', 1, 'submitted', 1, 1, 2, 0, 0, 0, '{"state":"submitted"}')`;
  expect(await commitDuring(sql, creation('task'))).toBe('conflict');
  expect(await database.query('SELECT 1 FROM parley.contexts')).toHaveLength(0);
});

it('a key is not taken a second time, and nothing of the task is left', async () => {
  const sql = `INSERT INTO parley.keys (tenant, subject, agent, key, expires_at, digest, task_id)
    VALUES ('', 'alice', 'agent', 'key', 1000, 'first', 'first')`;
  const entry = creation('second', { keys: [keyRecord('key', { taskId: 'second' })] });
  expect(await commitDuring(sql, entry)).toBe('key-taken');
  expect(await store.head('second')).toBe(undefined);
  expect((await store.key(keyRecord('key').scope, 'key', 0))?.taskId).toBe('first');
  expect((await store.list({ agent: 'agent', limit: 1 })).total).toBe(0);
});

it('a context that is shared in this moment is not begun by a member', async () => {
  await accept(store, creation('task', { contextId: 'talk' }));
  const sql = "SELECT parley.share_1('', 'alice', 'talk', ARRAY['bob'])";
  expect(await commitDuring(sql, creation('of bob', { owner: BOB, contextId: 'talk' }))).toBe('context-taken');
});
