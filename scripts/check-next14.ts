// Checks the adapter for Next.js on the oldest release that it supports. Fetches that, about 250 MB, into a temporary folder.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGES = ['next@14.0.0', 'react@18.2.0', 'react-dom@18.2.0', 'typescript@5.9.3'];
/** What the package itself needs, and what its sources are checked with. */
const MORE = ['@types/react@18.3.12', '@types/node@24.19.2'];

const folder = mkdtempSync(join(tmpdir(), 'parley-next14-'));
console.log(`Fetching ${PACKAGES.join(', ')} into ${folder}`);
try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  copyFileSync('tsconfig.json', join(folder, 'tsconfig.json'));
  const fetched = run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...PACKAGES, ...MORE]);
  process.exitCode = fetched || run('vitest', ['run', 'packages/parley/test/adapters-next/next.test.ts']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string, args: readonly string[]): number {
  return spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, PARLEY_NEXT14: folder } }).status ?? 1;
}
