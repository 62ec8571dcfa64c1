import type { Store } from '../../engine/ports.ts';
import { ofKind } from '../../model/basics/store-kind.ts';
import { type Checks, called, checkOptions, duration, oneOf, requireRight, takes } from '../../model/options/checks.ts';
import type { Synchronous } from './file/connections.ts';
import { SqliteStore } from './store.ts';
import { ThreadWriter } from './write/thread-writer.ts';

export interface SqliteOptions {
  /**
   * The durability of commits. `full`: a commit waits for the disk, and survives a power cut. `normal`: it survives a
   * crash of the process, but a power cut may take the last commits. `off`: the system decides. Default `full`.
   */
  readonly synchronous?: Synchronous | undefined;
  /**
   * Writes commits on a `worker` thread, so that the disk does not block the event loop, or on the `loop` itself.
   * Default `worker`, or `loop` if the thread's file is not there, as in a bundle.
   */
  readonly writer?: 'loop' | 'worker' | undefined;
  /** Milliseconds to wait while another program, such as a backup, has locked the file. Default 5000. */
  readonly busyTimeout?: number | undefined;
  /** The clock that decides which idempotency keys have expired. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const BUSY_TIMEOUT_MILLISECONDS = 5000;

const OPTIONS: Checks<SqliteOptions> = {
  synchronous: oneOf('full', 'normal', 'off'),
  writer: oneOf('worker', 'loop'),
  busyTimeout: duration,
  now: called,
};

const file = takes('the path of a file, such as tasks.db', (path) => typeof path === 'string' && path !== '');

/**
 * Tasks in an SQLite file, which is made if there is none; its folder must exist. One server for each file: a second
 * one is refused with a `StoreError`. `:memory:` keeps everything in memory and writes on the loop.
 */
export function sqlite(path: string, options: SqliteOptions = {}): Store {
  requireRight('sqlite', file(path, 'the path'));
  checkOptions('sqlite', options, OPTIONS);
  const settings = {
    path,
    synchronous: options.synchronous ?? 'full',
    writer: options.writer ?? (ThreadWriter.isAvailable() ? 'worker' : 'loop'),
    busyTimeout: options.busyTimeout ?? BUSY_TIMEOUT_MILLISECONDS,
  };
  return ofKind(new SqliteStore(settings, options.now ?? Date.now), 'sqlite');
}
