import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { ROOT, shellEnvironment } from './repository.ts';

/** What is left of a process. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Finished>;
}

const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning', '--input-type=module-typescript'];

/** Runs TypeScript as if it were a file among the examples. */
export function startProgram(code: string): Running {
  return start(process.execPath, [...FLAGS, '-e', code], join(ROOT, 'examples'));
}

/** Runs a script of the root's package.json as a person would: from a shell, with the machine's own Node. */
export function runScript(name: string, ...args: readonly string[]): Promise<Finished> {
  return start('npm', ['run', '--silent', name, '--', ...args], ROOT).ended;
}

/** The process does not outlive the test. */
function start(command: string, args: readonly string[], cwd: string): Running {
  const child = spawn(command, args, { cwd, env: shellEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = once(child, 'close').then(([code]): Finished => ({ code, ...output }));
  return { child, ended };
}
