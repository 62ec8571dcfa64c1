import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./node-process.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];
/** Types are stripped once for all processes, which then load in a quarter of the time. */
const COMPILE_CACHE = join(tmpdir(), 'parley-compile-cache');
/** Lines of a node that are kept for whoever looks for the cause of a failure. */
const MOST_LINES = 200;

export interface NodeOrders {
  /** Another one for each process. */
  readonly name: string;
  readonly database: string;
  /** The address of a NATS server; otherwise nodes hear of each other over the database. */
  readonly bus?: string | undefined;
  /** The file that accepted writes are logged in. */
  readonly commits: string;
  /** Milliseconds. */
  readonly lease: number;
  readonly drainTimeout: number;
}

/** A node in a process of its own. */
export class ClusterNode {
  readonly name: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #exited: Promise<unknown>;
  /** The port once it listens; 0 where the process ended before. */
  readonly port: Promise<number>;
  /** The last lines that it wrote for operators. */
  readonly lines: string[] = [];

  constructor(orders: NodeOrders) {
    this.name = orders.name;
    this.#child = spawn(process.execPath, [...FLAGS, SCRIPT, JSON.stringify(orders)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    });
    this.#exited = once(this.#child, 'exit');
    this.#child.stdin.on('error', () => {});
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      this.lines.push(line);
      if (this.lines.length > MOST_LINES) this.lines.shift();
    });
    const listening = once(createInterface({ input: this.#child.stdout }), 'line').then(([url]) =>
      Number(new URL(url).port),
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
