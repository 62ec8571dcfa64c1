import { createHash } from 'node:crypto';
import { chmodSync, chownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFile } from '../../support/temp-folder.ts';
import type { Launch } from '../server/process.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Rights do not bind root, so its servers run as somebody else. */
export const plainUser: Launch = { user: isRoot ? NOBODY : undefined };

/** What can be taken away: the right to write the database, or its folder. */
export const PROTECTED = ['file', 'folder', 'file and folder'] as const;
export type Protected = (typeof PROTECTED)[number];

/** A path in a folder of that user. */
export function fileOfPlainUser(): string {
  const file = tempFile();
  if (isRoot) chownSync(dirname(file), NOBODY, NOBODY);
  return file;
}

export function protect(file: string, what: Protected): void {
  if (what.includes('file')) chmodSync(file, 0o444);
  if (what.includes('folder')) chmodSync(dirname(file), 0o555);
}

export function unprotect(file: string): void {
  chmodSync(dirname(file), 0o755);
  chmodSync(file, 0o644);
}

/** Changes with the content or the time of any file beside this one. */
export function fingerprintOf(file: string): string {
  const folder = dirname(file);
  const names = readdirSync(folder).toSorted((left, right) => left.localeCompare(right));
  const files = names.map((name) => {
    const content = readFileSync(join(folder, name));
    return [name, statSync(join(folder, name)).mtimeMs, createHash('sha256').update(content).digest('hex')];
  });
  return JSON.stringify(files);
}
