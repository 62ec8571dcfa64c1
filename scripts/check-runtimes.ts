// Checks the packed package on Bun and Deno. Fetches them, about 200 MB, into a temporary folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RUNTIMES = ['bun@1.4.4', 'deno@2.9.6', 'elysia@1.4.30'];

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
  const packages = [join(folder, tarball), ...RUNTIMES];
  return run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
}

function run(command: string, args: readonly string[]): number {
  const env = { ...process.env, PARLEY_RUNTIMES: folder };
  return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1;
}
