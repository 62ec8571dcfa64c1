import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../../src/engine/ports.ts';
import { postgres } from '../../src/postgres.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { describeStore } from '../contracts/store.ts';
import { openDatabase, type TestDatabase } from '../support/postgres.ts';
import { emptyTables } from './postgres-fixtures.ts';

let database: TestDatabase;
const opened = new WeakSet<Store>();

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(async () => {
  await database.drop();
});

for (const pool of ['session', 'transaction'] as const) {
  let clock = () => 0;
  let shared: Store | undefined;

  afterAll(async () => {
    await shared?.close();
  });

  // One store for all tests: each new connection would plan its statements anew.
  describeStore(`Postgres, by ${pool}`, (now) => {
    clock = now;
    shared ??= postgres(database.url, { pool, connections: 2, now: () => clock() });
    const store = shared;
    const open = async () => {
      if (!opened.has(store)) await store.open();
      opened.add(store);
      await emptyTables(database);
    };
    return { store: withStore(store, { open, close: async () => {} }), dispose: () => {} };
  });
}
