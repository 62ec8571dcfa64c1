import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../http/free-port.ts';
import { isRunning, ownerOf, serverOf, signalServer } from './process.ts';
import { prepareServer, startServer, urlOf, watch } from './server.ts';

const PATIENCE_MS = 60_000;

/** An empty database. */
export interface TestDatabase {
  readonly url: string;
  /** Runs statements past the store. */
  query<Row extends object>(sql: string, cells?: readonly unknown[]): Promise<readonly Row[]>;
  drop(): Promise<void>;
}

/** A server of a test's own, which it may stop and start. */
export interface TestPostgres {
  readonly url: string;
  /** Restarts it on the same port: in order (`fast`), or as after a crash (`immediate`). */
  restart(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Ends it; `start` brings it back. */
  halt(mode?: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  /** All its processes stand still until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * An empty database, on the server of `PG_URL` or on one that all tests of a run share. The server starts when the first
 * one asks for it, as an unprivileged user where the tests run as root, and ends with the run.
 */
export async function openDatabase(): Promise<TestDatabase> {
  const server = process.env.PG_URL ?? (await sharedServer());
  const name = `parley_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
  await runOn(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => {});
  await client.connect();
  return {
    url: url.href,
    query: async (sql, cells = []) => (await client.query(sql, [...cells])).rows,
    drop: async () => {
      await client.end();
      await runOn(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** A server of its own. `isDurable`: commits wait for the disk, as a crash of the server is to show. */
export async function openPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
  watch(folder, process.pid);
  await prepareServer(folder);
  const port = await freePort();
  const start = () => startServer(folder, port, isDurable);
  const halt = async (mode: 'fast' | 'immediate' = 'fast') => {
    const pid = serverOf(folder);
    signalServer(folder, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await until(() => pid === undefined || ownerOf(pid).endsWith('-gone'));
  };
  await start();
  return {
    url: urlOf(port),
    start,
    halt,
    restart: async (mode) => {
      await halt(mode);
      await start();
    },
    pause: () => signalServer(folder, 'SIGSTOP'),
    resume: () => signalServer(folder, 'SIGCONT'),
    stop: async () => {
      signalServer(folder, 'SIGCONT');
      if (isRunning(folder)) await halt('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The workers of a test run are children of one process, which outlives them. */
function runOwner(): number {
  return process.env.VITEST_POOL_ID === undefined ? process.pid : process.ppid;
}

/** The first worker makes the folder and starts the server; the others wait for its address. */
async function sharedServer(): Promise<string> {
  const owner = runOwner();
  const folder = join(tmpdir(), `parley-postgres-of-${ownerOf(owner)}-${process.getuid?.() ?? ''}`);
  const address = join(folder, 'address');
  try {
    mkdirSync(folder, { mode: 0o755 });
  } catch {
    return waitFor(address);
  }
  watch(folder, owner);
  await prepareServer(folder);
  const port = await freePort();
  await startServer(folder, port, false);
  writeFileSync(`${address}.new`, urlOf(port));
  renameSync(`${address}.new`, address);
  return urlOf(port);
}

async function waitFor(file: string): Promise<string> {
  let text = '';
  await until(() => {
    try {
      text = readFileSync(file, 'utf8');
      return true;
    } catch {
      return false;
    }
  });
  return text;
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!isSo()) {
    if (Date.now() > end) throw new Error('The Postgres server of the tests did not come or go');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
