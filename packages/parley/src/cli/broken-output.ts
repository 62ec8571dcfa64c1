import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { EXIT } from './exit-codes.ts';
import type { Output, Surroundings } from './surroundings.ts';
import { cleanLine, safeJson } from './text/clean.ts';

interface OutputOptions {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Errors are JSON. */
  readonly isJson: boolean;
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

/**
 * Ends the process when stdout cannot be written: without a word where its reader has left, as `head` does, else with a sentence and
 * 1. A command whose stderr cannot be written finishes what it writes to stdout. Returns a function that tells the exit code
 * of a command that has ended with another one.
 */
export function watchOutput({ stdout, stderr, isJson, exit }: OutputOptions): (code: number) => number {
  let isLost = false;
  stdout.on('error', (error) => {
    if (isLost) return;
    if (isReaderGone(error)) return exit(EXIT.done);
    isLost = true;
    const text = `The output could not be written: ${cleanLine(error.message)}`;
    const line = isJson ? safeJson({ error: { code: 'FAILED', message: `${text}.` } }) : `parley: ${text}.`;
    stderr.write(`${line}\n`, () => exit(EXIT.failed));
  });
  stderr.on('error', (error) => {
    if (!isReaderGone(error)) isLost = true;
  });
  return (code) => (isLost && code === EXIT.done ? EXIT.failed : code);
}

/** From now on the command goes on whatever happens to its output. */
export function outliveOutput({ stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>): void {
  for (const stream of [stdout, stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => {});
  }
}

/**
 * Makes a stream to a file write all of what it is given. Node's own takes no notice of a write that the system cuts short, as a full
 * disk does.
 */
export function writeWholly(stream: Writable & { readonly fd?: number }): void {
  const { fd } = stream;
  // Terminals, pipes and sockets are not written by writeSync.
  if (fd === undefined || stream.constructor.name !== 'SyncWriteStream') return;
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      for (let written = 0; written < chunk.length; ) written += writeSync(fd, chunk, written);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    done();
  };
}

function isReaderGone(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE';
}
