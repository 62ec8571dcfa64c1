// Restores the folder: at once, or after the process with the given id has ended.
import { setTimeout as delay } from 'node:timers/promises';
import { restore } from './packing.ts';

const POLL_MILLISECONDS = 50;

const awaited = process.argv[2];
while (awaited !== undefined && isAlive(Number(awaited))) await delay(POLL_MILLISECONDS);
restore();

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
