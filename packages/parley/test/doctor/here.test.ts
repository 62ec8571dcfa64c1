import { once } from 'node:events';
import { closeSync, copyFileSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlite } from 'parley-a2a/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkClock, checkNode, diskFinding } from '../../src/cli/doctor/here/machine.ts';
import { cli, objectsOf } from '../cli/support/in-process.ts';
import { tempFile } from '../support/temp-folder.ts';

interface Found {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly advice?: string;
}

/** Runs the command, by default in an empty folder with a port that is free. */
async function examined(args: readonly string[], settings: { cwd?: string; env?: Record<string, string> } = {}) {
  const cwd = settings.cwd ?? dirname(tempFile());
  const { code, stdout } = await cli(['doctor', '--json', ...args], { ...settings, cwd });
  const found: readonly Found[] = objectsOf(stdout);
  return { code, found, of: (check: string) => found.find((one) => one.check === check) };
}

async function taken(): Promise<number> {
  const server = createServer((_, response) => void response.end('something else')).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The file of a store that was closed. */
async function database(): Promise<string> {
  const file = tempFile();
  const store = sqlite(file);
  await store.open();
  await store.close();
  return file;
}

describe('parley doctor on a machine where all is well', () => {
  it('says so line by line, and leaves nothing behind', async () => {
    const file = await database();
    const before = readdirSync(dirname(file));
    const { code, found } = await examined(['--port', '0', '--db', file]);
    expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'node ok',
      'clock ok',
      'config ok',
      'access ok',
      'port ok',
      'database ok',
      'disk ok',
    ]);
    expect(code).toBe(0);
    expect(readdirSync(dirname(file))).toEqual(before);
    const lines = await cli(['doctor', '--port', '0', '--db', file], { cwd: dirname(file) });
    expect(lines.stdout).toMatch(/^OK {4}node {8}Node \d+/);
  });

  it('warns of tasks in memory, which is no failure', async () => {
    const { code, of } = await examined(['--port', '0']);
    expect([code, of('database')]).toMatchObject([0, { status: 'warn', advice: '--db FILE keeps them' }]);
  });
});

describe('parley doctor finds', () => {
  it('a port that another program has', async () => {
    const port = await taken();
    const { code, of } = await examined(['--port', String(port)]);
    expect([code, of('port')]).toMatchObject([
      1,
      { status: 'fail', message: `Port ${port} on 127.0.0.1 is taken by another program` },
    ]);
  });

  it('an address that is not of this machine, and one that others reach without auth', async () => {
    const { of } = await examined(['--port', '4000', '--host', '192.0.2.1']);
    expect(of('port')).toMatchObject({ status: 'fail', message: '192.0.2.1 is not an address of this machine' });
    expect(of('access')).toMatchObject({ status: 'fail', advice: expect.stringContaining('--keys FILE') });
  });

  it('wrong settings', async () => {
    const { code, found } = await examined([], { env: { PARLEY_PROT: '1' } });
    expect([code, found.at(-1)]).toMatchObject([
      1,
      { check: 'config', status: 'fail', message: 'There is no variable PARLEY_PROT; did you mean PARLEY_PORT?' },
    ]);
  });

  it('a file that is damaged', async () => {
    const file = await database();
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(Math.floor(statSync(file).size / 2), 7), 0, undefined, 4096);
    closeSync(handle);
    const { code, of } = await examined(['--port', '0', '--db', file]);
    expect([code, of('database')]).toMatchObject([
      1,
      { status: 'fail', message: expect.stringContaining('is damaged: ') },
    ]);
  });

  it('files of others, of a newer release, in no folder, and one that a server has', async () => {
    const folder = dirname(tempFile());
    const at = (name: string) => join(folder, name);
    writeFileSync(at('text.db'), 'no database at all, but long enough to have a header of a hundred bytes'.repeat(3));
    const newer = await database();
    const edited = new DatabaseSync(newer);
    edited.exec('PRAGMA user_version = 4711');
    edited.close();
    copyFileSync(newer, at('newer.db'));
    const inUse = sqlite(at('in-use.db'));
    await inUse.open();
    onTestFinished(async () => {
      await inUse.close();
    });
    const cases = [
      ['text.db', 'fail', /is not an SQLite database/],
      ['newer.db', 'fail', /has schema 4711 of a newer release/],
      ['nowhere/tasks.db', 'fail', /nowhere does not exist/],
      ['in-use.db', 'warn', /is in use by a server/],
      ['none.db', 'ok', /is not there yet/],
    ] as const;
    for (const [name, status, said] of cases) {
      const { of } = await examined(['--port', '0', '--db', name], { cwd: folder });
      expect([name, of('database')]).toMatchObject([name, { status, message: expect.stringMatching(said) }]);
    }
  });

  it('certificates that are missing or expired, or are for another name', async () => {
    const good = join(import.meta.dirname, '../auth/support/tls');
    const made = join(import.meta.dirname, '../adapters/support/tls');
    const pair = (folder: string, name: string) => [
      '--tls-cert',
      join(folder, `${name}.pem`),
      '--tls-key',
      join(folder, `${name}.key`),
    ];
    const found = async (...args: readonly string[]) => (await examined(['--port', '0', ...args])).of('certificate');
    expect(await found(...pair(good, 'server'))).toMatchObject({ status: 'ok' });
    expect(await found(...pair(made, 'expired'))).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('expired on'),
    });
    expect(await found(...pair(good, 'nothing'))).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('there is no file'),
    });
    expect(await found('--tls-cert', join(good, 'server.pem'))).toMatchObject({ status: 'fail' });
    const elsewhere = await found(...pair(good, 'server'), '--set', 'url=https://agents.example.com');
    expect(elsewhere).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('is not for agents.example.com'),
    });
  });
});

describe('the machine', () => {
  it('needs a Node that is new enough', () => {
    expect(['22.17.1', '20.0.0', '22.18.0', '24.0.0'].map((version) => checkNode(version).status)).toEqual([
      'fail',
      'fail',
      'ok',
      'ok',
    ]);
  });

  it('needs room', () => {
    const of = (bytes: number, files = 5) => diskFinding({ bytes, files, mostFiles: 10 }).status;
    expect([of(1e6), of(5e8), of(5e9), of(5e9, 0)]).toEqual(['fail', 'warn', 'ok', 'fail']);
  });

  it('needs the time', () => {
    const now = Date.parse('2026-11-16');
    expect(checkClock(0).status).toBe('fail');
    expect(checkClock(now, { time: now - 30_000, took: 1000 }).status).toBe('ok');
    expect(checkClock(now, { time: now + 300_000, took: 1000 })).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('299 seconds apart'),
    });
  });
});
