import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SOUND_CHECKS } from '../../src/stores/sqlite/care/sound-checks.ts';
import type { Database } from '../../src/stores/sqlite/file/driver.ts';
import { cli, objectsOf } from '../cli/support/in-process.ts';
import { faultsOfFile } from '../crash/check/file-check.ts';
import { inspect } from '../stores/sqlite/fixtures.ts';
import type { Wire } from '../support/rpc.ts';
import { tempFile } from '../support/temp-folder.ts';
import { type Content, contentOfFile, fillFile } from './filled-file.ts';

const TASKS = 150;
const PAGE = 4096;

/** A sound file for all tests, made once. */
let made: Promise<{ readonly bytes: Buffer; readonly content: ReadonlyMap<string, Content> }> | undefined;

async function soundFile() {
  made ??= (async () => {
    const file = tempFile();
    await fillFile(file, TASKS);
    return { bytes: readFileSync(file), content: await contentOfFile(file, TASKS) };
  })();
  return made;
}

/** The leaf pages of a table or an index, by SQLite's own account. */
function pagesOf(file: string, name: string, kind = 'leaf'): readonly number[] {
  return inspect(file, (database: Database) => leafPages(database, file, name, kind));
}

/** Walks the tree from its root page, as the file format says (section 1.6). */
function leafPages(database: Database, file: string, name: string, kind: string): readonly number[] {
  const root = database.prepare<{ rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name);
  const bytes = readFileSync(file);
  const leaves: number[] = [];
  const inner: number[] = [];
  const walk = (page: number) => {
    const at = (page - 1) * PAGE;
    const type = bytes[at] ?? 0;
    if (type === 0x0a || type === 0x0d) {
      leaves.push(page);
      return;
    }
    inner.push(page);
    const cells = bytes.readUInt16BE(at + 3);
    for (let cell = 0; cell < cells; cell += 1) {
      walk(bytes.readUInt32BE(at + bytes.readUInt16BE(at + 12 + 2 * cell)));
    }
    walk(bytes.readUInt32BE(at + 8));
  };
  walk(root?.rootpage ?? 0);
  return kind === 'leaf' ? leaves : inner;
}

const middle = (pages: readonly number[]) => pages[Math.floor(pages.length / 2)] ?? 1;

function overwrite(file: string, page: number, value = 0x55, pages = 1): void {
  const bytes = readFileSync(file);
  bytes.fill(value, (page - 1) * PAGE, (page - 1 + pages) * PAGE);
  writeFileSync(file, bytes);
}

/** Everything of a task but the seq of its artifacts, which nobody sees. */
function shown(content: Pick<Content, 'stored' | 'events'> | undefined): string {
  const { head, bodies = [], events } = content?.stored ?? {};
  return JSON.stringify([head, bodies.map(({ artifact }) => artifact), events, content?.events]);
}

/** Damages a file in a way, and says how many tasks must be saved, and how many of them whole, at least. */
const DAMAGES: Readonly<Record<string, readonly [(file: string) => void, tasks: number, whole: number]>> = {
  'a page of heads is overwritten': [(file) => overwrite(file, middle(pagesOf(file, 'tasks'))), TASKS, TASKS - 30],
  'the last page of heads is overwritten': [
    (file) => overwrite(file, pagesOf(file, 'tasks').at(-1) ?? 1),
    TASKS,
    TASKS - 30,
  ],
  'the inner page of heads is zero': [(file) => overwrite(file, pagesOf(file, 'tasks', 'inner')[0] ?? 1, 0), TASKS, 1],
  'a page of events is zero': [(file) => overwrite(file, middle(pagesOf(file, 'log')), 0), TASKS, TASKS - 10],
  'ten pages of events are overwritten': [
    (file) => overwrite(file, middle(pagesOf(file, 'log')), 0xff, 10),
    TASKS - 60,
    50,
  ],
  'a page of an index of events is overwritten': [
    (file) => overwrite(file, middle(pagesOf(file, 'log_of_task'))),
    TASKS,
    TASKS,
  ],
  'a page of artifacts is overwritten': [(file) => overwrite(file, middle(pagesOf(file, 'artifacts'))), TASKS, TASKS],
  'a page of the ids is overwritten': [
    (file) => overwrite(file, middle(pagesOf(file, 'sqlite_autoindex_tasks_1'))),
    TASKS,
    TASKS,
  ],
  'a page of webhooks is overwritten': [(file) => overwrite(file, middle(pagesOf(file, 'push_configs'))), TASKS, 20],
  'the header is overwritten': [(file) => writeFileSync(file, readFileSync(file).fill(0, 0, 100)), TASKS, TASKS],
  'a text of an event is changed': [
    (file) => {
      const bytes = readFileSync(file);
      const at = bytes.indexOf('[{"kind":"artifact"', middle(pagesOf(file, 'log')) * PAGE);
      writeFileSync(file, bytes.fill('#', at, at + 4));
    },
    TASKS,
    TASKS - 1,
  ],
  'the file ends in the middle': [
    (file) => truncateSync(file, Math.floor(readFileSync(file).length / PAGE / 2) * PAGE),
    1,
    0,
  ],
};

