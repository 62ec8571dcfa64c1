import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { APPLICATION_ID, MIGRATIONS } from '../../../src/stores/sqlite/file/migrations.ts';
import { faultsOfFile } from '../../crash/check/file-check.ts';
import { ALICE, creation } from '../fixtures.ts';
import { inspect, openStore, temporaryFolder } from './fixtures.ts';

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

function hook(taskId: string, id: string) {
  return { taskId, id, owner: ALICE, since: 1, createdAt: 5, dialect: 'v1_0', body: { url: 'u' } };
}

it('changes that come while another is written share one transaction, each with its own result, in their order', async () => {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => posted.mockRestore());
  const path = join(temporaryFolder(), 'tasks.db');
  const store = await openStore(path, { writer: 'worker' });
  await store.commit([creation('task')]);
  const ids = Array.from({ length: 300 }, (_, index) => `hook-${index}`);
  const puts = ids.map(async (id) => store.putPushConfig(hook('task', id)));
  const unknown = store.putPushConfig(hook('nobody', 'hook'));
  const deleted = store.deletePushConfig('task', 'hook-7');
  const again = store.deletePushConfig('task', 'hook-7');
  expect(new Set(await Promise.all(puts))).toEqual(new Set([true]));
  expect([await unknown, await deleted, await again]).toEqual([false, true, false]);
  const changes = posted.mock.calls
    .filter(([{ kind }]) => kind === 'follow')
    .map(([request]) => request.changes.length);
  expect(changes).toEqual([1, 302]);
  expect(await store.listPushConfigs({ limit: 1000 })).toHaveLength(299);
});

it('a change that cannot be written fails alone, and those that have gathered are written before the store closes', async () => {
  const path = join(temporaryFolder(), 'tasks.db');
  const store = await openStore(path, { writer: 'worker' });
  await store.commit([creation('task')]);
  const first = store.putPushConfig(hook('task', 'first'));
  const faulty = store.putPushConfig({ ...hook('task', 'faulty'), since: Number.NaN });
  const others = ['a', 'b', 'c'].map(async (id) => store.putPushConfig(hook('task', id)));
  await expect(faulty).rejects.toThrow();
  expect(await Promise.all([first, ...others])).toEqual([true, true, true, true]);
  const late = ['d', 'e', 'f'].map(async (id) => store.putPushConfig(hook('task', id)));
  await store.close();
  expect(await Promise.all(late)).toEqual([true, true, true]);
  const reopened = await openStore(path, { writer: 'worker' });
  const kept = await reopened.listPushConfigs({ limit: 1000 });
  expect(kept.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'first']);
});
