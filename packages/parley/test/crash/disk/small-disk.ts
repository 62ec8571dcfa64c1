import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFile } from '../../support/temp-folder.ts';
import type { Disk } from './disk.ts';

const SIZE_BYTES = 64 * 1024 * 1024;
const PIECE = Buffer.alloc(1024 * 1024);
const isRoot = process.getuid?.() === 0;

/**
 * A disk in memory that is mounted where only one process and its servers see it: in a namespace that the system drops
 * with the last of them, however this process ends. Undefined where that is not allowed.
 */
export async function smallDisk(): Promise<Disk | undefined> {
  const folder = join(dirname(tempFile()), 'disk');
  mkdirSync(folder);
  const namespaces = isRoot ? ['--mount'] : ['--user', '--mount'];
  const mount = `mount -t tmpfs -o size=${SIZE_BYTES},mode=700 parley-test "$0" && echo mounted && exec cat`;
  const flags = [...namespaces, ...(isRoot ? [] : ['--map-root-user']), '--propagation', 'private'];
  // It waits for an input that never comes and ends with this process.
  const holder = spawn('unshare', [...flags, 'sh', '-c', mount, folder], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void holder.kill('SIGKILL'));
  const failed = once(holder, 'close').catch(() => {});
  const mounted = await Promise.race([once(holder.stdout, 'data').then(() => true), failed.then(() => false)]);
  if (!mounted) return undefined;
  const enter = [
    'nsenter',
    '--target',
    String(holder.pid),
    ...namespaces,
    ...(isRoot ? [] : ['--preserve-credentials']),
  ];
  const outside = `/proc/${holder.pid}/root${folder}`;
  return {
    kind: 'a small disk',
    launch: { through: enter },
    file: join(folder, 'parley.db'),
    fileFromOutside: join(outside, 'parley.db'),
    fill: async (_, spare) => fillWith(join(outside, 'ballast'), spare),
    free: async () => rmSync(join(outside, 'ballast'), { force: true }),
  };
}

/** Writes until nothing fits any more, then gives back what is to be spare. */
function fillWith(ballast: string, spare: number): void {
  const file = openSync(ballast, 'a');
  try {
    for (;;) writeSync(file, PIECE);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    ftruncateSync(file, Math.max(0, fstatSync(file).size - spare));
  } finally {
    closeSync(file);
  }
}