describe('parley db verify', () => {
  it('finds nothing in a sound file', async () => {
    const file = tempFile();
    const { bytes, content } = await soundFile();
    writeFileSync(file, bytes);
    const { code, stdout } = await cli(['db', 'verify', file, '--json']);
    const events = [...content.values()].reduce((sum, one) => sum + one.events.length, 0);
    expect([code, objectsOf(stdout)]).toEqual([
      0,
      [{ file, isSound: true, schema: 13, tasks: TASKS, events, isInUse: false, bytes: bytes.length, faults: [] }],
    ]);
  });

  it.each([
    [
      'UPDATE tasks SET seq = seq + 1 WHERE key = 7',
      /not where its log ends/,
      /its log ends at 7, and its head is at 8/,
    ],
    ['DELETE FROM log WHERE task = 9 AND seq_to = 5', /a gap or an overlap in a log/, /event 5 is missing/],
    [
      "UPDATE artifacts SET body = replace(body, 'task', 'TASK') WHERE task = 3",
      /its artifacts are not what its events make/,
    ],
    [
      `UPDATE tasks SET status = replace(status, 'completed', 'failed') WHERE key = 4`,
      /state is not that of its status/,
    ],
    ['UPDATE tasks SET lease_number = 0 WHERE key = 4', /a lease without a number/],
    ["UPDATE push_configs SET since = 99 WHERE task_id = 'task-0003'", /behind the end of its task/],
    ['DELETE FROM tasks WHERE key = 5', /rows of no task/, /counters that do not fit/],
    ["UPDATE contexts SET tasks = tasks + 1 WHERE id = 'talk 3'", /a context that miscounts its tasks/],
    ["DELETE FROM contexts WHERE id = 'talk 3'", /or none for a task/],
    ["UPDATE counts SET tasks = tasks + 1 WHERE state = 'completed'", /counters that do not fit/],
    ["DELETE FROM journal WHERE task = 3; INSERT INTO journal VALUES (3, 2, 3, '{}')", /a gap in a journal/],
  ])('finds what %s leaves behind', async (change, ...problems) => {
    const file = tempFile();
    writeFileSync(file, (await soundFile()).bytes);
    inspect(file, (database) => database.exec(change));
    const { code, stdout } = await cli(['db', 'verify', file]);
    expect(code).toBe(1);
    for (const problem of problems) expect(stdout).toMatch(problem);
  });

  it('compares no two tables row by row, however many rows they have', async () => {
    const file = tempFile();
    writeFileSync(file, (await soundFile()).bytes);
    for (const [fault, sql] of Object.entries(SOUND_CHECKS)) {
      const steps = inspect(file, (database) =>
        database
          .prepare<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => detail),
      );
      expect(
        steps.filter((step) => /^SCAN .*JOIN/.test(step)),
        fault,
      ).toEqual([]);
    }
  });

  it.each(Object.entries(DAMAGES))('names the damage and saves what can be saved: %s', async (_, damage) => {
    const [harm, leastTasks, leastWhole] = damage;
    const { bytes, content } = await soundFile();
    const file = tempFile();
    writeFileSync(file, bytes);
    harm(file);
    const harmed = readFileSync(file);

    const told = await cli(['db', 'verify', file]);
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(/^FAULT /);
    expect(told.stdout).toContain('is damaged (');
    expect(told.stderr).toContain('--salvage NEW');

    const saved = join(dirname(file), 'saved.db');
    const { code, stdout, stderr } = await cli(['db', 'verify', file, '--salvage', saved, '--json']);
    expect([code, stderr]).toEqual([1, '']);
    const [{ salvage }] = objectsOf(stdout) as [Wire];
    expect(salvage).toMatchObject({ file: saved, isSound: true });
    expect(faultsOfFile(saved)).toEqual([]);
    expect(readFileSync(file).equals(harmed)).toBe(true);
    expect(existsSync(`${saved}.damaged-copy`)).toBe(false);

    const found = await contentOfFile(saved, TASKS);
    expect(salvage.tasks).toBe(found.size);
    expect(found.size).toBeGreaterThanOrEqual(leastTasks);
    let whole = 0;
    for (const [id, { stored, events, journal, webhooks }] of found) {
      const before = content.get(id);
      const isWhole = shown({ stored, events }) === shown(before);
      if (isWhole) whole += 1;
      // What is there is what was there: no event differs, and none is made up but the last status of a shortened log.
      if (salvage.shortened.includes(id)) continue;
      expect(events).toEqual(before?.events);
      expect(stored.head.status).toEqual(before?.stored.head.status);
      if (JSON.stringify(journal) !== '[]') expect(journal).toEqual(before?.journal);
      if (JSON.stringify(webhooks) !== '[]') expect(webhooks).toEqual(before?.webhooks);
    }
    expect(whole).toBeGreaterThanOrEqual(leastWhole);
  });

  it('says that nothing can be saved where the list of tables is gone, and leaves nothing behind', async () => {
    const file = tempFile();
    writeFileSync(file, (await soundFile()).bytes);
    overwrite(file, 1, 0);
    const saved = join(dirname(file), 'saved.db');
    const { code, stderr } = await cli(['db', 'verify', file, '--salvage', saved]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/Nothing can be saved from .*: its list of tables is destroyed/),
    ]);
    expect(existsSync(saved)).toBe(false);
    copyFileSync(file, saved);
    const refused = await cli(['db', 'verify', file, '--salvage', saved]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is there already; name a new file')]);
  });
});
