import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Megabytes that are in use once garbage is collected. */
export function collectedHeap(): number {
  collectGarbage();
  return Math.round(process.memoryUsage().heapUsed / 1e5) / 10;
}
