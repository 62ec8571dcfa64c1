// Checks the types of the packed package in the oldest TypeScript that they are made for. Fetches it into a temporary folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '5.6.3';

const folder = mkdtempSync(join(tmpdir(), 'parley-typescript-'));
try {
  const fetched = run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `typescript@${VERSION}`]);
  process.exitCode =
    fetched || run('vitest', ['run', 'packages/parley/test/setup/pack.test.ts', '-t', 'has types that hold']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string, args: readonly string[]): number {
  const env = { ...process.env, PARLEY_TYPESCRIPT: join(folder, 'node_modules/typescript') };
  return spawnSync(command, args, { stdio: 'inherit', env }).status ?? 1;
}
