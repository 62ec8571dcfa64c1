import { basename } from 'node:path';
import { UsageError } from '../usage-error.ts';
import { PLACEHOLDER } from './templates.ts';

const LONGEST_NAME = 64;
const NAME = /^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/;

/** npm takes no package of these names. */
const REFUSED: readonly string[] = ['node_modules', 'favicon.ico'];

/** Checks a name that was given. It becomes the package's name, the agent's, and that of the image. */
export function checkName(name: string, dependencies: readonly string[]): string {
  if (!NAME.test(name) || name.length > LONGEST_NAME) {
    throw new UsageError(
      `--name must be small letters and digits joined by - _ or . (at most ${LONGEST_NAME}), not "${name}"`,
    );
  }
  if (isTaken(name, dependencies)) {
    throw new UsageError(
      `--name cannot be ${name}, which is the name of a package that the project needs; try ${name}-agent`,
    );
  }
  return name;
}

/** Derives a name from that of the folder. */
export function nameOf(folder: string, dependencies: readonly string[]): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-+|-+$/g, '');
  if (name === '') return PLACEHOLDER;
  return isTaken(name, dependencies) ? `${name}-agent`.slice(-LONGEST_NAME) : name;
}

/** A package cannot depend on one of its own name. */
function isTaken(name: string, dependencies: readonly string[]): boolean {
  return dependencies.includes(name) || REFUSED.includes(name);
}
