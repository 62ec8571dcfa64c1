import { spawn } from 'node:child_process';
import type { Surroundings } from '../surroundings.ts';

interface Outcome {
  readonly isDone: boolean;
  /** The end of what the program said. */
  readonly said: string;
}

const KEPT_CHARACTERS = 2_000;

/** Runs a program in a folder, with nothing to read. A program that is not installed has failed, too. */
export function runTool(
  command: string,
  args: readonly string[],
  folder: string,
  { env }: Surroundings,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: folder,
      // In production, package managers leave out what tests and types need.
      env: { ...env, NODE_ENV: 'development' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Package managers are scripts on Windows; every word is one of ours.
      shell: process.platform === 'win32',
    });
    let said = '';
    const collect = (text: string) => {
      said = (said + text).slice(-KEPT_CHARACTERS);
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ isDone: false, said: error.code === 'ENOENT' ? `${command} is not installed` : error.message });
    });
    child.on('close', (code) => resolve({ isDone: code === 0, said: said.trim() }));
  });
}
