// Checks the packed package on Bun, Deno and workerd. Fetches them, about 350 MB, into a temporary folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RUNTIMES = ['bun@1.4.4', 'deno@2.9.6', 'miniflare@4.20260730.0'];
/** Frameworks, and what the demo needs, of the versions that the workspace tests with. */
const PEERS = ['elysia', 'express', 'fastify', 'hono', 'koa', 'prom-client'];

const { devDependencies: versions }: { readonly devDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const folder = mkdtempSync(join(tmpdir(), 'parley-runtimes-'));
console.log(`Fetching ${RUNTIMES.join(', ')} into ${folder}`);
try {
  process.exitCode = pack() || install() || run('vitest', ['run', 'packages/parley/test/runtimes']);
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
  return run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
}

function run(command: string, args: readonly string[]): number {
  const env = { ...process.env, PARLEY_RUNTIMES: folder };
  return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1;
}
