import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { ROOT, readJson } from './repository.ts';
import { copyWorkspace, packInto } from './workspace-copy.ts';

export interface PackedPackage {
  readonly manifest: ReturnType<typeof readJson>;
  readonly tarball: string;
}

const LOOK_MS = 100;

/** Packs the package once for all suites of a run: the first that asks does it, the others wait. */
export async function packedPackage(): Promise<PackedPackage> {
  const folder = join(inject('sharedFolder'), 'package');
  const outcome = join(folder, 'outcome.json');
  if (isFirst(folder)) {
    writeWhole(outcome, await pack(folder));
  } else {
    // The limit of the hook that waits for it is the limit of this.
    while (!existsSync(outcome)) await sleep(LOOK_MS);
  }
  const { tarball, failure } = JSON.parse(readFileSync(outcome, 'utf8')) as Awaited<ReturnType<typeof pack>>;
  if (tarball === undefined) throw new Error(`The package could not be packed: ${failure}`);
  return { manifest: readJson(ROOT, 'packages/parley/package.json'), tarball };
}

async function pack(folder: string): Promise<{ readonly tarball?: string; readonly failure?: string }> {
  try {
    const workspace = join(folder, 'workspace');
    copyWorkspace(workspace);
    return { tarball: await packInto(workspace, join(folder, 'packed')) };
  } catch (error) {
    return { failure: String(error) };
  }
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Who waits for a file must not find half of it. */
function writeWhole(file: string, value: object): void {
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}
