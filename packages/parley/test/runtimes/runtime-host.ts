import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { A2AServer } from 'parley-a2a';
import type { Host, Hosting, HostOptions } from '../adapters/support/host.ts';
import { eventually } from '../support/eventually.ts';
import type { Order, Result } from './orders.ts';
import { type Child, PROJECT, type Runtime, spawnRuntime } from './runtime.ts';

const PROGRAM = 'runtimes/programs/contract-host.ts';

interface Waiting {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** One of the hosts of the contract, in a process of another runtime that serves all tests. */
export class RuntimeHost implements Host {
  readonly name: string;
  readonly isApp: boolean;
  readonly mounts: boolean;
  readonly parsing: Host['parsing'];
  readonly #module: string;
  readonly #exported: string;
  readonly #runtime: Runtime;
  readonly #waiting = new Map<number, Waiting>();
  #child: Child | undefined;
  #ready: Promise<unknown> | undefined;
  #problems = '';
  #orders = 0;

  constructor(runtime: Runtime, module: string, exported: string, { name, isApp, mounts, parsing }: Host) {
    this.name = `${name} of ${runtime.name}`;
    this.isApp = isApp;
    this.mounts = mounts;
    this.parsing = parsing;
    this.#module = module;
    this.#exported = exported;
    this.#runtime = runtime;
  }

  async start(options: HostOptions): Promise<Hosting> {
    this.#ready ??= this.#launch();
    await this.#ready;
    const { url = '', number = 0 } = await this.#tell({ kind: 'start', options });
    // The card of a server that is still opening has not its key yet, and changes once.
    await eventually(async () => (await fetch(`${url}${options.prefix ?? ''}/readyz`)).status).toBe(200);
    return {
      url,
      load: async () => (await this.#tell({ kind: 'load', number })).load as A2AServer['load'],
      stop: async () => void (await this.#tell({ kind: 'stop', number })),
    };
  }

  async end(): Promise<void> {
    if (!this.#child) return;
    const gone = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await gone;
  }

  async #launch(): Promise<void> {
    const isOurs = ['node', 'native', 'fetch'].includes(this.#module);
    const args = isOurs ? this.#runtime.run(PROGRAM) : this.#runtime.runFreely(PROGRAM);
    const child = spawnRuntime(this.#runtime.name, [...args, this.#module, this.#exported], PROJECT);
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#problems += text;
    });
    const lines = createInterface({ input: child.stdout });
    const ready = once(lines, 'line');
    void once(child, 'close').then(() => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`It ended: ${this.#problems}`));
    });
    const ended = once(child, 'close').then(() => Promise.reject(new Error(`It did not start: ${this.#problems}`)));
    await Promise.race([ready, ended]);
    lines.on('line', (line) => {
      const { id, ...result }: Result & { readonly id: number } = JSON.parse(line);
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (result.problem === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(result.problem));
    });
  }

  #tell(order: Order): Promise<Result> {
    this.#orders += 1;
    const id = this.#orders;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child?.stdin.write(`${JSON.stringify({ id, ...order })}\n`);
    });
  }
}
