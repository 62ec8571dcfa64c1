import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ROOT, shellEnvironment } from '../../setup/support/repository.ts';

const MAIN = join(ROOT, 'packages/parley/src/cli/main.ts');
const AGENTS = fileURLToPath(new URL('./agents.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--import', new URL('./keep-compiled.ts', import.meta.url).href];
/** Types are stripped once for all processes, which then load in a quarter of the time. */
const COMPILE_CACHE = join(tmpdir(), 'parley-compile-cache');
/** Lines of a node that are kept for whoever looks for the cause of a failure. */
const MOST_LINES = 200;

export interface NodeOrders {
  /** Another one for each process. Its sessions of the database are called so. */
  readonly name: string;
  readonly database: string;
  /** The address of a NATS server; otherwise nodes hear of each other over the database. */
  readonly bus?: string | undefined;
  /** Milliseconds. */
  readonly lease: number;
  readonly drainTimeout: number;
}

/** What an operator would write: the settings that are not said here are the usual ones, but for those that make a test wait. */
function commandOf({ name, database, bus, lease, drainTimeout }: NodeOrders): readonly string[] {
  const store = new URL(database);
  store.searchParams.set('application_name', name);
  const waits = { keepAlive: 1000, pollInterval: 250, commandTimeout: 5000 };
  return [
    ...['serve', AGENTS, '--store', store.href, '--port', '0', '--json', '--log-level', 'warn', '--no-console'],
    ...['--lease', String(lease / 1000), '--drain-timeout', `${drainTimeout}ms`],
    ...Object.entries(waits).flatMap(([limit, milliseconds]) => ['--set', `limits.${limit}=${milliseconds}`]),
    ...(bus === undefined ? [] : ['--bus', bus]),
  ];
}

/** A node as operators start it, `parley serve`, in a process of its own. */
export class ClusterNode {
  readonly name: string;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exited: Promise<unknown>;
  /** The port once it listens; 0 where the process ended before. */
  readonly port: Promise<number>;
  /** The last lines that it wrote for operators. */
  readonly lines: string[] = [];

  constructor(orders: NodeOrders) {
    this.name = orders.name;
    // The channel ends with whoever holds its other end, and `parley serve` ends with the channel.
    this.#child = spawn(process.execPath, [...FLAGS, MAIN, ...commandOf(orders)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      cwd: tmpdir(),
      env: { ...shellEnvironment(), NODE_COMPILE_CACHE: COMPILE_CACHE },
    }) as ChildProcessByStdio<null, Readable, Readable>;
    this.#exited = once(this.#child, 'exit');
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      this.lines.push(line);
      if (this.lines.length > MOST_LINES) this.lines.shift();
    });
    const listening = once(createInterface({ input: this.#child.stdout }), 'line').then(([line]) =>
      Number(new URL(JSON.parse(line).url).port),
    );
    this.port = Promise.race([listening, this.#exited.then(() => 0)]);
  }

  /** It ended by itself. */
  get hasCrashed(): boolean {
    return !this.isRunning && !this.wasEnded;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Somebody ended it on purpose. */
  wasEnded = false;

  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM' | 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  /** Resolves with the exit code when the process is gone; null where a signal ended it. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.wasEnded = true;
    if (this.isRunning) {
      this.signal(signal);
      await this.#exited;
    }
    return this.#child.exitCode;
  }
}
