import type { Readable, Writable } from 'node:stream';

/** A stream that may be a terminal. */
export type Input = Readable & { readonly isTTY?: boolean | undefined };
export type Output = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** All that a command touches of the process that it runs in. */
export interface Surroundings {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths begin at. */
  readonly cwd: string;
  /** The command by which the user started this program, for the commands that it prints. */
  readonly program: string;
  /** Calls back on Ctrl-C until the returned function is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Leaves at once. */
  readonly leave: (code: number) => void;
}

/** The commands that find a program of a project's packages, by the manager that tells its name first in `npm_config_user_agent`. */
const RUNNERS: Readonly<Record<string, string>> = { pnpm: 'pnpm exec parley', yarn: 'yarn parley', bun: 'bunx parley' };

/**
 * Inside a script, `npm run dev` or `npx`, the program is found by the package manager, and not by the user's shell. The script
 * `parley` of this repository changes the folder, and npm tells the one that the user is in.
 */
export function programOf(
  env: Surroundings['env'],
  folder: string,
): { readonly program: string; readonly cwd: string } {
  const { npm_lifecycle_event: script } = env;
  if (script === 'parley') return { program: 'npm run -s parley --', cwd: env.INIT_CWD || folder };
  const [manager = ''] = (env.npm_config_user_agent ?? '').split('/');
  // A person who runs `npm create parley-a2a` has no command `parley` yet.
  if (env.PARLEY_CREATE) {
    return { program: `${Object.hasOwn(RUNNERS, manager) ? manager : 'npm'} create parley-a2a`, cwd: folder };
  }
  return { program: script === undefined ? 'parley' : (RUNNERS[manager] ?? 'npx parley'), cwd: folder };
}

/** Under npm one Ctrl-C comes twice: from the terminal and from npm. */
const ECHO_MILLISECONDS = 500;

export function withoutEcho(env: Surroundings['env'], listener: () => void, now = Date.now): () => void {
  const echo = env.npm_lifecycle_event === undefined ? 0 : ECHO_MILLISECONDS;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const isEcho = now() - last < echo;
    if (isEcho) return;
    last = now();
    listener();
  };
}
