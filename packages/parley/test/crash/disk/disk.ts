import type { Launch } from '../server/process.ts';
import { sizeLimit } from './size-limit.ts';
import { smallDisk } from './small-disk.ts';

/** A disk that can be made full while servers run on it. */
export interface Disk {
  readonly kind: string;
  /** How servers are started on it. */
  readonly launch: Launch;
  /** The file of the servers, as they name it. */
  readonly file: string;
  /** The same file for everybody else. */
  readonly fileFromOutside: string;
  /** Leaves this server no more than so many bytes to write. */
  fill(pid: number, spare: number): Promise<void>;
  /** Gives all the room again, to this server and to later ones. */
  free(pid?: number): Promise<void>;
}

const { CRASH_DISK } = process.env;

/** A real disk that is small, where one can be had; else a limit to the size of files. Gone when the test ends. */
export async function fillableDisk(): Promise<Disk> {
  return (CRASH_DISK === 'limit' ? undefined : await smallDisk()) ?? sizeLimit();
}
