import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConfigFile } from '../../../config/read-file.ts';
import { EXIT } from '../../exit-codes.ts';
import { CommandError } from '../../show/problems.ts';
import type { Surroundings } from '../../surroundings.ts';
import { moduleProblem, shortened } from '../module-problem.ts';

/** Looked for in the folder that the command runs in. */
export const CONFIG_NAMES: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'json'].map((end) => `parley.config.${end}`);

interface FoundConfig extends ConfigFile {
  /** The whole path. */
  readonly path: string;
}

/** The configuration file that is named, or the one that is there; undefined if there is none. */
export function findConfig(
  named: string | undefined,
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
): string | undefined {
  const wanted = named ?? (env.PARLEY_CONFIG || undefined);
  if (wanted !== undefined) {
    const path = resolve(cwd, wanted);
    if (existsSync(path)) return path;
    const who = named === undefined ? 'PARLEY_CONFIG' : '--config';
    throw new CommandError(
      `There is no file ${wanted}, which ${who} names; write it, or name another`,
      EXIT.usage,
      'USAGE',
    );
  }
  const [found, other] = CONFIG_NAMES.filter((name) => existsSync(resolve(cwd, name)));
  if (other !== undefined) {
    const advice = 'remove one, or choose with --config FILE';
    throw new CommandError(`There are both ${found} and ${other}; ${advice}`, EXIT.usage, 'USAGE');
  }
  return found === undefined ? undefined : resolve(cwd, found);
}

/** Reads a configuration file. One that is a module is run. */
export async function loadConfig(path: string, cwd: string): Promise<FoundConfig> {
  const name = shortened(path, cwd);
  if (path.endsWith('.json')) return { name, path, value: readJson(path, name), isProgram: false };
  const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw moduleProblem(error, name, cwd);
  });
  if (module.default === undefined) {
    const advice = 'export default defineConfig({ … })';
    throw new CommandError(`${name} has no default export; write ${advice}`, EXIT.usage, 'USAGE');
  }
  return { name, path, value: module.default, isProgram: true };
}

function readJson(path: string, name: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandError(`${name} cannot be read: ${reason}; may you read it?`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${basename(name)} is no JSON: ${why}`, EXIT.usage, 'USAGE');
  }
}
