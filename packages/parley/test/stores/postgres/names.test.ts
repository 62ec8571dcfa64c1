import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Owner, Store } from '../../../src/engine/ports.ts';
import { postgres } from '../../../src/postgres.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { AGENT, ALL, accept, append, body, commitOne, creation, keyRecord, messageEvent } from '../fixtures.ts';

/** As long as an id may be, of characters that nothing makes shorter: far more bytes than an entry of an index holds. */
const longName = (seed: number) =>
  Array.from({ length: 1024 }, (_, index) =>
    String.fromCodePoint(0x4e00 + (((index + 1) * 7919 * seed) % 20_000)),
  ).join('');

const TENANT = longName(1);
const ALICE: Owner = { tenant: TENANT, subject: longName(2) };
const BOB: Owner = { tenant: TENANT, subject: longName(3) };
const TALK = longName(4);
const KEY = longName(5);
const HOOK = longName(6);

let database: TestDatabase;
let store: Store;
/** Has not seen the names before, as a server after a restart. */
let other: Store;

beforeAll(async () => {
  database = await openDatabase();
  store = postgres(database.url);
  other = postgres(database.url);
  await store.open();
  await other.open();
});

afterAll(async () => {
  await store.close();
  await other.close();
  await database.drop();
});

it('names of any length are kept as they are', async () => {
  const scope = { ...ALICE, agent: AGENT };
  const expiresAt = Number.MAX_SAFE_INTEGER;
  const keys = [keyRecord(KEY, { scope, taskId: 'task', messageSeq: 2, expiresAt })];
  const created = creation('task', { owner: ALICE, contextId: TALK, keys, node: 'dead' });
  const hook = { taskId: 'task', id: HOOK, owner: ALICE, since: 2, createdAt: 1, dialect: 'v1_0', body: { url: 'x' } };
  const queue = { priority: 1, arrival: 1, body: {} };
  const head = await accept(store, {
    ...created,
    pushConfigs: [hook],
    context: [{ key: KEY, value: 'kept', time: 10, lifetime: 8e15 }],
    queue,
  });
  await accept(store, append(head, [messageEvent(3)], { bodies: [body(HOOK, 0, 3)] }));
  const cursor = { taskId: 'task', follower: HOOK, seq: 3, lease: { number: 1, node: 'node-1' } };
  expect(await store.setCursor(cursor, 0)).toBe(true);
  expect(await store.shareContext(ALICE, TALK, [BOB.subject])).toEqual({ kind: 'shared' });
  expect(await commitOne(store, creation('second', { owner: BOB, contextId: TALK }))).toBe('context-taken');
  for (const reader of [store, other]) {
    expect((await reader.load(['task'], ALL))[0]?.head).toMatchObject({ contextId: TALK, owner: ALICE });
    const query = { agent: AGENT, owner: ALICE, contextId: TALK, limit: 5 };
    expect((await reader.list(query)).heads.map(({ id }) => id)).toEqual(['task']);
    expect((await reader.list({ ...query, contextId: longName(9) })).total).toBe(0);
    expect((await reader.key(scope, KEY, 0))?.taskId).toBe('task');
    expect([...(await reader.contextState(scope, TALK, 11))]).toEqual([[KEY, 'kept']]);
    expect(await reader.contextOwner(BOB, TALK)).toEqual(ALICE);
    expect(await reader.sharedContexts(BOB, 5)).toEqual([{ owner: ALICE, contextId: TALK }]);
    expect(await reader.pushConfig('task', HOOK, ALICE)).toEqual(hook);
    expect(await reader.listPushConfigs({ owner: ALICE, limit: 5 })).toEqual([hook]);
    expect(await reader.cursor('task', HOOK)).toEqual(cursor);
  }
  expect(await commitOne(other, { kind: 'reply', key: keyRecord(KEY, { scope, expiresAt }) })).toBe('key-taken');
  const [claimed] = (await other.queue?.claim({ node: 'node-2', agents: [AGENT], limit: 1, now: 0 })) ?? [];
  expect(claimed?.head).toMatchObject({ contextId: TALK, owner: ALICE });
  const taken = await store.shareContext(BOB, TALK, [ALICE.subject]);
  expect(taken).toEqual({ kind: 'unknown' });
  await accept(store, creation('of bob', { owner: BOB, contextId: HOOK }));
  await accept(store, creation('of alice', { owner: ALICE, contextId: HOOK }));
  expect(await store.shareContext(BOB, HOOK, [ALICE.subject])).toEqual({ kind: 'taken', subject: ALICE.subject });
  expect(await store.deletePushConfig('task', HOOK, ALICE)).toBe(true);
});

it('texts that are no names are kept where they are', async () => {
  const value = 'x'.repeat(5000);
  await store.keepValue('large', value);
  expect(await other.keptValue('large')).toBe(value);
  const [row] = await database.query<{ readonly value: string }>(
    "SELECT value FROM parley.kept_values WHERE name = 'large'",
  );
  expect(row?.value).toBe(value);
});
