// Checks the packed package on the oldest Node and in the oldest TypeScript that it supports. Fetches both into a temporary folder.
// With `--fetch FOLDER` it only fetches them, into that folder, and prints the variables that tell the tests where they are.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NODE = `node-linux-${process.arch}`;
const FETCHED = [`${NODE}@22.18.0`, 'typescript@5.6.3'];

const [flag, given] = process.argv.slice(2);
if (flag === '--fetch' && given !== undefined) {
  process.exitCode = fetchInto(given);
  for (const [name, value] of Object.entries(variables(given))) console.log(`${name}=${value}`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'parley-oldest-'));
  try {
    const tests = ['vitest', 'run', 'packages/parley/test/setup/pack.test.ts', '-t', 'oldest'];
    process.exitCode = fetchInto(folder) || run('npx', tests, variables(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** See the tests of the packed package. */
function variables(folder: string): Readonly<Record<string, string>> {
  const modules = join(folder, 'node_modules');
  return { PARLEY_NODE22: join(modules, NODE, 'bin/node'), PARLEY_TYPESCRIPT: join(modules, 'typescript') };
}

function fetchInto(folder: string): number {
  return run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...FETCHED]);
}

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  // What is printed to the output are the variables alone.
  const stdio = ['inherit', command === 'npm' ? 2 : 'inherit', 'inherit'] as const;
  return spawnSync(command, args, { stdio: [...stdio], env: { ...process.env, ...env } }).status ?? 1;
}
