import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { openPostgres, type TestPostgres } from '../packages/parley/test/support/postgres/postgres.ts';

/** The address of the server that all nodes of a run share, for their processes. */
export const POSTGRES_VARIABLE = 'BENCH_POSTGRES';

/** Ticks of `/proc` in a second, on Linux. */
const TICKS = 100;

let server: Promise<TestPostgres> | undefined;

/** Starts a Postgres server whose commits wait for the disk, unless `BENCH_POSTGRES` names one. */
export async function needPostgres(): Promise<void> {
  if (process.env[POSTGRES_VARIABLE] !== undefined) return;
  server ??= openPostgres({ isDurable: true });
  process.env[POSTGRES_VARIABLE] = (await server).url;
}

export async function stopPostgres(): Promise<void> {
  await (await server)?.stop();
}

/** The CPU time of all processes of the server so far, in µs; those of connections that were closed included. */
export async function postgresCpu(): Promise<number> {
  const client = new pg.Client({ connectionString: process.env[POSTGRES_VARIABLE] });
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const parent = factsOf(String(rows[0]?.pid))?.[1];
  await client.end();
  if (parent === undefined) throw new Error('The processes of Postgres are not on this machine');
  const children = readdirSync('/proc').filter((name) => factsOf(name)?.[1] === parent);
  const ticksOf = (facts: readonly string[] | undefined, members: readonly number[]) =>
    members.reduce((sum, member) => sum + Number(facts?.[member] ?? 0), 0);
  const ticks = children.reduce((sum, child) => sum + ticksOf(factsOf(child), OWN), 0);
  return ((ticks + ticksOf(factsOf(parent), [...OWN, ...OF_CHILDREN])) / TICKS) * 1e6;
}

/** User and system time of a process, and of its children that have ended. */
const OWN = [11, 12] as const;
const OF_CHILDREN = [13, 14] as const;

/** The members of `/proc/PID/stat` after the name of the program, which may hold spaces. */
function factsOf(pid: string): readonly string[] | undefined {
  if (!/^\d+$/.test(pid)) return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
