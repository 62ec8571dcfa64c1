import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { packedDocuments } from './docs/packed-documents.ts';
import { PUBLIC_ADDRESS } from './docs/public-address.ts';

/**
 * What `npm pack` needs to be different from the work tree: a package.json without what only makes sense in the workspace,
 * the license, and the documents with links that lead somewhere from there. npm packs the folder as it is on disk, so
 * `prepare` changes it and `restore` changes it back. A note of what was changed lies where neither git nor npm looks.
 */
const ROOT = join(import.meta.dirname, '..');
const PACKAGE = join(ROOT, 'packages/parley');
const NOTE = join(PACKAGE, 'node_modules/.packing.json');

interface Note {
  /** Files that were changed, by their paths below the package. */
  readonly changed: Readonly<Record<string, { readonly original: string; readonly packed: string }>>;
  /** Files that were added. */
  readonly added: readonly string[];
}

export function prepare(): void {
  restore();
  const manifest = readFileSync(join(PACKAGE, 'package.json'), 'utf8');
  const packed = new Map<string, string | Uint8Array>([
    ...packedDocuments(),
    ['package.json', packedManifest(manifest)],
  ]);
  const isThere = (path: string) => existsSync(join(PACKAGE, path));
  const paths = ['LICENSE', ...packed.keys()];
  const changed = [...packed]
    .filter(([path]) => isThere(path))
    .map(([path, text]) => [path, { original: readFileSync(join(PACKAGE, path), 'utf8'), packed: text }]);
  const note: Note = { changed: Object.fromEntries(changed), added: paths.filter((path) => !isThere(path)) };
  mkdirSync(dirname(NOTE), { recursive: true });
  writeFileSync(NOTE, JSON.stringify(note));
  copyFileSync(join(ROOT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
  for (const [path, text] of packed) {
    mkdirSync(dirname(join(PACKAGE, path)), { recursive: true });
    writeFileSync(join(PACKAGE, path), text);
  }
}

/** Does nothing where nothing is prepared, so it may run more than once. */
export function restore(): void {
  if (!existsSync(NOTE)) return;
  const { changed, added }: Note = JSON.parse(readFileSync(NOTE, 'utf8'));
  for (const [path, { original, packed }] of Object.entries(changed)) {
    // Somebody who edited the file meanwhile keeps the edit.
    if (readFileSync(join(PACKAGE, path), 'utf8') === packed) writeFileSync(join(PACKAGE, path), original);
  }
  for (const path of added) {
    rmSync(join(PACKAGE, path), { force: true });
    removeEmptyFolders(dirname(path));
  }
  rmSync(NOTE, { force: true });
  removeEmptyFolders('node_modules');
}

/** Removes a folder of the package and those around it, as far as nothing is in them. */
function removeEmptyFolders(path: string): void {
  for (let folder = path; folder !== '.'; folder = dirname(folder)) {
    if (!existsSync(join(PACKAGE, folder)) || readdirSync(join(PACKAGE, folder)).length > 0) return;
    rmdirSync(join(PACKAGE, folder));
  }
}

/** Without the `parley-source` conditions, which lead to files that are not packed, and without the workspace's scripts. */
function packedManifest(original: string): string {
  const { scripts: _, ...manifest } = JSON.parse(original);
  const addresses = PUBLIC_ADDRESS === '' ? {} : addressesAt(PUBLIC_ADDRESS);
  return `${JSON.stringify({ ...manifest, ...addresses, exports: withoutSource(manifest.exports) }, null, 2)}\n`;
}

function addressesAt(address: string) {
  return {
    homepage: address,
    repository: { type: 'git', url: `git+${address}.git`, directory: 'packages/parley' },
    bugs: `${address}/issues`,
  };
}

function withoutSource(target: unknown): unknown {
  if (typeof target !== 'object' || target === null || Array.isArray(target)) return target;
  const kept = Object.entries(target).filter(([condition]) => condition !== 'parley-source');
  return Object.fromEntries(kept.map(([condition, inner]) => [condition, withoutSource(inner)]));
}
