import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgres } from '../../../src/postgres.ts';
import { readSettings } from '../../../src/stores/postgres/connection/settings.ts';
import { MIGRATIONS, type Migration } from '../../../src/stores/postgres/schema/migrations.ts';
import { Session } from '../../../src/stores/postgres/session.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { accept, append, commitOne, creation, messageEvent } from '../fixtures.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(async () => {
  await database.drop();
});

const PRESENT = MIGRATIONS.length;
/** What a later release might do: it adds something that programs of today do not know. */
const NEXT: Migration = {
  sql: "ALTER TABLE tasks ADD COLUMN colour text NOT NULL DEFAULT 'grey'; CREATE TABLE colours (id text)",
  oldestWriter: PRESENT,
};
/** What a release after that might do: programs of today can no longer write. */
const LAST: Migration = { sql: 'ALTER TABLE tasks RENAME COLUMN state TO condition', oldestWriter: PRESENT + 1 };

const settingsOf = (schema: string) => readSettings(database.url, { schema });
const openAs = async (schema: string, steps: readonly Migration[]) => {
  const session = await Session.open(settingsOf(schema), steps);
  await session.close();
};
const versionsOf = (schema: string) =>
  database.query(`SELECT version, oldest_writer FROM "${schema}".schema_version ORDER BY version`);

it('the tables are made once, however many nodes start at the same time', async () => {
  const stores = Array.from({ length: 8 }, (_, index) =>
    postgres(database.url, { schema: 'several', pool: index % 2 ? 'session' : 'transaction', timeout: 60_000 }),
  );
  await Promise.all(stores.map(async (store) => store.open()));
  expect(await versionsOf('several')).toEqual([{ version: PRESENT, oldest_writer: 1 }]);
  const results = await Promise.all(stores.map(async (store, index) => store.commit([creation(`task ${index}`)])));
  expect(results.flat()).toEqual(stores.map(() => 'ok'));
  await Promise.all(stores.map(async (store) => store.close()));
});

it('a node of the release before goes on while, and after, the next one migrates', async () => {
  const old = postgres(database.url, { schema: 'rolling' });
  await old.open();
  const head = await accept(old, creation('task'));
  await openAs('rolling', [...MIGRATIONS, NEXT]);
  const later = await accept(old, append(head, [messageEvent(3)]));
  expect(await old.head('task')).toEqual(later);
  expect(await commitOne(old, creation('another'))).toBe('ok');
  expect((await old.list({ agent: 'agent', limit: 5 })).total).toBe(2);
  await old.close();
  const again = postgres(database.url, { schema: 'rolling' });
  await again.open();
  expect(await again.head('task')).toEqual(later);
  await again.close();
  expect((await versionsOf('rolling')).length).toBe(PRESENT + 1);
});

it('a database that programs of this release can no longer write is refused, and left alone', async () => {
  await openAs('newer', [...MIGRATIONS, NEXT, LAST]);
  const versions = await versionsOf('newer');
  await expect(postgres(database.url, { schema: 'newer' }).open()).rejects.toMatchObject({
    code: 'NEWER_SCHEMA',
    message: expect.stringMatching(/^The schema newer of .+ has version 3 of a newer release.*\.$/),
  });
  expect(await versionsOf('newer')).toEqual(versions);
});

it('a step that fails leaves the schema as it was', async () => {
  await openAs('failing', MIGRATIONS);
  const broken: Migration = { sql: 'CREATE TABLE half (id text); SELECT nonsense', oldestWriter: 1 };
  await expect(openAs('failing', [...MIGRATIONS, broken])).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect((await versionsOf('failing')).length).toBe(PRESENT);
  expect(await database.query("SELECT to_regclass('failing.half') AS half")).toEqual([{ half: null }]);
  await openAs('failing', MIGRATIONS);
});

it('a name of a schema is taken as it is', async () => {
  const schema = 'Straße "1"; DROP';
  const store = postgres(database.url, { schema });
  await store.open();
  await accept(store, creation('task'));
  expect((await store.load(['task'], { history: true, artifacts: true }))[0]?.head.id).toBe('task');
  expect(await store.purge({ endedBefore: 10, limit: 5 })).toEqual([]);
  await store.close();
});

it.each([
  ['http://127.0.0.1/x', {}],
  ['not a url', {}],
  ['postgres://127.0.0.1/x?pool=statement', {}],
  ['postgres://127.0.0.1/x?timeout=soon', {}],
  ['postgres://127.0.0.1/x', { connections: 0 }],
  ['postgres://127.0.0.1/x', { schema: '' }],
  ['postgres://127.0.0.1/x', { timeout: -1 }],
])('what cannot be meant is refused at once: %s %o', (url, options) => {
  expect(() => postgres(url, options)).toThrow(expect.objectContaining({ code: 'BAD_ADDRESS' }));
});
