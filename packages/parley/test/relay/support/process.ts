import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../../../../examples/relay/start.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];

/** The relay as `npm run example:relay` starts it, on a file; it can be killed and started again at the same address. */
export class RelayProcess {
  readonly #database: string;
  #child: ChildProcessByStdio<null, Readable, null> | undefined;
  #port = '0';

  constructor(database: string) {
    this.#database = database;
    onTestFinished(() => this.kill());
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...FLAGS, SCRIPT], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: this.#port,
        PARLEY_DB: this.#database,
      },
    });
    this.#child = child;
    const lines = createInterface({ input: child.stdout });
    for await (const line of lines) {
      const port = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      this.#port = port;
      // What it writes later is not read; nothing of it must block the process.
      child.stdout.resume();
      return;
    }
    throw new Error('The relay did not start');
  }

  /** Ends it without a warning. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Asks it to end, and gives its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child) throw new Error('It does not run');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    return (await exited)[0];
  }
}
