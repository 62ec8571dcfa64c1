import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isOlderNode, OLDEST_NODE } from '../../../model/basics/node-version.ts';
import { type Finding, fail, ok, textOf, warn } from '../finding.ts';

export function checkNode(version: string = process.versions.node): Finding {
  if (isOlderNode(version)) {
    return fail('node', `Node ${version} is too old`, `Install Node ${OLDEST_NODE} or newer`);
  }
  return ok('node', `Node ${version}`);
}

const MEGABYTE = 1024 ** 2;
const LEAST_FREE = 64 * MEGABYTE;
const LITTLE_FREE = 1024 * MEGABYTE;

interface Space {
  readonly bytes: number;
  readonly files: number;
  /** Undefined where the file system does not count them. */
  readonly mostFiles: number | undefined;
}

/** Looks at the disk that holds the tasks, or at that of this folder. */
export function checkDisk(file: string): Finding {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(dirname(file));
    return diskFinding({ bytes: bavail * bsize, files: ffree, mostFiles: files > 0 ? files : undefined });
  } catch (error) {
    return warn('disk', `The free space cannot be told: ${textOf(error)}`, 'Look at it with df');
  }
}

export function diskFinding({ bytes, files, mostFiles }: Space): Finding {
  const free = `${Math.floor(bytes / MEGABYTE).toLocaleString('en-US')} MB free`;
  if (bytes < LEAST_FREE) return fail('disk', free, 'Make room: tasks cannot be kept on a full disk');
  if (mostFiles !== undefined && files === 0)
    return fail('disk', 'No file can be made any more', 'Remove files: the file system has no more entries');
  if (bytes < LITTLE_FREE) return warn('disk', free, 'Make room, or let retention.tasks remove old tasks');
  return ok('disk', free);
}

/** Before this there was no such program. */
const EARLIEST = Date.parse('2026-01-01');
/** Signatures of webhooks and tokens are valid for minutes. */
const FURTHEST_APART = 60_000;

/** `there`: the time of a server, as it said it; `took`: how long it took to say it. */
export function checkClock(now: number, there?: { readonly time: number; readonly took: number }): Finding {
  const shown = new Date(now).toISOString();
  const advice = 'Set the clock, and keep it right with NTP: tokens, certificates and signatures depend on it';
  if (now < EARLIEST) return fail('clock', `The clock of this machine says ${shown}`, advice);
  if (!there) return ok('clock', shown);
  const apart = Math.abs(now - there.time) - there.took;
  if (apart <= FURTHEST_APART) return ok('clock', `${shown}, as that of the server`);
  return warn(
    'clock',
    `The clocks of this machine and of the server are ${Math.round(apart / 1000)} seconds apart`,
    advice,
  );
}
