import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pause } from '../../support/script.ts';
import type { Ledger } from '../ledger.ts';
import type { Figures } from './figures.ts';

const SCRIPT = fileURLToPath(new URL('./server-process.ts', import.meta.url));
const FLAGS = ['--conditions=parley-source', '--disable-warning=ExperimentalWarning'];
const COMPILE_CACHE = join(tmpdir(), 'parley-compile-cache');

/** The receiver of webhooks fails on purpose. */
const EXPECTED = '"A webhook failed; it is tried again"';

const LOOK_AGAIN_AFTER = 100;
/** A minute. A connection to a receiver of webhooks is kept for ten seconds. */
const MOST_LOOKS = 600;

/** What a server can be asked for. */
export type Asked = 'connections' | 'figures';

export interface Told {
  readonly url?: string | undefined;
  /** The ports of both ends of each. */
  readonly connections?: readonly string[];
  readonly figures?: Figures;
}

interface Life {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

/** The server that is soaked: one process after the other, all on one file. */
export class Subject {
  readonly #file: string;
  readonly #ledger: Ledger;
  #life: Life | undefined;
  /** Where the present process listens. While there is none, nobody does. */
  port = 1;

  constructor(file: string, ledger: Ledger) {
    this.#file = file;
    this.#ledger = ledger;
  }

  /** Resolves when requests are answered. */
  async start(): Promise<void> {
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
    const stdio = ['ignore', 'inherit', 'pipe', 'ipc'] as const;
    const child = spawn(process.execPath, [...FLAGS, SCRIPT, this.#file], { env, stdio: [...stdio] });
    const ended = once(child, 'close');
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => this.#hear(line));
    this.#life = { child, ended };
    const { url = '' } = await this.#told();
    this.port = Number(new URL(url).port);
  }

  /**
   * What the process holds when all its connections are gone: those of clients, of which it hears a little later than they,
   * and those to receivers of webhooks, which are kept for the next one. Any that stays is found.
   */
  async figuresAtRest(): Promise<Figures> {
    let open: readonly string[] = [];
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      ({ connections: open = [] } = await this.#ask('connections'));
      if (open.length === 0) break;
      await pause(LOOK_AGAIN_AFTER);
    }
    if (open.length > 0) this.#ledger.find(`Connections of the server at rest, by their ports: ${open.join(', ')}`);
    const { figures } = await this.#ask('figures');
    if (!figures) throw new Error('The server told no figures');
    return figures;
  }

  /** Ends the process, without a warning or as an operator does; resolves when it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child, ended } = this.#alive();
    this.#life = undefined;
    child.kill(signal);
    await ended;
    if (signal === 'SIGTERM' && child.exitCode !== 0) this.#ledger.find(`SIGTERM ended in ${child.exitCode}`);
  }

  /** For the end of a run, however it came. */
  async dispose(): Promise<void> {
    if (this.#life) await this.end('SIGKILL');
  }

  #hear(line: string): void {
    if (!line.includes(EXPECTED)) this.#ledger.find(`The server wrote: ${line}`);
  }

  #ask(what: Asked): Promise<Told> {
    const told = this.#told();
    this.#alive().child.send(what);
    return told;
  }

  async #told(): Promise<Told> {
    const { child, ended } = this.#alive();
    const gone = ended.then(() => Promise.reject(new Error(`The server ended by itself: ${child.exitCode}`)));
    const [told] = await Promise.race([once(child, 'message'), gone]);
    return told as Told;
  }

  #alive(): Life {
    if (!this.#life) throw new Error('There is no server');
    return this.#life;
  }
}
