import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '../../support/patience.ts';
import { RpcPeer } from '../../support/rpc.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];

/** Where and as whom a server runs. */
export interface Launch {
  /** A command that turns into the one after it, under the same process id. */
  readonly through?: readonly string[];
  /** User and group. */
  readonly user?: number | undefined;
  /** Another server than that of this folder. */
  readonly script?: string | undefined;
}

/** How a server ended that would not open its file. */
export interface Refused {
  readonly exitCode: number | null;
  readonly said: string;
}

/** Whether it said in one line which file cannot be written and why, and ended in order. */
export function isRefusalOf({ exitCode, said }: Refused, file: string): boolean {
  return exitCode === 1 && said.startsWith(`${file} cannot be written: `) && said.indexOf('\n') === said.length - 1;
}

/** A server in a process of its own. It is loaded ahead and opens the file only when told to. */
export class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #exited: Promise<unknown>;
  /** The process has ended and all that it wrote has arrived. */
  readonly #closed: Promise<(number | null)[]>;
  readonly #lines: Interface;
  readonly #loaded: Promise<unknown>;
  #complaints = '';

  constructor({ through = [], user, script = SCRIPT }: Launch = {}) {
    const [command, ...words] = [...through, process.execPath, ...FLAGS, script] as const;
    this.#child = spawn(command, words, {
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    this.#exited = once(this.#child, 'exit');
    this.#closed = once(this.#child, 'close');
    this.#lines = createInterface({ input: this.#child.stdout });
    this.#loaded = once(this.#lines, 'line');
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints += text;
    });
    // One that is killed before it is loaded never says so.
    this.#loaded.catch(() => {});
    this.#closed.catch(() => {});
    // A process that is gone cannot be told anything.
    this.#child.stdin.on('error', () => {});
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('The process could not be started');
    return this.#child.pid;
  }

  /** What it wrote for operators. */
  get complaints(): string {
    return this.#complaints;
  }

  /** Resolves when it waits for the name of the file. */
  async loaded(): Promise<void> {
    const gone = this.#closed.then(() => Promise.reject(new Error(`The process ended at once: ${this.#complaints}`)));
    await Promise.race([this.#loaded, gone]);
  }

  /** Lets it open the file, without waiting for it. */
  begin(file: string): void {
    this.#child.stdin.write(`${file}\n`);
  }

  /** Opens the file; resolves when requests are answered, or when the process has ended instead. */
  async tryToOpen(file: string): Promise<RpcPeer | Refused> {
    await this.loaded();
    const line = once(this.#lines, 'line', { signal: AbortSignal.timeout(PATIENCE_MS) });
    this.begin(file);
    const opened = line.then(([url]) => new RpcPeer((request) => fetch(request), `${url}/a2a`));
    return Promise.race([opened, this.#closed.then(([exitCode = null]) => ({ exitCode, said: this.#complaints }))]);
  }

  /** The same, where nothing stands in the way. */
  async open(file: string): Promise<RpcPeer> {
    const opened = await this.tryToOpen(file);
    if (opened instanceof RpcPeer) return opened;
    throw new Error(`The server did not start: ${opened.said}`);
  }

  /** Resolves when it has ended, by whatever. */
  async ended(): Promise<void> {
    await this.#exited;
  }

  /** Ends the process without a warning. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}

/** Keeps one process loaded ahead, because loading takes longer than most rounds. */
export class ProcessPool {
  readonly #launch: Launch;
  readonly #all = new Set<ServerProcess>();
  #next: ServerProcess;

  constructor(launch: Launch = {}) {
    this.#launch = launch;
    this.#next = this.#spawn();
  }

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
    const spawned = new ServerProcess(this.#launch);
    this.#all.add(spawned);
    return spawned;
  }
}
