import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tempFile } from '../../support/temp-folder.ts';
import type { Disk } from './disk.ts';

/**
 * Needs no rights: the system refuses to let the files of a process grow. Node ignores the signal that comes with it, so
 * that SQLite sees a write fail.
 */
export function sizeLimit(): Disk {
  const file = tempFile();
  const limit = async (pid: number, size: string) => {
    await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${size}:`]);
  };
  return {
    kind: 'files that may not grow',
    launch: {},
    file,
    fileFromOutside: file,
    fill: (pid, spare) => limit(pid, String(spare)),
    free: async (pid) => {
      if (pid !== undefined) await limit(pid, 'unlimited');
    },
  };
}
