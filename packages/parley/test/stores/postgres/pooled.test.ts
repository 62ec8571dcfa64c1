import { describe, expect, it, onTestFinished } from 'vitest';
import { postgres } from '../../../src/postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { startPooler, WITHOUT_POOLER } from '../../support/postgres/pooler.ts';
import { openDatabase, openPostgres, type TestDatabase } from '../../support/postgres/postgres.ts';
import { accept, commitOne, creation } from '../fixtures.ts';
import { describePostgres } from './contract.ts';

/** A database whose store reaches it through PgBouncer. */
async function openBehindPooler(): Promise<TestDatabase> {
  const database = await openDatabase();
  const pooler = await startPooler(database.url);
  const drop = async () => {
    await pooler.stop();
    await database.drop();
  };
  return { ...database, url: pooler.url, drop };
}

// As behind a pooler that hands out its connections for one transaction each: behind one, where it is installed.
describePostgres(
  'transaction',
  WITHOUT_POOLER ? openDatabase : openBehindPooler,
  WITHOUT_POOLER ? 'Postgres, by transaction' : 'Postgres, by transaction, through PgBouncer',
);

describe.skipIf(WITHOUT_POOLER)(`behind PgBouncer${WITHOUT_POOLER ? ` (${WITHOUT_POOLER})` : ''}`, () => {
  async function storeOnOwnServer(timeout: number) {
    const server = await openPostgres({ isDurable: true });
    onTestFinished(() => server.stop());
    const pooler = await startPooler(server.url);
    onTestFinished(() => pooler.stop());
    const store = postgres(pooler.url, { pool: 'transaction', timeout });
    onTestFinished(() => store.close());
    await store.open();
    return { server, store, head: await accept(store, creation('task')) };
  }

  it('refuses what cannot be done while the database is away', async () => {
    const { server, store, head } = await storeOnOwnServer(5000);
    await server.halt('immediate');
    const refused = { name: 'StoreError', code: 'UNREACHABLE' };
    const [read, written] = await Promise.allSettled([store.head('task'), commitOne(store, creation('refused'))]);
    expect([read, written]).toMatchObject([{ reason: refused }, { reason: refused }]);
    await server.start();
    await eventually(async () => store.head('task')).toEqual(head);
  });

  it('carries statements over restarts of the database', async () => {
    const { server, store, head } = await storeOnOwnServer(PATIENCE_MS);
    for (const mode of ['fast', 'immediate'] as const) {
      await server.halt(mode);
      const done = Promise.all([store.head('task'), commitOne(store, creation(`during ${mode}`))]);
      await server.start();
      expect(await done).toEqual([head, 'ok']);
    }
  });

  it('says what to add to an address that does not name the pooler', async () => {
    const database = await openBehindPooler();
    onTestFinished(() => database.drop());
    const message = expect.stringContaining('add pool=transaction to its address');
    const refused = { name: 'StoreError', code: 'BAD_ADDRESS', message };
    await expect(postgres(database.url).open()).rejects.toMatchObject(refused);
    // Nothing is left that would be in the way of the right address.
    const store = postgres(database.url, { pool: 'transaction' });
    onTestFinished(() => store.close());
    await store.open();
    expect(await accept(store, creation('task'))).toEqual(await store.head('task'));
  });
});
