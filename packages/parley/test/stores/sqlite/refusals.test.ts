import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { A2AServer } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StoreError, sqlite } from '../../../src/sqlite.ts';
import { agentOf } from '../../support/script.ts';
import { ended, inspect, openElsewhere, openStore, temporaryFolder } from './fixtures.ts';

describe.each(['loop', 'worker'] as const)('a file that cannot be used, written on the %s', (writer) => {
  const refusalOf = async (path: string): Promise<readonly [string, string]> => {
    try {
      await sqlite(path, { writer }).open();
    } catch (error) {
      if (error instanceof StoreError) return [error.code, error.message];
      throw error;
    }
    throw new Error('The file was opened');
  };

  it('is refused and left as it is when another program has made it', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'foreign.db');
    inspect(path, (database) => database.exec('CREATE TABLE notes (text TEXT)'));
    const before = readFileSync(path);
    const sentence = `${path} is an SQLite database of another program, so it is left alone.`;
    expect(await refusalOf(path)).toEqual(['FOREIGN_FILE', sentence]);
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(['foreign.db']);
  });

  it('is refused and left as it is when it is no database', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'notes.txt');
    writeFileSync(path, 'Buy milk.\n'.repeat(500));
    const sentence = `${path} is not an SQLite database, so it is left alone.`;
    expect(await refusalOf(path)).toEqual(['FOREIGN_FILE', sentence]);
    expect(readdirSync(folder)).toEqual(['notes.txt']);
  });

  it('is refused when it is a folder', async () => {
    const path = temporaryFolder();
    expect(await refusalOf(path)).toEqual(['FOREIGN_FILE', `${path} is a folder, not a database file.`]);
  });

  it('is refused when its folder does not exist', async () => {
    const folder = join(temporaryFolder(), 'missing');
    const path = join(folder, 'tasks.db');
    const sentence = `${path} cannot be written: the folder ${folder} does not exist.`;
    expect(await refusalOf(path)).toEqual(['NOT_WRITABLE', sentence]);
  });

  it('is refused when a newer release has written it', async () => {
    const path = join(temporaryFolder(), 'tasks.db');
    await (await openStore(path)).close();
    inspect(path, (database) => database.exec('PRAGMA user_version = 99'));
    const [code, sentence] = await refusalOf(path);
    expect(code).toBe('NEWER_SCHEMA');
    expect(sentence).toMatch(/tasks\.db has schema 99 of a newer release \(this release knows schema \d+\)\.$/);
  });

  it('is refused when it is damaged', async () => {
    const path = join(temporaryFolder(), 'tasks.db');
    await (await openStore(path)).close();
    const content = readFileSync(path);
    writeFileSync(path, content.fill(0xff, 100, 4_096));
    const [code, sentence] = await refusalOf(path);
    expect(code).toBe('CORRUPT');
    expect(sentence).toContain(`${path} is damaged: `);
  });

  it('is named at the start where the damage is behind its first page', async () => {
    const path = join(temporaryFolder(), 'tasks.db');
    await (await openStore(path)).close();
    const content = readFileSync(path);
    writeFileSync(path, content.fill(0xff, 4_096));
    const server = new A2AServer({ agents: [agentOf(() => 'done')], store: sqlite(path, { writer }) });
    onTestFinished(() => server.close());
    const refused = server.open();
    await expect(refused).rejects.toBeInstanceOf(StoreError);
    await expect(refused).rejects.toMatchObject({
      code: 'CORRUPT',
      message: expect.stringContaining(`${path} is damaged: `),
    });
  });

  it.each([
    ['the file', 0o444, 0o777],
    ['the folder of a new file', undefined, 0o555],
    ['the folder of an old file', 0o666, 0o555],
  ])('is refused when %s is read-only', async (_, fileMode, folderMode) => {
    const folder = temporaryFolder();
    const path = join(folder, 'tasks.db');
    if (fileMode !== undefined) {
      await (await openStore(path)).close();
      chmodSync(path, fileMode);
      chmodSync(`${path}-lock`, 0o666);
    }
    chmodSync(folder, folderMode);
    const { said } = await openElsewhere(path, writer, { plainUser: true });
    expect(said).toMatch(/^NOT_WRITABLE .*tasks\.db cannot be written: the (file|folder .*) is read-only\.$/);
  });

  it('is refused while another store of this process has it, also by another name', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'tasks.db');
    const link = join(folder, 'link.db');
    symlinkSync(path, link);
    const advice = 'is in use by another server: stop that one first or give this one another file.';
    const holder = await openStore(link, { writer });
    expect(await refusalOf(path)).toEqual(['IN_USE', `${path} ${advice}`]);
    expect(await refusalOf(link)).toEqual(['IN_USE', `${link} ${advice}`]);
    await holder.close();
    await openStore(path, { writer });
  });

  it('is refused while the same store has it', async () => {
    const store = await openStore(join(temporaryFolder(), 'tasks.db'), { writer });
    await expect(Promise.resolve(store.open())).rejects.toMatchObject({ code: 'IN_USE' });
  });

  it('is refused to another process, and at once', async () => {
    const path = join(temporaryFolder(), 'tasks.db');
    await openStore(path, { writer });
    const { said } = await openElsewhere(path, writer);
    expect(said).toMatch(/^IN_USE .*tasks\.db is in use by another server: /);
  });

  it('is free again when the process that had it was killed', async () => {
    const path = join(temporaryFolder(), 'tasks.db');
    const { process: holder, said } = await openElsewhere(path, writer);
    expect(said).toBe('open');
    const start = performance.now();
    expect(await refusalOf(path)).toMatchObject(['IN_USE', expect.any(String)]);
    // SQLite, where it waits at all, is mostly told to wait five seconds.
    expect(performance.now() - start).toBeLessThan(4_500);
    holder.kill('SIGKILL');
    await ended(holder);
    await openStore(path, { writer });
  });

  it('is refused when something else lies where the lock should be', async () => {
    const path = join(temporaryFolder(), 'tasks.db');
    mkdirSync(`${path}-lock`);
    expect(await refusalOf(path)).toEqual([
      'NOT_WRITABLE',
      `${path}-lock cannot be written: unable to open database file.`,
    ]);
  });
});
