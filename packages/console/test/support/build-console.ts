import { join } from 'node:path';
import { buildFrom } from '../../../parley/src/server/console/node/build.ts';

/** Builds the console as servers of the source tree do, where its sources have changed. */
export async function buildConsole(): Promise<void> {
  await buildFrom(join(import.meta.dirname, '..', '..'));
}
