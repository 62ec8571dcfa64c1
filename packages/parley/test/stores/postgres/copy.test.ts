import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../../../src/engine/ports.ts';
import { postgres } from '../../../src/postgres.ts';
import { sqlite } from '../../../src/sqlite.ts';
import { copyToPostgres } from '../../../src/stores/copy/copy-to-postgres.ts';
import { cli } from '../../cli/support/in-process.ts';
import { openDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import {
  AGENT,
  ALICE,
  ALL,
  accept,
  append,
  BOB,
  body,
  chunkEvent,
  commitOne,
  creation,
  keyRecord,
  message,
  messageEvent,
  NO_LIMIT,
  statusEvent,
} from '../fixtures.ts';
import { temporaryFolder } from '../sqlite/fixtures.ts';

const TASKS = 60;
const ODD = 'odd \0 \uD800 é😀 \uFFFE"';
/** Longer than an entry of an index can be. */
const LONG = Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000))).join(
  '',
);
const OWNERS = [ALICE, BOB, { tenant: ODD, subject: ODD }, { tenant: LONG, subject: LONG }];
const NEVER = Number.MAX_SAFE_INTEGER;

let database: TestDatabase;

beforeAll(async () => {
  database = await openDatabase();
});

afterAll(async () => {
  await database.drop();
});

/** Everything that a store keeps, with the names that are hardest to keep. */
async function fill(store: Store): Promise<void> {
  for (let index = 0; index < TASKS; index += 1) {
    const owner = OWNERS[index % OWNERS.length] ?? ALICE;
    const keys = [
      keyRecord(`key ${index} ${ODD}`, {
        taskId: `task ${index}`,
        expiresAt: NEVER,
        scope: { ...owner, agent: AGENT },
      }),
    ];
    const created = creation(`task ${index}`, {
      owner,
      time: index,
      contextId: `talk ${index % 7} ${index % 2 ? ODD : LONG}`,
      keys,
    });
    let head = await accept(store, {
      ...created,
      context: [{ key: ODD, value: { index }, time: 10, lifetime: 8e15 }],
      journal: [{ number: 1, seq: 2, body: { step: ODD } }],
    });
    for (let count = 0; count < 5; count += 1) {
      head = await accept(
        store,
        append(head, [chunkEvent(head.seq + 1, ODD, `\0 ${ODD}`), messageEvent(head.seq + 2, ODD)]),
      );
    }
    if (index % 3 === 0) continue;
    const end = [statusEvent(head.seq + 1, 'completed', 100 + index)];
    await accept(
      store,
      append(head, end, { bodies: [body(ODD, 0, head.seq, ODD)], head: { lease: { number: 1, node: null } } }),
    );
  }
  await commitOne(store, { kind: 'reply', key: keyRecord('reply', { reply: message(ODD), expiresAt: NEVER }) });
  await store.putPushConfig({
    taskId: 'task 1',
    id: ODD,
    owner: BOB,
    since: 2,
    createdAt: 3,
    dialect: 'v1_0',
    body: { url: ODD },
  });
  await store.setCursor(
    { taskId: 'task 1', follower: ODD, seq: 4, lease: { number: 1, node: 'node-1' }, details: { error: ODD } },
    0,
  );
  await store.addApiKey({ id: 'one', hash: 'sha256:abc', subject: ODD, tenant: ODD, scopes: [ODD], createdAt: 1 });
  await store.keepValue('secret', 'value 😀');
  await store.shareContext(ALICE, `talk 0 ${ODD}`, ['carol']);
  await store.trim?.({ part: 'events', endedBefore: 110, limit: 5 });
}

