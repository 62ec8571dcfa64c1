import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const WORKSPACE = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Builds the console as it is shipped, into the workspace's `dist`. */
export async function buildConsole(): Promise<void> {
  if (!existsSync(join(WORKSPACE, 'vite.config.ts'))) return;
  await promisify(execFile)('npm', ['run', 'build', '--silent'], { cwd: WORKSPACE });
}
