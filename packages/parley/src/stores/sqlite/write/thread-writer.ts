import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CommitResult, PurgeQuery, TrimQuery, TrimResult } from '../../../engine/ports.ts';
import type { ApiKeyChange } from '../../sql/api-keys.ts';
import type { ShareRows } from '../../sql/context-members.ts';
import type { EntryRows } from '../../sql/entry-rows.ts';
import type { FollowerChange } from '../../sql/follower-rows.ts';
import { GatheredChanges } from './gathered-changes.ts';
import type { ThreadSettings, WriteAccess, WriteAnswer, WriteFailure, WriteRequest } from './write-access.ts';

const THREAD_FILE = fileBeside(import.meta.url, 'writer-thread');

/**
 * The sources run as they are, so the thread's file has the ending that this one has. A function, because bundlers that
 * see the name of the file beside `import.meta.url` take it along without what it imports, and it then dies.
 */
function fileBeside(module: string, name: string): URL {
  return new URL(`./${name}${module.endsWith('.ts') ? '.ts' : '.js'}`, module);
}

interface Pending {
  readonly resolve: (results: readonly string[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Writes on a thread of its own, so that waiting for the disk does not stop the event loop. The thread keeps the
 * process alive only while something is being written. If it dies, everything pending and everything later is rejected.
 */
export class ThreadWriter implements WriteAccess {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #pending: Pending[] = [];
  readonly #changes = new GatheredChanges((changes) => this.#send({ kind: 'follow', changes }));
  #stopped: Error | undefined;

  /** False where the thread's file was left behind, as bundlers do. */
  static isAvailable(): boolean {
    return existsSync(fileURLToPath(THREAD_FILE));
  }

  /** Resolves when the thread has opened the file. */
  static async start(settings: ThreadSettings): Promise<ThreadWriter> {
    // Without the flags of the process: what `--import` loads for the application must not run a second time. Node 22
    // warns of SQLite as experimental; the application's own thread has done so already, where that was wanted. Deno
    // has no such warning, and starts no thread with flags of Node.
    const execArgv = 'deno' in process.versions ? [] : ['--disable-warning=ExperimentalWarning'];
    const worker = new Worker(THREAD_FILE, { workerData: settings, name: 'parley-sqlite', execArgv });
    const writer = new ThreadWriter(worker);
    await writer.#answered();
    return writer;
  }

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.unref();
    worker.on('message', (message: WriteAnswer | object) => {
      // With `node --watch`, Node itself tells on this port what the thread imports.
      if ('results' in message || 'failure' in message) this.#settle(message);
    });
    worker.on('error', (error) => this.#stop(error));
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#stop();
        resolve();
      });
    });
  }

  commit(entries: readonly EntryRows[], now: number): Promise<readonly CommitResult[]> {
    return this.#send({ kind: 'commit', entries, now }) as Promise<readonly CommitResult[]>;
  }

  purge(query: PurgeQuery): Promise<readonly string[]> {
    return this.#send({ kind: 'purge', query });
  }

  async trim(query: TrimQuery): Promise<TrimResult> {
    const [next, ...tasks] = await this.#send({ kind: 'trim', query });
    return { tasks, next: next === '' ? undefined : next };
  }

  follow(change: FollowerChange): Promise<boolean> {
    return this.#changes.make(change);
  }

  async changeApiKeys(change: ApiKeyChange): Promise<boolean> {
    return (await this.#send({ kind: 'change-api-keys', change })).length > 0;
  }

  share(rows: ShareRows): Promise<readonly string[]> {
    return this.#send({ kind: 'share', rows });
  }

  async sweep(now: number): Promise<boolean> {
    return (await this.#send({ kind: 'sweep', now })).length > 0;
  }

  async probe(): Promise<void> {
    await this.#send({ kind: 'probe' });
  }

  /** Lets pending writes finish. */
  async close(): Promise<void> {
    if (!this.#stopped) {
      this.#changes.flush();
      this.#stopped = new Error('The store is closed');
      this.#worker.ref();
      this.#worker.postMessage({ kind: 'close' } satisfies WriteRequest);
    }
    await this.#ended;
  }

  #send(request: WriteRequest): Promise<readonly string[]> {
    if (this.#stopped) return Promise.reject(this.#stopped);
    this.#worker.postMessage(request);
    return this.#answered();
  }

  /** The next answer without a waiter. */
  #answered(): Promise<readonly string[]> {
    if (this.#pending.length === 0) this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
    });
  }

  #settle(answer: WriteAnswer): void {
    const pending = this.#pending.shift();
    if (this.#pending.length === 0 && !this.#stopped) this.#worker.unref();
    if (answer.failure) pending?.reject(revive(answer.failure));
    else pending?.resolve(answer.results);
  }

  #stop(cause?: unknown): void {
    this.#stopped ??= new Error('The SQLite writer has stopped', { cause });
    for (const pending of this.#pending.splice(0)) pending.reject(this.#stopped);
  }
}

function revive({ message, details }: WriteFailure): Error {
  return Object.assign(new Error(message), details);
}
