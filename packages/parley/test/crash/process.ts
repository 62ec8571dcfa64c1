import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { RpcPeer } from '../support/rpc.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];
const LONGEST_START_MS = 20_000;

/** A server in a process of its own. It is loaded ahead and opens the file only when told to. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(process.execPath, [...FLAGS, SCRIPT], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  readonly #exited = once(this.#child, 'exit');
  readonly #lines = createInterface({ input: this.#child.stdout });
  readonly #loaded = once(this.#lines, 'line');
  #complaints = '';

  constructor() {
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints += text;
    });
    // One that is killed before it is loaded never says so.
    this.#loaded.catch(() => {});
    // A process that is gone cannot be told anything.
    this.#child.stdin.on('error', () => {});
  }

  /** What it wrote for operators. */
  get complaints(): string {
    return this.#complaints;
  }

  /** Resolves when it waits for the name of the file. */
  async loaded(): Promise<void> {
    await this.#loaded;
  }

  /** Lets it open the file, without waiting for it. */
  begin(file: string): void {
    this.#child.stdin.write(`${file}\n`);
  }

  /** Opens the file; resolves when requests are answered. */
  async open(file: string): Promise<RpcPeer> {
    await this.#loaded;
    const line = once(this.#lines, 'line', { signal: AbortSignal.timeout(LONGEST_START_MS) });
    this.begin(file);
    const gone = this.#exited.then(() => Promise.reject(new Error(`The server did not start: ${this.#complaints}`)));
    const [url] = await Promise.race([line, gone]);
    return new RpcPeer((request) => fetch(request), `${url}/a2a`);
  }

  /** Ends the process without a warning. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

/** Keeps one process loaded ahead, because loading takes longer than most rounds. */
export class ProcessPool {
  readonly #all = new Set<ServerProcess>();
  #next: ServerProcess = this.#spawn();

  take(): ServerProcess {
    const taken = this.#next;
    this.#next = this.#spawn();
    return taken;
  }

  /** Kills all that ever came from here. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((one) => one.kill()));
  }

  #spawn(): ServerProcess {
    const spawned = new ServerProcess();
    this.#all.add(spawned);
    return spawned;
  }
}
