import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../../support/eventually.ts';
import { assertShown, isShown, type Shown } from './shown.ts';

export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A terminal: one shell for all commands, so that folders and variables stay. */
export class Shell {
  readonly #child: ChildProcess;
  #output = '';
  #blocks = 0;
  #heard: (() => void) | undefined;

  constructor({ cwd, env }: Place) {
    this.#child = spawn('bash', [], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#heard?.();
      });
    }
    this.#child.on('close', () => this.#heard?.());
    this.#child.stdin?.write('exec 2>&1\n');
  }

  /** Runs lines and returns what they print, in the order of a terminal. */
  async run(lines: string): Promise<string> {
    this.#blocks += 1;
    const mark = `=== end of block ${this.#blocks} ===`;
    this.#output = '';
    // A command that reads would otherwise read the commands after it.
    this.#child.stdin?.write(`{\n${lines}\n} < /dev/null\necho\necho "${mark}"\n`);
    while (!this.#output.includes(`${mark}\n`)) {
      if (this.#child.exitCode !== null) throw new Error(`The shell has ended after: ${this.#output}`);
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
    return this.#output.slice(0, this.#output.indexOf(mark)).trimEnd();
  }

  close(): void {
    killGroup(this.#child, 'SIGKILL');
  }
}

/** A server in a terminal of its own, and everything that its command has started. */
export class Foreground {
  readonly #child: ChildProcess;
  output = '';

  constructor(command: string, { cwd, env }: Place) {
    // Both outputs go through one pipe, so that they come in the order in which they were written.
    const lines = `exec 2>&1\n${command}`;
    this.#child = spawn('bash', ['-c', lines], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
  }

  /** Resolves when it prints something, or ends. */
  async nextOutput(): Promise<void> {
    const { stdout } = this.#child;
    await Promise.race([once(this.#child, 'close'), ...(stdout ? [once(stdout, 'data')] : [])]);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Ctrl-C reaches the whole group, as in a terminal. Resolves when nothing of it is left. */
  async stop(): Promise<void> {
    const closed = once(this.#child, 'close');
    if (this.hasEnded) return;
    killGroup(this.#child, 'SIGINT');
    await closed;
  }

  kill(): void {
    killGroup(this.#child, 'SIGKILL');
  }
}

/** Starts a program and waits for a sign that it is ready. */
export async function startServer(command: string, sign: string, place: Place): Promise<Foreground> {
  const server = new Foreground(command, place);
  while (!server.output.includes(sign)) {
    if (server.hasEnded) throw new Error(`${command} ended: ${server.output}`);
    await server.nextOutput();
  }
  return server;
}

/** Waits until a server prints what its page shows. `toPage` translates what it prints to the page's ports and folders. */
export async function assertStarted(
  server: Foreground,
  shown: Shown,
  toPage: (output: string) => string,
): Promise<void> {
  await eventually(() => server.hasEnded || isShown(toPage(server.output), shown))
    .toBe(true)
    .catch(() => {});
  assertShown(toPage(server.output), shown);
}

/** Runs lines in a shell of their own, which ends with the first command that fails. Leaves nothing running. */
export async function runScript(lines: string, { cwd, env }: Place): Promise<Ended> {
  const child = spawn('sh', ['-e', '-c', `exec 2>&1\n${lines}`], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  killGroup(child, 'SIGKILL');
  await closed;
  return { code, output };
}

export interface Ended {
  readonly code: number | null;
  /** What it printed, on standard output and error, in the order of a terminal. */
  readonly output: string;
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nothing of it is left.
  }
}
