import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Arguments } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';
import { isReport, type Report, RUN_VARIABLE, SERVE, type WatchedRun } from './watched-child.ts';

const KILL_MILLISECONDS = 10_000;

/** A server in a process of its own, as the process that watches over it sees it. */
export class WatchedServer {
  readonly #child: ChildProcess;
  /** True where its files could be loaded. It serves when it is told to. */
  readonly isLoaded: Promise<boolean>;
  readonly exited: Promise<void>;
  hasExited = false;

  constructor(child: ChildProcess, onReport: (report: Report) => void) {
    this.#child = child;
    this.exited = once(child, 'exit').then(() => {
      this.hasExited = true;
    });
    const loaded = new Promise<boolean>((resolve) => {
      child.on('message', (message) => {
        if (!isReport(message)) return;
        onReport(message);
        resolve(message.state !== 'failed');
      });
    });
    this.isLoaded = Promise.race([loaded, this.exited.then(() => false)]);
  }

  serve(): void {
    if (this.#child.connected) this.#child.send(SERVE);
  }

  /** Gives it a moment to finish what it does, then no more. */
  end(): Promise<void> {
    if (!this.hasExited) this.#child.kill('SIGTERM');
    return this.gone();
  }

  /** Waits for the end of one that ends without a signal, such as one that could not be loaded. */
  async gone(): Promise<void> {
    if (this.hasExited) return;
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), KILL_MILLISECONDS);
    await this.exited;
    clearTimeout(timer);
  }
}

/** Starts the same command line again, without `--watch`. */
export function startServer(
  { positionals, options }: Arguments,
  port: number,
  run: WatchedRun,
  { env, cwd }: Surroundings,
): ChildProcess {
  const [, script = ''] = process.argv;
  const others = Object.entries(options).filter(([name]) => name !== 'watch' && name !== 'port');
  const words = [
    'serve',
    ...['--port', String(port)],
    ...others.flatMap(([name, value]) => wordsOf(name, value)),
    ...['--', ...positionals],
  ];
  return fork(script, words, { cwd, env: { ...env, [RUN_VARIABLE]: run, INIT_CWD: cwd } });
}

/** An option as it stands on a command line. */
function wordsOf(name: string, value: string | boolean | readonly string[]): readonly string[] {
  if (value === true) return [`--${name}`];
  return [value].flat().map((one) => `--${name}=${one}`);
}
