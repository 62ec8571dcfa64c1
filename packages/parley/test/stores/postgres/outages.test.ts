import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CursorRecord, Store } from '../../../src/engine/ports.ts';
import { postgres } from '../../../src/postgres.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { openProxy, type PostgresProxy } from '../../support/postgres/proxy.ts';
import { accept, append, commitOne, creation, keyRecord, message, messageEvent, NO_LIMIT } from '../fixtures.ts';
import { emptyTables } from './fixtures.ts';

/** As long as it takes; a statement that must fail within a time has a store of its own. */
const LONG = { timeout: 60_000 };
const IMPATIENT = { timeout: 2000 };

let database: TestDatabase;
let proxy: PostgresProxy;
let store: Store;

beforeAll(async () => {
  database = await openDatabase();
  proxy = await openProxy(database.url);
  store = postgres(proxy.url, LONG);
  await store.open();
});

beforeEach(async () => {
  await emptyTables(database);
  // A connection of each kind is there: the next response is that of the statement, and not of a new session.
  await store.head('any');
  await commitOne(store, creation('first'));
});

afterAll(async () => {
  await store.close();
  await proxy.close();
  await database.drop();
});

const rowsOf = async (table: string) =>
  (await database.query<{ readonly count: string }>(`SELECT count(*) AS count FROM parley.${table}`))[0]?.count;

describe('a connection that is lost', () => {
  it('before a statement is replaced', async () => {
    const head = await accept(store, creation('task'));
    for (let turn = 0; turn < 3; turn += 1) {
      proxy.cut();
      expect(await store.head('task')).toEqual(head);
      proxy.cut();
      expect(await commitOne(store, creation(`task ${turn}`))).toBe('ok');
    }
  });

  it('after a commit was carried out does not make it fail, or happen twice', async () => {
    const created = creation('task', { keys: [keyRecord('key', { taskId: 'task' })] });
    proxy.loseNextResponse();
    expect(await commitOne(store, created)).toBe('ok');
    const appended = append(created.head, [messageEvent(3)]);
    proxy.loseNextResponse();
    expect(await commitOne(store, appended)).toBe('ok');
    expect(await store.read('task', 0, NO_LIMIT)).toEqual([...created.events, ...appended.events]);
    expect((await store.list({ agent: 'agent', limit: 10 })).total).toBe(2);
    expect(await commitOne(store, appended)).toBe('conflict');
  });

  it('after entries of the journal were written does not make them clash with themselves', async () => {
    const created = creation('task');
    const other = creation('other');
    expect(await store.commit([created, other])).toEqual(['ok', 'ok']);
    const journal = [{ number: 1, seq: created.head.seq, body: { step: 'done' } }];
    const recorded = { ...append(created.head, []), journal };
    proxy.loseNextResponse();
    expect(await store.commit([recorded, append(other.head, [messageEvent(3)])])).toEqual(['ok', 'ok']);
    expect(await store.journal('task')).toEqual(journal);
    // Somebody else's entry of that number is refused.
    await expect(commitOne(store, recorded)).rejects.toThrow('journal_pkey');
  });

  it('after a batch was carried out leaves each entry its own result', async () => {
    const expiresAt = Number.MAX_SAFE_INTEGER;
    const key = keyRecord('reply', { expiresAt, reply: message('hello') });
    const stale = append({ ...creation('first').head, lease: { number: 7, node: 'node-2' } }, [messageEvent(3)]);
    const other = { kind: 'reply' as const, key: keyRecord('taken', { expiresAt, reply: message('other') }) };
    await commitOne(store, { kind: 'reply', key: keyRecord('taken', { expiresAt, reply: message('first') }) });
    proxy.loseNextResponse();
    const results = await store.commit([creation('new'), stale, { kind: 'reply', key }, other]);
    expect(results).toEqual(['ok', 'conflict', 'ok', 'key-taken']);
    expect(await rowsOf('tasks')).toBe('2');
  });

  it('after a change of a follower does not hide that it was made', async () => {
    const cursor = (seq: number, number: number, node = 'node-1'): CursorRecord => ({
      taskId: 'first',
      follower: 'hook',
      seq,
      lease: { number, node },
    });
    const lost = async <Result>(change: () => Result) => {
      await store.head('any');
      proxy.loseNextResponse();
      return await change();
    };
    expect(await lost(() => store.setCursor(cursor(0, 1), 0))).toBe(true);
    expect(await lost(() => store.setCursor(cursor(1, 2), 1))).toBe(true);
    expect(await lost(() => store.setCursor(cursor(2, 3, 'node-2'), 1))).toBe(false);
    expect(await lost(() => store.keepValue('key', 'mine'))).toBe(true);
    expect(await lost(() => store.keepValue('key', 'other'))).toBe(false);
    const apiKey = { id: 'one', hash: 'sha256:abc', subject: 'alice', scopes: [], createdAt: 1 };
    expect(await lost(() => store.addApiKey(apiKey))).toBe(true);
    expect(await lost(() => store.addApiKey({ ...apiKey, hash: 'sha256:def' }))).toBe(false);
    expect(await lost(() => store.removeApiKey('one'))).toBe(true);
  });

  it('after a claim of turns does not lose them', async () => {
    const queue = { priority: 1, arrival: 1, body: {} };
    await store.heartbeat('node-1', 100);
    await store.commit(['a', 'b'].map((id) => ({ ...creation(id, { node: null }), queue })));
    proxy.loseNextResponse();
    const claimed = await store.queue?.claim({ node: 'node-1', agents: ['agent'], limit: 1, now: 50 });
    expect(claimed?.map(({ head }) => [head.id, head.lease.number])).toEqual([['a', 3]]);
    const next = await store.queue?.claim({ node: 'node-1', agents: ['agent'], limit: 5, now: 50 });
    expect(next?.map(({ head }) => [head.id, head.lease.number])).toEqual([['b', 2]]);
  });
});

