// Checks the packed package on the oldest Node that it supports. Fetches that Node into a temporary folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '22.18.0';
const PACKAGE = `node-linux-${process.arch}`;

const folder = mkdtempSync(join(tmpdir(), 'parley-node22-'));
try {
  const fetched = run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`]);
  process.exitCode = fetched || run('vitest', ['run', 'packages/parley/test/setup/pack.test.ts']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string, args: readonly string[]): number {
  const env = { ...process.env, PARLEY_NODE22: join(folder, 'node_modules', PACKAGE, 'bin/node') };
  return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1;
}
