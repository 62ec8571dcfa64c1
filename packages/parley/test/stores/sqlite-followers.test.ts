import { join } from 'node:path';
import { expect, it } from 'vitest';
import { APPLICATION_ID, MIGRATIONS } from '../../src/stores/sqlite/file/migrations.ts';
import { faultsOfFile } from '../crash/file-check.ts';
import { ALICE } from './fixtures.ts';
import { inspect, openStore, temporaryFolder } from './sqlite-fixtures.ts';

/** The schema of the release before push configs and cursors. */
const BEFORE = 6;

it.each(['loop', 'worker'] as const)('a file without push configs takes them, and keeps them: %s', async (writer) => {
  const path = join(temporaryFolder(), 'tasks.db');
  inspect(path, (database) => {
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    for (const step of MIGRATIONS.slice(0, BEFORE)) database.exec(step);
    database.exec(`PRAGMA user_version = ${BEFORE}`);
    const status = JSON.stringify({ state: 'working', timestamp: new Date(0).toISOString() });
    database
      .prepare(
        `INSERT INTO tasks VALUES (NULL, 'old', 'agent', '', 'alice', 'talk', 1, 'working', 1, NULL, 1, 1, 0, 0, 0, ?, NULL)`,
      )
      .run(status);
    database.exec(`INSERT INTO log VALUES (1, 1, 1, 0, '[{"kind":"created","seq":1,"time":1}]')`);
    database.exec(`INSERT INTO contexts VALUES ('', 'talk', 'alice', 1, 1, 1)`);
    database.exec(`INSERT INTO counts VALUES ('agent', '', 'alice', 'working', 1)`);
  });
  const config = {
    taskId: 'old',
    id: 'hook',
    owner: ALICE,
    since: 1,
    createdAt: 5,
    dialect: 'v1_0',
    body: { url: 'u' },
  };
  const cursor = { taskId: 'old', follower: 'hook', seq: 1, lease: { number: 1, node: 'node-1' } };
  const first = await openStore(path, { writer });
  expect(await first.putPushConfig(config)).toBe(true);
  expect(await first.setCursor(cursor, 0)).toBe(true);
  await first.close();
  expect(inspect(path, (database) => database.pragma('user_version'))).toBe(MIGRATIONS.length);
  const second = await openStore(path, { writer });
  expect((await second.head('old'))?.status.state).toBe('working');
  expect(await second.listPushConfigs({ limit: 5 })).toEqual([config]);
  expect(await second.cursor('old', 'hook')).toEqual(cursor);
  expect(faultsOfFile(path)).toEqual([]);
});