describe('a database that does not respond', () => {
  it('is given up after the time that is set, and used again when it responds', async () => {
    const impatient = postgres(proxy.url, IMPATIENT);
    await impatient.open();
    const head = await accept(impatient, creation('task'));
    proxy.isSilent = true;
    const entry = append(head, [messageEvent(3)]);
    const attempts = [impatient.head('task'), impatient.commit([entry]), impatient.probe?.()].map((attempt) =>
      expect(attempt).rejects.toMatchObject({ code: 'UNREACHABLE' }),
    );
    await Promise.all(attempts);
    proxy.isSilent = false;
    await expect
      .poll(async () =>
        Promise.resolve(impatient.head('task')).then(
          (held) => held?.seq,
          () => undefined,
        ),
      )
      .toBe(2);
    expect(await commitOne(impatient, entry)).toBe('ok');
    await impatient.probe?.();
    await impatient.close();
  });

  it('may have carried out a commit that was given up, which is seen when the same one comes again', async () => {
    const impatient = postgres(proxy.url, IMPATIENT);
    await impatient.open();
    const head = await accept(impatient, creation('task'));
    const entry = append(head, [messageEvent(3)]);
    proxy.isMute = true;
    await expect(impatient.commit([entry])).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await expect.poll(() => rowsOf('log')).toBe('3');
    proxy.isMute = false;
    await expect.poll(async () => commitOne(impatient, entry).catch(() => 'not yet')).toBe('ok');
    expect(await commitOne(impatient, entry)).toBe('conflict');
    expect(await store.read('task', 2, NO_LIMIT)).toEqual(entry.events);
    await impatient.close();
  });

  it('refuses to be opened with one sentence, without the password', async () => {
    const url = new URL(proxy.url);
    url.password = 'secret';
    url.pathname = '/nowhere';
    const error: unknown = await Promise.resolve(postgres(url.href).open()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StoreError', code: 'UNREACHABLE' });
    expect(String(error)).toContain('"nowhere" does not exist');
    expect(String(error)).not.toContain('secret');
  });
});
