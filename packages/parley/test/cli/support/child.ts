import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT, shellEnvironment } from '../../setup/support/repository.ts';

const MAIN = join(ROOT, 'packages/parley/src/cli/main.ts');

/** What starts the command line from its sources. */
export const NODE_ARGUMENTS: readonly string[] = ['--conditions=parley-source', MAIN];

export interface Running {
  readonly child: ChildProcess;
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Resolves with what is found in stdout as soon as it is there; rejects if the process ends before. */
  until<T>(find: (stdout: string) => T | undefined, what: string): Promise<T>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

export interface StartSettings {
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** As a user who is not root, even if the tests are run by root. */
  readonly plainUser?: boolean | undefined;
}

const NOBODY = 65_534;

/** Starts the command line as a process; it is killed when the test ends. */
export function start(args: readonly string[], settings: StartSettings = {}): Running {
  return launch(process.execPath, [...NODE_ARGUMENTS, ...args], settings);
}

export function launch(
  command: string,
  args: readonly string[],
  { env = {}, cwd = ROOT, plainUser = false }: StartSettings = {},
): Running {
  const child = spawn(command, args, {
    cwd,
    ...(plainUser && process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    env: { ...shellEnvironment(), ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  });
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const listener of listeners) listener();
    });
  }
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }));
  const until = <T>(find: (stdout: string) => T | undefined, what: string) =>
    new Promise<T>((resolve, reject) => {
      const look = () => {
        const found = find(output.stdout);
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      void ended.then(() => {
        look();
        reject(new Error(`It ended without ${what}:\n${output.stdout}\n${output.stderr}`));
      });
      look();
    });
  return { child, output, until, ended };
}

/** Runs the command line as a process to its end. */
export async function complete(args: readonly string[], stdin?: string, settings?: StartSettings) {
  const running = start(args, settings);
  running.child.stdin?.end(stdin ?? '');
  return running.ended;
}
