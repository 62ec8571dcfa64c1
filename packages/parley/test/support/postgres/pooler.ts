import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, chownSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../http/free-port.ts';
import { PATIENCE_MS } from '../patience.ts';

/** A PgBouncer before a database server, which hands out its connections for one transaction each. */
export interface Pooler {
  /** The address of the database behind it. */
  readonly url: string;
  stop(): Promise<void>;
}

const NOBODY = 65_534;
/** PgBouncer does not run as root. */
const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
/** Few connections for many clients, so that each transaction of a client may have another one. */
const SERVER_CONNECTIONS = 4;

const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/usr/local/bin'];
const PROGRAM = FOLDERS.map((folder) => join(folder, 'pgbouncer')).find(isExecutable);

/** For titles of suites: undefined where there is a pooler, otherwise why not. */
export const WITHOUT_POOLER = PROGRAM ? undefined : 'skipped: there is no pgbouncer on the PATH';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a pooler before the server of a database. */
export async function startPooler(database: string): Promise<Pooler> {
  if (!PROGRAM) throw new Error('There is no pgbouncer on the PATH');
  const { hostname, port: serverPort } = new URL(database);
  const folder = mkdtempSync(join(tmpdir(), 'parley-pooler-'));
  const port = await freePort();
  const settings = [
    ...['[databases]', `* = host=${hostname} port=${serverPort}`],
    ...[
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'pool_mode = transaction',
    ],
    ...['auth_type = trust', `auth_file = ${join(folder, 'users')}`, `logfile = ${join(folder, 'log')}`],
    ...['max_client_conn = 500', `default_pool_size = ${SERVER_CONNECTIONS}`, 'server_login_retry = 1'],
  ];
  writeFileSync(join(folder, 'users'), '"postgres" ""\n');
  writeFileSync(join(folder, 'pooler.ini'), `${settings.join('\n')}\n`);
  chmodSync(folder, 0o755);
  if (USER.uid !== undefined) chownSync(folder, USER.uid, USER.gid);
  const child = spawn(PROGRAM, ['-q', join(folder, 'pooler.ini')], { ...USER, cwd: '/', stdio: 'ignore' });
  const exited = once(child, 'exit');
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const url = new URL(database);
  url.port = String(port);
  await untilReady(url.href, child, join(folder, 'log'));
  return {
    url: url.href,
    stop: async () => {
      process.off('exit', end);
      if (child.exitCode === null && child.signalCode === null) {
        end();
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, child: ChildProcess, log: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PATIENCE_MS });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > until)
        throw new Error(`PgBouncer did not start: ${readFileSync(log, 'utf8')}`, { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