/** All that can be asked of a store. */
async function contentsOf(store: Store): Promise<unknown> {
  const ids = Array.from({ length: TASKS }, (_, index) => `task ${index}`);
  const each = <Result>(ask: (id: string) => Result) => Promise.all(ids.map(async (id) => ask(id)));
  const lists = OWNERS.flatMap((owner) =>
    (['working', 'submitted', 'completed', undefined] as const).map(async (state) =>
      store.list({ agent: AGENT, owner, state, limit: 100 }),
    ),
  );
  return {
    tasks: await store.load(ids, ALL),
    events: await each((id) => store.read(id, 0, NO_LIMIT)),
    journals: await each((id) => store.journal(id)),
    lists: await Promise.all(lists),
    everyone: await store.list({ agent: AGENT, limit: 5 }),
    keys: await each((id) => store.key({ ...ALICE, agent: AGENT }, `key ${id.slice(5)} ${ODD}`, 0)),
    reply: await store.key({ ...ALICE, agent: AGENT }, 'reply', 0),
    push: await store.listPushConfigs({ limit: 10 }),
    cursor: await store.cursor('task 1', ODD),
    apiKeys: await store.listApiKeys(),
    value: await store.keptValue('secret'),
    state: await store.contextState({ ...BOB, agent: AGENT }, `talk 1 ${ODD}`, 11),
    shared: await store.sharedContexts({ tenant: '', subject: 'carol' }, 5),
    owner: await store.contextOwner({ tenant: ODD, subject: ODD }, `talk 2 ${ODD}`),
  };
}

it('a copy of an SQLite file has everything that the file has, and goes on from there', async () => {
  const file = join(temporaryFolder(), 'tasks.db');
  const source = sqlite(file);
  await source.open();
  await fill(source);
  const before = await contentsOf(source);
  await source.close();
  const report = await copyToPostgres(file, database.url);
  expect(report.tasks).toBe(TASKS);
  expect(report.events).toBeGreaterThan(TASKS * 5);
  const target = postgres(database.url);
  await target.open();
  expect(await contentsOf(target)).toEqual(before);
  const head = await target.head('task 0');
  if (!head) throw new Error('The task was copied');
  expect(await commitOne(target, append(head, [messageEvent(head.seq + 1)]))).toBe('ok');
  expect(await commitOne(target, creation('new'))).toBe('ok');
  expect((await target.abandoned('node-9', 0, 100)).map(({ id }) => id)).toContain('task 0');
  await target.close();
  await expect(copyToPostgres(file, database.url)).rejects.toMatchObject({
    code: 'IN_USE',
    message: expect.stringMatching(/has rows in tasks already; copy into an empty database/),
  });
});

it('a copy refuses a file that a server uses, one that is not there, and one that is none of ours', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'tasks.db');
  const store = sqlite(file);
  await store.open();
  const url = `${database.url}?schema=other`;
  await expect(copyToPostgres(file, url)).rejects.toMatchObject({ code: 'IN_USE' });
  await store.close();
  await expect(copyToPostgres(join(folder, 'none.db'), url)).rejects.toMatchObject({ code: 'NOT_WRITABLE' });
  await expect(copyToPostgres(import.meta.filename, url)).rejects.toMatchObject({ code: 'FOREIGN_FILE' });
  await expect(copyToPostgres(file, 'mysql://127.0.0.1/x')).rejects.toMatchObject({ code: 'BAD_ADDRESS' });
  expect(await copyToPostgres(file, url)).toEqual({ tasks: 0, events: 0 });
});

it('parley db copy does it from a shell, and says where it cannot', async () => {
  const folder = temporaryFolder();
  const store = sqlite(join(folder, 'tasks.db'));
  await store.open();
  await accept(store, creation('task'));
  await store.close();
  const url = new URL(`${database.url}?schema=shell`);
  url.password = 'secret';
  const copy = (...words: readonly string[]) => cli(['db', 'copy', ...words], { cwd: folder });
  const done = await copy('tasks.db', url.href);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toMatch(/schema=shell has all of tasks\.db: 1 task, 2 events\.\n$/);
  const again = await copy('sqlite:tasks.db', url.href, '--json');
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('has rows in tasks already');
  expect(await copy('none.db', url.href)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no none.db'),
  });
  for (const words of [['tasks.db'], ['tasks.db', 'copy.db'], [url.href, 'tasks.db']]) {
    expect((await copy(...words)).code).toBe(2);
  }
  expect(JSON.stringify([done, again])).not.toContain('secret');
});
