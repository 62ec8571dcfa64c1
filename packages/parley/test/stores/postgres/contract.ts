import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../../../src/engine/ports.ts';
import { type PoolMode, postgres } from '../../../src/postgres.ts';
import { withStore } from '../../../src/stores/with-store.ts';
import { describeStore } from '../../contracts/store.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { emptyTables } from './fixtures.ts';

/** Runs the contract on Postgres, used in one of the two ways. */
export function describePostgres(
  pool: PoolMode,
  open: () => Promise<TestDatabase> = openDatabase,
  name = `Postgres, by ${pool}`,
): void {
  let database: TestDatabase;
  let clock = () => 0;
  let shared: Store | undefined;
  let isOpen = false;

  beforeAll(async () => {
    database = await open();
  });

  afterAll(async () => {
    await shared?.close();
    await database?.drop();
  });

  // One store for all tests: each new connection would plan its statements anew.
  describeStore(name, (now) => {
    clock = now;
    shared ??= postgres(database.url, { pool, connections: 2, now: () => clock() });
    const store = shared;
    const openEmpty = async () => {
      if (!isOpen) await store.open();
      isOpen = true;
      await emptyTables(database);
    };
    const reopen = () => postgres(database.url, { pool, connections: 2, now: () => clock() });
    return { store: withStore(store, { open: openEmpty, close: async () => {} }), reopen, dispose: () => {} };
  });
}
