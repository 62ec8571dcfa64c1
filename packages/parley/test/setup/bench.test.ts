import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { IS_FULL } from '../support/full.ts';
import { ROOT, shellEnvironment } from './support/repository.ts';

const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];
const SERVERS = [
  'Parley, memory',
  'Parley, memory, telemetry cut out',
  'Parley, SQLite',
  'official SDK',
  'floor, simple',
  'floor, limit',
  'floor, grpc-js',
];
const ADAPTERS = ['listen', 'node:http', 'Express 5', 'Express 4', 'Fastify', 'Koa', 'fetch', 'Hono', 'Next'];

/** Requests, telemetry cut out, streams, adapters, Postgres and gRPC. The others take long even at their smallest: a full run has them too. */
const CHOSEN = ['send-jwt', 'telemetry-traced', 'fan-out', 'adapters-send', 'postgres-send', 'grpc-send'];
const ONLY = IS_FULL ? [] : CHOSEN.flatMap((name) => ['--only', name]);

// Only that every workload runs on every server: on a machine that does other things, figures say nothing.
it('the benchmark measures what it has, at its smallest', async () => {
  const run = promisify(execFile);
  const script = [...FLAGS, join(ROOT, 'bench/run.ts'), '--quick', '--rounds', '1', ...ONLY];
  const { stdout } = await run(process.execPath, script, { cwd: ROOT, env: shellEnvironment() });
  const rowsOf = (servers: readonly string[]) =>
    stdout.split('\n').filter((line) => servers.some((server) => line.includes(`| ${server} `)));
  expect(rowsOf(SERVERS).length).toBeGreaterThan(10);
  expect(rowsOf(ADAPTERS)).toHaveLength((IS_FULL ? 2 : 1) * ADAPTERS.length);
  const rows = rowsOf([...SERVERS, ...ADAPTERS]);
  expect(rows.filter((row) => row.includes('missing:') && !row.includes('not in --quick'))).toEqual([]);
  expect(stdout).toMatch(/^Targets: \d+ met, \d+ not met, \d+ not judged\.$/m);
});
