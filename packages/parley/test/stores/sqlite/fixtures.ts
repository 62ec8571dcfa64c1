import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Store } from '../../../src/engine/ports.ts';
import { type SqliteOptions, sqlite } from '../../../src/sqlite.ts';
import { Database } from '../../../src/stores/sqlite/file/driver.ts';

const NOBODY = 65_534;

/** A new folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sqlite-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** An open store that is closed when the test ends. */
export async function openStore(path: string, options?: SqliteOptions): Promise<Store> {
  const store = sqlite(path, options);
  await store.open();
  onTestFinished(async () => {
    await store.close();
  });
  return store;
}

/** Looks into a file past the store. */
export function inspect<Result>(path: string, look: (database: Database) => Result): Result {
  const database = new Database(path);
  try {
    return look(database);
  } finally {
    database.close();
  }
}

export interface ElsewhereOptions {
  /** The process does not stay until it is killed but ends without closing the store. */
  readonly leaves?: boolean;
  readonly plainUser?: boolean;
}

export interface OtherProcess {
  readonly process: ChildProcess;
  /** `open`, or the code and the sentence of the refusal. */
  readonly said: string;
}

/** Opens the file in another process, one without special rights where those of this process would hide a refusal. */
export function openElsewhere(path: string, writer: 'loop' | 'worker', options: ElsewhereOptions = {}) {
  const script = fileURLToPath(new URL('./open-store.ts', import.meta.url));
  const user = options.plainUser && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(process.execPath, [script, path, writer, options.leaves ? 'leave' : 'hold'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return new Promise<OtherProcess>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The process ended with ${code} and said nothing`)));
    child.stdout.once('data', (data) => resolve({ process: child, said: String(data).trim() }));
  });
}

export function ended(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('exit', resolve);
  });
}
