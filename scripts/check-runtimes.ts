// Checks the packed package on Bun, Deno and workerd. Fetches them, about 400 MB, into a temporary folder.
// `--smoke` fetches Bun and Deno alone and serves one agent on each.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const isSmoke = process.argv.includes('--smoke');
const RUNTIMES = ['bun@1.4.4', 'deno@2.9.6', ...(isSmoke ? [] : ['miniflare@4.20260730.0'])];
/** Frameworks, and what the demo needs, of the versions that the workspace tests with. */
const PEERS = isSmoke ? [] : ['elysia', 'express', 'fastify', 'hono', 'koa', 'prom-client'];
const TESTS = ['run', 'packages/parley/test/runtimes', ...(isSmoke ? ['-t', 'serves by listen'] : [])];
/** A registry that gives nothing must not hold up whoever waits for the result. */
const LONGEST_FETCH_MS = isSmoke ? 300_000 : 900_000;

const { devDependencies: versions }: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const folder = mkdtempSync(join(tmpdir(), 'parley-runtimes-'));
console.log(`Fetching ${RUNTIMES.join(', ')} into ${folder}`);
try {
  process.exitCode = pack() || install() || run('vitest', TESTS);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack(): number {
  return run('npm', ['pack', '--silent', '--workspace', 'parley-a2a', '--pack-destination', folder]);
}

function install(): number {
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const packages = [join(folder, tarball), ...RUNTIMES, ...PEERS.map((name) => `${name}@${versions[name]}`)];
  return run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages], LONGEST_FETCH_MS);
}

function run(command: string, args: readonly string[], timeout?: number): number {
  const env = { ...process.env, PARLEY_RUNTIMES: folder };
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env, timeout });
  if (error) console.error(`${command} ${args[0]} did not end in time or could not be started: ${error.message}`);
  return status ?? 1;
}
