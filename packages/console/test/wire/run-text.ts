import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { NODE_ARGUMENTS } from '../../../parley/test/cli/support/child.ts';
import { ROOT, shellEnvironment } from '../../../parley/test/setup/support/repository.ts';
import { PATIENCE_MS } from '../../../parley/test/support/patience.ts';
import { tempFile } from '../../../parley/test/support/temp-folder.ts';

/** The shell that most people paste into. */
export function hasShell(...programs: readonly string[]): boolean {
  return ['bash', ...programs].every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);
}

const PARLEY = `parley() { ${[process.execPath, ...NODE_ARGUMENTS].map((word) => `'${word}'`).join(' ')} "$@"; }`;

/** Runs a text as it was copied, in a shell that knows the command `parley`; what it printed. */
export async function runInShell(text: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  // Of its own: a whole script is longer than an argument may be.
  const script = tempFile('copied.sh');
  writeFileSync(script, `${PARLEY}\n${text}`);
  const { stdout } = await promisify(execFile)('bash', [script], {
    cwd: ROOT,
    env: { ...shellEnvironment(), ...env, LC_ALL: 'C.UTF-8' },
    timeout: PATIENCE_MS,
    maxBuffer: 2 ** 26,
  });
  return stdout;
}
