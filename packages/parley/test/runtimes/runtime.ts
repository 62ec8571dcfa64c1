import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A project with the packed package and the runtimes in it, which `npm run test:runtimes` makes; empty where there is none. */
export const PROJECT: string = process.env.PARLEY_RUNTIMES ?? '';
/** For titles of suites that need it. */
export const HOW: string = PROJECT === '' ? ' (skipped: npm run test:runtimes brings them)' : '';
export const PROGRAMS: string = join(import.meta.dirname, 'programs');

/** No more than docs/operations/runtimes.md says that Deno needs. */
const DENO_FLAGS = ['--no-prompt', '--allow-net', '--allow-read', '--allow-write', '--allow-sys=uid,gid'] as const;

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export interface Runtime {
  readonly name: 'bun' | 'deno';
  readonly run: (program: string) => readonly string[];
  /** Runs a program that reads the environment, as frameworks do. */
  readonly runFreely: (program: string) => readonly string[];
  /** Serves the default export of a program. */
  readonly serve: (program: string, port: number) => readonly string[];
}

export const RUNTIMES: readonly Runtime[] = [
  {
    name: 'bun',
    run: (program) => [program],
    runFreely: (program) => [program],
    serve: (program, port) => ['--port', String(port), program],
  },
  {
    name: 'deno',
    run: (program) => ['run', ...DENO_FLAGS, program],
    runFreely: (program) => ['run', '--allow-all', program],
    serve: (program, port) => ['serve', ...DENO_FLAGS, '--host', '127.0.0.1', '--port', String(port), program],
  },
];

/** Starts a runtime in a folder of the project. */
export function spawnRuntime(name: string, args: readonly string[], cwd: string, more = {}): Child {
  const env = { ...process.env, NO_COLOR: '1', ...more };
  return spawn(join(PROJECT, 'node_modules/.bin', name), args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
}
