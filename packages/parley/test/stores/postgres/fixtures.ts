import type { TestDatabase } from '../../support/postgres/postgres.ts';

/** Leaves the tables of a store as they are after its first opening. Faster than another schema for each test. */
export async function emptyTables(database: TestDatabase, schema = 'parley'): Promise<void> {
  const tables = await database.query<{ readonly name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
      WHERE schemaname = $1 AND tablename <> 'schema_version'`,
    [schema],
  );
  await database.query(tables.map(({ name }) => `DELETE FROM ${name}`).join(';'));
}
