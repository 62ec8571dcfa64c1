import { open, realpath, rename, rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { KeyEntry } from '../keys/key-record.ts';
import { readKeyFile } from './key-file.ts';

/** Milliseconds to wait for another program that changes the file. */
const LONGEST_WAIT = 5_000;
const RETRY = 25;

/** Changes the keys of a file, one program at a time. A file that is not there has no keys. */
export async function editKeyFile(
  path: string,
  edit: (keys: readonly KeyEntry[]) => readonly KeyEntry[],
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const unlock = await lock(`${target}.lock`);
  try {
    await writeKeyFile(target, edit(await keysOf(target)));
  } finally {
    await unlock();
  }
}

async function keysOf(path: string): Promise<readonly KeyEntry[]> {
  try {
    return (await readKeyFile(path)).map(({ entry }) => entry);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  }
}

async function lock(path: string): Promise<() => Promise<void>> {
  const until = Date.now() + LONGEST_WAIT;
  for (;;) {
    try {
      await (await open(path, 'wx', 0o600)).close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
      if (Date.now() >= until) {
        const advice = 'remove it if no other program is changing the keys';
        throw new Error(`${path} is there for too long; ${advice}`, { cause: error });
      }
    }
    await setTimeout(RETRY);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Replaces a file as a whole: readers see the old keys or the new ones, never a part. */
export async function writeKeyFile(path: string, keys: readonly KeyEntry[]): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify({ keys }, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
