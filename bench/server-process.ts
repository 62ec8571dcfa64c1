import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needPostgres } from './postgres.ts';
import type { Question, Report, ServerKind, Usage } from './servers/protocol.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = 'bench/servers/main.ts';
const STDERR = 2;
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning', '--expose-gc'];

/** A server in a process of its own. Questions are asked one at a time. */
export class ServerProcess {
  readonly kind: ServerKind;
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(kind: ServerKind, port: number, child: ChildProcess, folder: string) {
    this.kind = kind;
    this.port = port;
    this.#child = child;
    this.#folder = folder;
  }

  /** `tree`: the working tree whose server is started; this one by default. */
  static async start(kind: ServerKind, seed: number = 0, tree: string = ROOT): Promise<ServerProcess> {
    if (kind.startsWith('postgres')) await needPostgres();
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    const child = fork(join(tree, MAIN), [JSON.stringify({ kind, folder, seed })], {
      cwd: tree,
      execArgv: [...FLAGS, ...(process.env.BENCH_NODE_FLAGS?.split(' ') ?? [])],
      // What frameworks say while they start is no part of the table.
      stdio: ['ignore', STDERR, STDERR, 'ipc'],
    });
    const report = await nextReport(child);
    if (report.type === 'listening') return new ServerProcess(kind, report.port, child, folder);
    child.kill();
    throw new Error(report.type === 'failed' ? report.reason : 'The server did not start');
  }

  async ask(question: Question): Promise<Usage> {
    const answered = nextReport(this.#child);
    this.#child.send(question);
    const report = await answered;
    if (report.type !== 'usage') throw new Error(`The ${this.kind} server did not answer`);
    return report.usage;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.exitCode === null) {
      this.#child.disconnect();
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function nextReport(child: ChildProcess): Promise<Report> {
  return new Promise((resolve, reject) => {
    const onMessage = (report: Report): void => {
      settle();
      resolve(report);
    };
    const onExit = (code: number | null): void => {
      settle();
      reject(new Error(`The server ended with ${code}`));
    };
    const settle = (): void => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}
