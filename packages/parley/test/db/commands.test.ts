import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { A2AServer, defineAgent } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockFile } from '../../src/stores/sqlite/file/lock.ts';
import { APPLICATION_ID, MIGRATIONS } from '../../src/stores/sqlite/file/migrations.ts';
import { complete } from '../cli/support/child.ts';
import { cli, objectsOf } from '../cli/support/in-process.ts';
import { inspect, openStore } from '../stores/sqlite/fixtures.ts';
import { RpcPeer } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';
import { addTask, contentOf, contentOfFile, fillFile, idOf } from './filled-file.ts';

const beside = (file: string, name: string) => join(dirname(file), name);

describe('parley db info', () => {
  it('tells figures of a file, and changes nothing in its folder', async () => {
    const file = tempFile();
    await fillFile(file, 10);
    const before = [readFileSync(file), readdirSync(dirname(file))];
    const { code, stdout } = await cli(['db', 'info', file, '--json']);
    expect(code).toBe(0);
    expect(objectsOf(stdout)).toEqual([
      {
        file,
        schema: MIGRATIONS.length,
        latestSchema: MIGRATIONS.length,
        isInUse: false,
        bytes: statSync(file).size,
        walBytes: 0,
        pageBytes: 4096,
        pages: statSync(file).size / 4096,
        freePages: 0,
        tasks: 10,
        states: { completed: 8, working: 2 },
        trimmed: 0,
        rows: { contexts: 10, logRows: 60, artifacts: 8, journalEntries: 10, keys: 10, webhooks: 10, apiKeys: 0 },
        oldestTask: 1,
        oldestEnd: 10,
        latestChange: 10,
      },
    ]);
    const shown = await cli(['db', 'info', file]);
    expect(shown.stdout).toMatch(/^tasks +10: 8 completed, 2 working$/m);
    expect([readFileSync(file), readdirSync(dirname(file))]).toEqual(before);
  });

  it('refuses what is no file of tasks', async () => {
    const file = tempFile('notes.txt');
    writeFileSync(file, 'Notes'.repeat(1000));
    for (const action of ['info', 'verify', 'migrate']) {
      const { code, stderr } = await cli(['db', action, 'missing.db'], { cwd: dirname(file) });
      expect([code, stderr]).toEqual([
        1,
        'parley: There is no missing.db. Name the file that serve --db or PARLEY_DB names.\n',
      ]);
      expect((await cli(['db', action, file])).code).toBe(1);
    }
    const { stderr } = await cli(['db', 'info', file, '--json']);
    expect(JSON.parse(stderr).error).toEqual({
      code: 'FOREIGN_FILE',
      message: `${file} is not an SQLite database, so it is left alone. Name the file that serve --db or PARLEY_DB names.`,
    });
    const empty = beside(file, 'empty.db');
    writeFileSync(empty, '');
    for (const action of ['info', 'verify']) {
      const { code, stderr: said } = await cli(['db', action, empty]);
      expect([code, said]).toEqual([1, expect.stringContaining('empty.db is empty')]);
    }
    const foreign = beside(file, 'foreign.db');
    inspect(foreign, (database) => database.exec('CREATE TABLE tasks (id TEXT)'));
    const refused = await cli(['db', 'verify', foreign]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('of another program')]);
    expect((await cli(['db', 'info', dirname(file)])).stderr).toContain('is not a file');
  });

  it.each([
    [['db', 'inf', 'x'], 'db cannot inf; did you mean info?'],
    [['db', 'backup', 'x'], 'db backup needs FILE and COPY, and no more'],
    [['db', 'info', 'x', 'y'], 'db info needs FILE, and no more'],
    [['db', 'info', 'x', '--force'], '--force belongs to db backup and db restore'],
    [['db', 'backup', 'x', 'y', '--salvage', 'z'], '--salvage belongs to db verify'],
  ])('%j is a mistake', async (args, problem) => {
    const { code, stderr } = await cli(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});

describe('parley db backup and restore', () => {
  it('bring back every task, event by event', async () => {
    const file = tempFile();
    await fillFile(file, 60);
    const content = await contentOfFile(file, 60);
    const copy = beside(file, 'copy.db');
    expect(await cli(['db', 'backup', file, copy])).toMatchObject({ code: 0, stdout: /./ });
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const restored = beside(file, 'restored.db');
    const { code, stdout } = await cli(['db', 'restore', copy, restored, '--json']);
    expect([code, objectsOf(stdout)]).toEqual([
      0,
      [{ copy, file: restored, bytes: statSync(restored).size, tasks: 60 }],
    ]);
    expect(await contentOfFile(restored, 60)).toEqual(content);
    expect(content.size).toBe(60);
    expect(readdirSync(dirname(file)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('overwrite nothing unasked, and keep what was replaced', async () => {
    const file = tempFile();
    await fillFile(file, 5);
    const copy = beside(file, 'copy.db');
    await cli(['db', 'backup', file, copy]);
    const again = await cli(['db', 'backup', file, copy]);
    expect([again.code, again.stderr]).toEqual([1, `parley: ${copy} is there already; --force overwrites it.\n`]);
    expect((await cli(['db', 'backup', file, copy, '--force'])).code).toBe(0);
    expect((await cli(['db', 'backup', file, file, '--force'])).stderr).toContain('is the file itself');
    const link = beside(file, 'link.db');
    symlinkSync(file, link);
    expect((await cli(['db', 'backup', file, link, '--force'])).stderr).toContain('is the file itself');
    const release = lockFile(file, file);
    for (const args of [
      ['backup', copy, link],
      ['restore', copy, link],
    ]) {
      const served = await cli(['db', ...args, '--force']);
      expect([served.code, served.stderr]).toEqual([1, expect.stringContaining('is in use')]);
    }
    release();
    const store = await openStore(file, { writer: 'loop' });
    await addTask(store, 5);
    await store.close();
    const refused = await cli(['db', 'restore', copy, file]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has tasks; --force replaces it')]);
    expect((await contentOfFile(file, 6)).size).toBe(6);
    const { stdout } = await cli(['db', 'restore', copy, file, '--force', '--json']);
    expect((await contentOfFile(file, 6)).size).toBe(5);
    const [{ replaced }] = objectsOf(stdout) as [{ replaced: string }];
    expect((await contentOfFile(replaced, 6)).size).toBe(6);
  });

  it('replace a file that is destroyed, and put nothing in its place that is', async () => {
    const file = tempFile();
    await fillFile(file, 5);
    const copy = beside(file, 'copy.db');
    await cli(['db', 'backup', file, copy]);
    const destroyed = beside(file, 'destroyed.db');
    writeFileSync(destroyed, Buffer.alloc(8192, 7));
    expect((await cli(['db', 'restore', destroyed, file, '--force'])).code).toBe(1);
    expect((await contentOfFile(file, 5)).size).toBe(5);
    expect(await cli(['db', 'restore', copy, destroyed, '--force'])).toMatchObject({ code: 0 });
    expect((await contentOfFile(destroyed, 5)).size).toBe(5);
    const torn = beside(file, 'torn.db');
    writeFileSync(torn, readFileSync(copy).fill(0x55, 9 * 4096, 10 * 4096));
    expect((await cli(['db', 'restore', torn, file, '--force'])).stderr).toMatch(/damaged|malformed/);
    expect((await contentOfFile(file, 5)).size).toBe(5);
  });

  it('work in a folder of the copy that may not be there, with a clear refusal', async () => {
    const file = tempFile();
    await fillFile(file, 1);
    const { stderr } = await cli(['db', 'backup', file, beside(file, 'no/copy.db')]);
    expect(stderr).toContain('does not exist');
    mkdirSync(beside(file, 'folder'));
    expect((await cli(['db', 'backup', file, beside(file, 'folder')])).stderr).toContain('is a folder');
  });

  it('copy one moment of a file while a server writes it, and refuse to restore over it', async () => {
    const file = tempFile();
    const agent = defineAgent({
      name: 'writer',
      description: 'Writes',
      version: '1.0.0',
      async *run(task) {
        for (let piece = 0; piece < 20; piece += 1) yield `${task.text} ${piece} ${'x'.repeat(200)}`;
      },
    });
    const server = await new A2AServer({ agents: [agent], store: sqlite(file), drainTimeout: 0 }).listen({ port: 0 });
    onTestFinished(() => server.close());
    const peer = new RpcPeer((request) => fetch(request), `${server.url}/a2a`);
    const answered: string[] = [];
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) answered.push((await peer.send('write')).id);
    });
    while (answered.length < 20) await new Promise(setImmediate);
    const before = [...answered];
    const copy = beside(file, 'copy.db');
    const made = await complete(['db', 'backup', file, copy]);
    expect([made.code, made.stderr]).toEqual([0, '']);
    const looked = await complete(['db', 'verify', file]);
    expect([looked.code, looked.stdout]).toEqual([0, expect.stringContaining('is sound')]);
    const refused = await complete(['db', 'restore', copy, file, '--force']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('in use')]);
    isOver = true;
    await Promise.all(load);
    await server.close();
    expect((await cli(['db', 'verify', copy])).stdout).toMatch(/is sound/);
    const live = await openStore(file, { writer: 'loop' });
    const saved = await openStore(copy, { writer: 'loop' });
    const wanted = await contentOf(live, before);
    expect(wanted.size).toBe(before.length);
    expect(await contentOf(saved, before)).toEqual(wanted);
  });
});

describe('parley db migrate', () => {
  it('brings a file of an earlier release forward, after a copy was made', async () => {
    const file = tempFile();
    inspect(file, (database) => {
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      for (const step of MIGRATIONS.slice(0, 12)) database.exec(step);
      database.exec('PRAGMA user_version = 12');
      database.exec(`INSERT INTO tasks VALUES (1, '${idOf(0)}', 'agent', '', 'alice', 'talk', 1, 'completed', 10, NULL, 1, 1,
        0, 0, 0, '{"state":"completed","timestamp":"1970-01-01T00:00:00.010Z"}', NULL)`);
      const event =
        '[{"kind":"status","seq":1,"time":1,"consumed":0,"status":{"state":"completed","timestamp":"1970-01-01T00:00:00.010Z"}}]';
      database.exec(`INSERT INTO log VALUES (1, 1, 1, 1, '${event}')`);
      database.exec(`INSERT INTO contexts VALUES ('', 'alice', 'talk', 1, 1, 1)`);
      database.exec(`INSERT INTO counts VALUES ('agent', '', 'alice', 'completed', 1)`);
    });
    expect((await cli(['db', 'info', file])).stdout).toContain(
      `12; this release has ${MIGRATIONS.length} (db migrate)`,
    );
    expect((await cli(['db', 'verify', file])).code).toBe(0);
    const { code, stdout } = await cli(['db', 'migrate', file, '--json']);
    const backup = `${file}.schema-12.backup`;
    expect([code, objectsOf(stdout)]).toEqual([0, [{ file, from: 12, to: MIGRATIONS.length, backup }]]);
    expect(inspect(backup, (database) => database.pragma('user_version'))).toBe(12);
    expect((await cli(['db', 'verify', file])).code).toBe(0);
    expect((await cli(['db', 'migrate', file])).stdout).toContain('already; nothing was done');
    expect((await contentOfFile(file, 1)).size).toBe(1);
  });

  it('refuses a file of a newer release, and one that a server uses', async () => {
    const file = tempFile();
    inspect(file, (database) => {
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; CREATE TABLE x (y); PRAGMA user_version = 999`);
    });
    for (const action of ['info', 'verify', 'migrate']) {
      const { code, stderr } = await cli(['db', action, file]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('has schema 999 of a newer release')]);
    }
    const old = tempFile();
    inspect(old, (database) => {
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      for (const step of MIGRATIONS.slice(0, 12)) database.exec(step);
      database.exec('PRAGMA user_version = 12');
    });
    // Opening it would bring it up to date, so the lock alone stands for the server.
    const release = lockFile(old, old);
    const { code, stderr } = await cli(['db', 'migrate', old]);
    release();
    expect([code, stderr]).toEqual([1, expect.stringContaining('is in use by another server')]);
    expect(inspect(old, (database) => database.pragma('user_version'))).toBe(12);
    expect((await cli(['db', 'migrate', old])).code).toBe(0);
  });
});
