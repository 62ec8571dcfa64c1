import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first Node on the PATH with such a version. */
export function nodeOnPath(isWanted: (version: string) => boolean): string | undefined {
  const programs = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  return programs.filter(existsSync).find((program) => isWanted(versionOf(program)));
}

function versionOf(program: string): string {
  return execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
}
