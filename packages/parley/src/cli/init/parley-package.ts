import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../../server/operator/node/package-version.ts';
import { UsageError } from '../usage-error.ts';

/** This package, wherever it is installed. */
const OWN_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));

const FILE = 'file:';

/**
 * Says where the project gets parley-a2a from: as given, else from the tarball that this program was installed from, else
 * this release from the registry. Tarballs are named as seen from the project's folder.
 */
export function parleyPackage(given: string | undefined, folder: string, cwd: string): string {
  if (given !== undefined) return named(given, folder, cwd);
  const tarball = ownTarball(OWN_FOLDER);
  return tarball === undefined ? `^${packageVersion()}` : tarballSpec(tarball, folder);
}

function named(given: string, folder: string, cwd: string): string {
  const isTarball = given.startsWith(FILE) || given.endsWith('.tgz');
  if (!isTarball || /^https?:/.test(given)) return given;
  const path = resolve(cwd, given.startsWith(FILE) ? given.slice(FILE.length) : given);
  if (!existsSync(path)) throw new UsageError(`--package names ${given}, and there is no such file`);
  return tarballSpec(path, folder);
}

function tarballSpec(path: string, folder: string): string {
  return `${FILE}${relative(folder, path).split(sep).join('/')}`;
}

/** npm notes beside what it installs where each package came from. */
export function ownTarball(own: string): string | undefined {
  const project = resolve(own, '../..');
  try {
    const lock: unknown = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    const { packages } = lock as { readonly packages?: Readonly<Record<string, { readonly resolved?: unknown }>> };
    const resolved = packages?.[relative(project, own).split(sep).join('/')]?.resolved;
    if (typeof resolved !== 'string' || !resolved.startsWith(FILE) || !resolved.endsWith('.tgz')) return undefined;
    const path = resolve(project, resolved.slice(FILE.length));
    return existsSync(path) ? path : undefined;
  } catch {
    // Another package manager, or a folder that was copied.
    return undefined;
  }
}
