import { Readable, Writable } from 'node:stream';
import { run } from '../../../src/cli/run.ts';
import type { Output } from '../../../src/cli/surroundings.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunSettings {
  /** What is piped in; without it stdin is a terminal where nobody types. */
  readonly stdin?: string | undefined;
  /** Whether stdout and stderr are terminals. */
  readonly terminal?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** Presses Ctrl-C once as soon as this is in stdout. */
  readonly interruptAt?: string | undefined;
  /** Is handed what Ctrl-C would call. */
  readonly onInterrupt?: ((listener: () => void) => void) | undefined;
  /** Sees what has been written after every write. */
  readonly onOutput?: ((output: { readonly stdout: string; readonly stderr: string }) => void) | undefined;
}

class Recorder extends Writable {
  readonly isTTY: boolean;
  readonly columns: number;
  text = '';
  readonly #onWrite: () => void;

  constructor(isTTY: boolean, columns: number, onWrite: () => void) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
    this.columns = columns;
    this.#onWrite = onWrite;
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.text += chunk;
    this.#onWrite();
    done();
  }
}

/** Runs a command line without a process. */
export async function cli(args: readonly string[], settings: RunSettings = {}): Promise<Ran> {
  const {
    stdin,
    terminal = false,
    columns = 80,
    env = {},
    cwd = process.cwd(),
    interruptAt,
    onOutput,
    onInterrupt,
  } = settings;
  const listeners = new Set<() => void>();
  let isInterrupted = false;
  const written = () => {
    onOutput?.({ stdout: stdout.text, stderr: stderr.text });
    if (interruptAt === undefined || isInterrupted || !stdout.text.includes(interruptAt)) return;
    isInterrupted = true;
    setImmediate(() => {
      for (const listener of listeners) listener();
    });
  };
  const stdout = new Recorder(terminal, columns, written);
  const stderr = new Recorder(terminal, columns, written);
  let left: ((code: number) => void) | undefined;
  const leaving = new Promise<number>((resolve) => {
    left = resolve;
  });
  const input = Object.assign(Readable.from(stdin === undefined ? [] : [stdin]), { isTTY: stdin === undefined });
  const ended = run(args, {
    stdin: input,
    stdout: stdout as Output,
    stderr: stderr as Output,
    env,
    cwd,
    program: 'parley',
    onInterrupt(listener) {
      listeners.add(listener);
      onInterrupt?.(listener);
      return () => void listeners.delete(listener);
    },
    leave: (code) => left?.(code),
  });
  return { code: await Promise.race([ended, leaving]), stdout: stdout.text, stderr: stderr.text };
}

/** The JSON objects of an output that has nothing else. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
export function objectsOf(output: string): any[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A literal would be a control character in a pattern. */
const OURS = new RegExp(`${'\u001b'}\\[[\\d;]*[mKJG]`, 'g');

/** Without our own styles and the status line. */
export function plain(output: string): string {
  return output.replace(OURS, '').replaceAll('\r', '');
}
