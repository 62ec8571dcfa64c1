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

/**
 * What `npm pack` needs to be different from the work tree: a package.json without what only makes sense in the workspace,
 * and the texts of the root beside it. npm packs the folder as it is on disk, so `prepare` changes it and `restore`
 * changes it back. A note of what was changed lies where neither git nor npm looks.
 */
const ROOT = join(import.meta.dirname, '..');
const PACKAGE = join(ROOT, 'packages/parley');
const MANIFEST = join(PACKAGE, 'package.json');
const NOTE = join(PACKAGE, 'node_modules/.packing.json');
const TEXTS = ['README.md', 'LICENSE', 'CHANGELOG.md'];

interface Note {
  readonly original: string;
  readonly packed: string;
  /** The texts that were copied in. */
  readonly copied: readonly string[];
}

export function prepare(): void {
  restore();
  const original = readFileSync(MANIFEST, 'utf8');
  const packed = packedManifest(original);
  const copied = TEXTS.filter((name) => existsSync(join(ROOT, name)) && !existsSync(join(PACKAGE, name)));
  mkdirSync(dirname(NOTE), { recursive: true });
  writeFileSync(NOTE, JSON.stringify({ original, packed, copied } satisfies Note));
  for (const name of copied) copyFileSync(join(ROOT, name), join(PACKAGE, name));
  writeFileSync(MANIFEST, packed);
}

/** Does nothing where nothing is prepared, so it may run more than once. */
export function restore(): void {
  if (!existsSync(NOTE)) return;
  const { original, packed, copied }: Note = JSON.parse(readFileSync(NOTE, 'utf8'));
  // Somebody who edited the file meanwhile keeps the edit.
  if (readFileSync(MANIFEST, 'utf8') === packed) writeFileSync(MANIFEST, original);
  for (const name of copied) rmSync(join(PACKAGE, name), { force: true });
  rmSync(NOTE, { force: true });
  if (readdirSync(dirname(NOTE)).length === 0) rmdirSync(dirname(NOTE));
}

/** Without the `parley-source` conditions, which lead to files that are not packed, and without the workspace's scripts. */
function packedManifest(original: string): string {
  const { scripts: _, ...manifest } = JSON.parse(original);
  return `${JSON.stringify({ ...manifest, exports: withoutSource(manifest.exports) }, null, 2)}\n`;
}

function withoutSource(target: unknown): unknown {
  if (typeof target !== 'object' || target === null || Array.isArray(target)) return target;
  const kept = Object.entries(target).filter(([condition]) => condition !== 'parley-source');
  return Object.fromEntries(kept.map(([condition, inner]) => [condition, withoutSource(inner)]));
}
