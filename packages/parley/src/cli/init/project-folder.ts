import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from '../show/problems.ts';

/** A folder with nothing but these is as good as empty. */
const UNIMPORTANT: readonly string[] = ['.git', '.DS_Store'];
const SHOWN_ENTRIES = 3;

/** Refuses a folder that has something in it, and a path to a file. */
export function checkFolder(folder: string, shown: string, force: boolean): void {
  const entries = entriesOf(folder, shown).filter((name) => !UNIMPORTANT.includes(name));
  if (entries.length === 0 || force) return;
  const more = entries.length - SHOWN_ENTRIES;
  const list = entries.slice(0, SHOWN_ENTRIES).join(', ') + (more > 0 ? ` and ${more} more` : '');
  throw new CommandError(
    `The folder ${shown} is not empty: it has ${list}. Name another folder, or add --force, which keeps files of the same name as NAME.replaced-TIME`,
    undefined,
    'NOT_EMPTY',
  );
}

function entriesOf(folder: string, shown: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw folderProblem(error, shown);
  }
}

/** Writes the files. Returns the new names of those that were there with another content. */
export function writeProject(folder: string, shown: string, files: ReadonlyMap<string, string>): readonly string[] {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const replaced: string[] = [];
  try {
    makeFolder(folder);
    for (const [path, text] of files) {
      const target = join(folder, path);
      makeFolder(dirname(target));
      if (isSame(target, text)) continue;
      const aside = `${path}.replaced-${stamp}`;
      if (putAside(target, join(folder, aside))) replaced.push(aside);
      // Never through a link, and never over a file that was just made.
      writeFileSync(target, text, { flag: 'wx' });
    }
    return replaced;
  } catch (error) {
    throw folderProblem(error, shown);
  }
}

/** Makes a folder and those above it. Node's own `recursive` never ends where the system denies a folder with ENOENT, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  mkdirSync(folder);
}

/** Returns false where there is nothing to put aside. */
function putAside(target: string, aside: string): boolean {
  try {
    renameSync(target, aside);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function isSame(target: string, text: string): boolean {
  try {
    return readFileSync(target, 'utf8') === text;
  } catch {
    return false;
  }
}

function folderProblem(error: unknown, shown: string): CommandError {
  const advice = 'name another folder';
  switch (codeOf(error)) {
    case 'ENOTDIR':
    case 'EEXIST':
      return new CommandError(`${shown} cannot be a project: a file is in the way; ${advice}`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
      return new CommandError(`${shown} cannot be made: the system does not allow it; ${advice}`);
    case 'ENOSPC':
      return new CommandError(`${shown} is not whole: the disk is full; make room, and run this again with --force`);
    case 'ENAMETOOLONG':
      return new CommandError(`${shown} cannot be made: the name is too long; ${advice}`);
    default:
      return new CommandError(`${shown} cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
