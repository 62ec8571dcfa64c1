import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { CallFailed, NotOffered } from './calling.ts';
import { isPlainObject, type Plain } from './plain.ts';

/** Events that were not taken yet, and whoever waits for the next. */
interface Pending {
  readonly events: unknown[];
  /** Set once the peer is done with the command. */
  outcome: { readonly result?: unknown; readonly error?: Error } | undefined;
  wake: () => void;
}

/**
 * A program in another language that carries out commands with its kit: one JSON object a line each way. An answer has
 * the command's `id` and either an `event`, or at the end `result` or `error` (`code`, `status`, `text`).
 */
export class PeerProcess {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #complaints = '';

  constructor(command: string, args: readonly string[], options: { readonly cwd: string }) {
    this.#process = spawn(command, args, { cwd: options.cwd, stdio: 'pipe' });
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#take(line));
    this.#process.stderr.on('data', (chunk: Buffer) => {
      this.#complaints = `${this.#complaints}${chunk.toString()}`.slice(-2000);
    });
    this.#process.on('error', (error) => this.#lose(error));
    this.#process.on('exit', (code) => this.#lose(new Error(`The peer ended with ${code}. ${this.#complaints}`)));
    this.#process.stdin.on('error', () => {});
  }

  /** Carries out a command that has one answer. */
  async call(command: Plain): Promise<unknown> {
    const { pending } = this.#send(command);
    while (!pending.outcome) await changed(pending);
    if (pending.outcome.error) throw pending.outcome.error;
    return pending.outcome.result;
  }

  /** Carries out a command that has events. */
  stream(command: Plain): { next(): Promise<unknown>; leave(): void } {
    const { id, pending } = this.#send(command);
    return {
      next: async () => {
        for (;;) {
          if (pending.events.length > 0) return pending.events.shift();
          if (pending.outcome?.error) throw pending.outcome.error;
          if (pending.outcome) return undefined;
          await changed(pending);
        }
      },
      leave: () => this.#write({ op: 'leave', of: id }),
    };
  }

  /** Ends the program. */
  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
  }

  #send(command: Plain): { readonly id: number; readonly pending: Pending } {
    this.#lastId += 1;
    const id = this.#lastId;
    const pending: Pending = { events: [], outcome: undefined, wake: () => {} };
    this.#pending.set(id, pending);
    this.#write({ id, ...command });
    return { id, pending };
  }

  #write(line: Plain): void {
    this.#process.stdin.write(`${JSON.stringify(line)}\n`);
  }

  #take(line: string): void {
    const answer: unknown = JSON.parse(line);
    if (!isPlainObject(answer)) throw new Error(`The peer printed ${line}`);
    const pending = this.#pending.get(Number(answer.id));
    if (!pending) return;
    if ('event' in answer) pending.events.push(answer.event);
    else pending.outcome = 'error' in answer ? { error: failureOf(answer.error) } : { result: answer.result };
    pending.wake();
  }

  #lose(error: Error): void {
    for (const pending of this.#pending.values()) {
      pending.outcome ??= { error };
      pending.wake();
    }
  }
}

function changed(pending: Pending): Promise<void> {
  return new Promise((resolve) => {
    pending.wake = resolve;
  });
}

function failureOf(value: unknown): Error {
  const { code, status, text } = isPlainObject(value) ? value : {};
  if (code === 'NOT_OFFERED') return new NotOffered('The SDK has no such operation.');
  const isCode = typeof code === 'string' && code !== '';
  return new CallFailed(String(text), isCode ? code : undefined, typeof status === 'number' ? status : undefined);
}
