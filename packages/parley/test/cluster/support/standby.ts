import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { freePort } from '../../support/http/free-port.ts';
import { DATA, isRunning, signalServer } from '../../support/postgres/process.ts';
import { makeCluster, makeDataFolder, runProgram, startServer, urlOf, watch } from '../../support/postgres/server.ts';

/** Where Debian has the programs of each version. */
const DEBIAN = '/usr/lib/postgresql';
const NEEDED = ['initdb', 'postgres', 'pg_basebackup', 'pg_ctl'];

/** The folder of the newest version that has all programs; the package for tests has none for standbys. */
const PROGRAMS = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
  .sort((one, other) => Number(other) - Number(one))
  .map((version) => join(DEBIAN, version))
  .find((folder) => NEEDED.every((name) => existsSync(join(folder, 'bin', name))));

/** Why there can be no standby; empty where there can be one. */
export const WITHOUT_STANDBY = PROGRAMS ? '' : `skipped: ${DEBIAN} has no server with pg_basebackup`;

/** A primary and its standby, which are reached at one address: whose it is decides `moveAddress`. */
export interface PostgresPair {
  /** Of the server that has the address now. */
  readonly url: string;
  /** Kills all processes of the primary at once (`kill -9`); it does not come back. */
  killPrimary(): Promise<void>;
  /** From now on the standby receives nothing. */
  cutOff(): Promise<void>;
  moveAddress(): void;
  /** Resolves when the standby takes writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both. `isSynchronous`: a commit is on the disks of both before anybody hears of it. */
export async function openPair({ isSynchronous }: { readonly isSynchronous: boolean }): Promise<PostgresPair> {
  const [primary, standby] = [makeFolder(), makeFolder()];
  const [port, standbyPort] = [await freePort(), await freePort()];
  await makeCluster(primary);
  await startServer(primary, port, true);
  const data = makeDataFolder(standby);
  await runProgram(standby, 'pg_basebackup', ['-D', data, '-d', urlOf(port), '-R', '-X', 'stream', '-c', 'fast', '-N']);
  await startServer(standby, standbyPort, true);
  // Only the primary has this setting: the standby, once promoted, would wait for another one.
  if (isSynchronous) appendFileSync(join(primary, DATA, 'postgresql.conf'), "synchronous_standby_names = '*'\n");
  await query(urlOf(port), 'SELECT pg_reload_conf()');
  const states = 'SELECT state, sync_state FROM pg_stat_replication';
  const expected = [{ state: 'streaming', sync_state: isSynchronous ? 'sync' : 'async' }];
  await expect.poll(() => query(urlOf(port), states)).toEqual(expected);
  let current = port;
  return {
    get url() {
      return urlOf(current);
    },
    killPrimary: () => end(primary),
    cutOff: async () => {
      appendFileSync(join(data, 'postgresql.auto.conf'), "primary_conninfo = ''\n");
      await query(urlOf(standbyPort), 'SELECT pg_reload_conf()');
      await expect.poll(() => query(urlOf(port), states)).toEqual([]);
    },
    moveAddress: () => {
      current = standbyPort;
    },
    promote: () => runProgram(standby, 'pg_ctl', ['promote', '-w', '-D', data]),
    stop: async () => {
      await end(primary);
      await end(standby);
    },
  };
}

/** Kills a server, if it is still there. Its folder goes too: the number of the process in it may soon be another's. */
async function end(folder: string): Promise<void> {
  signalServer(folder, 'SIGKILL');
  await expect.poll(() => isRunning(folder)).not.toBe(true);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

function makeFolder(): string {
  if (PROGRAMS === undefined) throw new Error(WITHOUT_STANDBY);
  const folder = mkdtempSync(join(tmpdir(), 'parley-postgres-'));
  symlinkSync(PROGRAMS, join(folder, 'programs'));
  watch(folder, process.pid);
  return folder;
}

/** On a connection of its own, past the nodes. */
async function query(url: string, sql: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
