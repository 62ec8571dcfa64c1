import { rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A process that held a lock for longer has died with it: what is done under one takes half as long at the most. */
const STALE_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Does something while no other process does so under the same lock. Two that take away the same stale lock may both go on,
 * as if there were none.
 */
export async function withFileLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!isTaken(lock)) {
    if (isStale(lock)) rmSync(lock, { force: true });
    else await pause(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}
