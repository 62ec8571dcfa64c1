import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CommitEntry, Store } from '../../../src/engine/ports.ts';
import { postgres } from '../../../src/postgres.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { AGENT, ALICE, accept, append, BOB, creation, keyRecord, messageEvent, statusEvent } from '../fixtures.ts';
import { emptyTables } from './fixtures.ts';

const NODES = 4;
const ROUNDS = 12;
const BATCH = 10;
const RELEASED = { head: { lease: { number: 1, node: null } } };

let database: TestDatabase;
let stores: readonly Store[];

beforeAll(async () => {
  database = await openDatabase();
  stores = Array.from({ length: NODES }, () => postgres(database.url, { timeout: 60_000, now: () => 0 }));
  await Promise.all(stores.map(async (store) => store.open()));
});

afterAll(async () => {
  await Promise.all(stores.map(async (store) => store.close()));
  await database.drop();
});

const countOf = async (sql: string) =>
  Number((await database.query<{ readonly count: string }>(`SELECT count(*) AS count FROM ${sql}`))[0]?.count);

it('nodes that use the same contexts, callers and counts at once do not hinder each other, and count right', async () => {
  await emptyTables(database);
  const work = stores.map(async (store, node) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const heads = Array.from({ length: BATCH }, (_, index) => {
        // The same contexts on all nodes, in another order on each.
        const contextId = `talk ${(index * (node + 1) + round) % 7}`;
        const entry = creation(`task ${node} ${round} ${index}`, { owner: index % 2 ? ALICE : BOB, contextId });
        return { ...entry, context: [{ key: 'word', value: index, time: 10, lifetime: 8e15 }] };
      });
      expect(await store.commit(heads)).toEqual(heads.map(() => 'ok'));
      const ends: CommitEntry[] = heads
        .slice(0, BATCH / 2)
        .map(({ head }) => append(head, [statusEvent(3, 'completed')], RELEASED));
      expect(await store.commit(ends)).toEqual(ends.map(() => 'ok'));
      if (round % 3 === node % 3) await store.purge({ endedBefore: 100, limit: 20 });
      await store.shareContext(ALICE, `talk ${round % 7}`, [`member ${node}`]);
    }
  });
  await Promise.all(work);
  const [store] = stores as [Store];
  for (const owner of [ALICE, BOB, undefined]) {
    const where = owner ? ` AND subject = '${owner.subject}'` : '';
    for (const state of ['submitted', 'completed', undefined] as const) {
      const having = state ? ` AND state = '${state}'` : '';
      const held = await countOf(`parley.tasks WHERE true${where}${having}`);
      expect((await store.list({ agent: AGENT, owner, state, limit: 1 })).total).toBe(held);
    }
  }
  const wrong = await countOf(`parley.contexts AS c WHERE tasks <> (SELECT count(*) FROM parley.tasks AS t
    WHERE t.tenant = c.tenant AND t.subject = c.subject AND t.context_id = c.id)`);
  expect(wrong).toBe(0);
  // Rows are always locked in the same order, so that nobody has to be rolled back.
  const [{ deadlocks } = {}] = await database.query<{ readonly deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(deadlocks).toBe('0');
});

it('a key that several nodes use at once leads to one task, and a new task has one creator', async () => {
  await emptyTables(database);
  for (let round = 0; round < ROUNDS; round += 1) {
    const keys = (taskId: string) => [keyRecord(`key ${round}`, { taskId })];
    const results = await Promise.all(
      stores.map(async (store, node) => {
        const id = `task ${round} ${node}`;
        return store.commit([creation(id, { keys: keys(id) }), creation(`same ${round}`)]);
      }),
    );
    expect(results.filter(([first]) => first === 'ok').length).toBe(1);
    expect(results.filter(([first]) => first === 'key-taken').length).toBe(NODES - 1);
    expect(results.filter(([, second]) => second === 'ok').length).toBe(1);
    expect(results.filter(([, second]) => second === 'conflict').length).toBe(NODES - 1);
  }
  expect(await countOf('parley.tasks')).toBe(2 * ROUNDS);
});

it('of nodes that take over one task at once, one gets it, and the one before can no longer write', async () => {
  await emptyTables(database);
  const [first, ...others] = stores as [Store, ...Store[]];
  let head = await accept(first, creation('task', { node: 'node-0' }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = head;
    const takers = others.map((store, index) => {
      const lease = { number: before.lease.number + 1, node: `node-${round}-${index}` };
      return { store, entry: append(before, [], { head: { lease } }) };
    });
    const written = append(before, [messageEvent(before.seq + 1)]);
    const [own, ...taken] = await Promise.all([
      Promise.resolve(first.commit([written])),
      ...takers.map(async ({ store, entry }) => store.commit([entry])),
    ]);
    const winner = takers.find((_, index) => taken[index]?.[0] === 'ok');
    const wins = taken.filter((result) => result[0] === 'ok').length;
    // The holder and those who take over expect the same seq: exactly one of them gets it.
    expect(wins + (own?.[0] === 'ok' ? 1 : 0)).toBe(1);
    head = winner ? winner.entry.head : written.head;
    expect(await first.head('task')).toEqual(head);
    expect(await first.commit([written])).toEqual(['conflict']);
  }
});

it('a context that is shared while its members begin one of that id has one meaning for each of them', async () => {
  await emptyTables(database);
  const [first, second] = stores as [Store, Store];
  for (let round = 0; round < ROUNDS; round += 1) {
    const contextId = `talk ${round}`;
    await accept(first, creation(`of alice ${round}`, { contextId }));
    const [shared, begun] = await Promise.all([
      Promise.resolve(first.shareContext(ALICE, contextId, ['bob'])),
      Promise.resolve(second.commit([creation(`of bob ${round}`, { owner: BOB, contextId })])),
    ]);
    const outcome = `${shared.kind} ${begun[0]}`;
    expect(['shared context-taken', 'taken ok']).toContain(outcome);
    expect(await first.contextOwner(BOB, contextId)).toEqual(begun[0] === 'ok' ? BOB : ALICE);
  }
});
