import { withDefaults } from '../../../config/resolve.ts';
import { settingLines, settingObject } from '../../../config/shown.ts';
import { EXIT } from '../../exit-codes.ts';
import type { Arguments } from '../../options.ts';
import type { Surroundings } from '../../surroundings.ts';
import { cleanLine, safeJson } from '../../text/clean.ts';
import { readSettings } from './serve-settings.ts';

/** Prints the settings in force and the origin of each; secrets are hidden. Nothing is served. */
export async function printConfig(args: Arguments, surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings;
  const { resolved, unknownVariables } = await readSettings(args, surroundings);
  const all = withDefaults(resolved);
  if (args.options.json) stdout.write(`${safeJson(settingObject(all))}\n`);
  else for (const line of settingLines(all, cleanLine)) stdout.write(`${line}\n`);
  for (const name of unknownVariables)
    stderr.write(`parley: ${cleanLine(name)} is no setting of a server and was passed over.\n`);
  return EXIT.done;
}
