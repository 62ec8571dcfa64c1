import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Milliseconds that a build may take. */
const BUILD_TIMEOUT = 300_000;
/** Parts of the workspace that the bundle is made of. The client is part of it. */
const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  '../parley/src/client',
  '../parley/src/dialects',
  '../parley/src/snippets',
];
/** The end of what a failed build says. */
const SAID = 600;

/** Builds the console of a source tree in another process, where that is needed. Resolves with the folder of the files. */
export async function buildFrom(workspace: string): Promise<string> {
  const built = join(workspace, 'dist');
  const madeAt = await timeOf(join(built, 'index.html'));
  const changedAt = await Promise.all(
    SOURCES.map((source) => latestIn(join(/* turbopackIgnore: true */ workspace, source))),
  );
  if (madeAt >= Math.max(...changedAt)) return built;
  const place = await mkdtemp(join(workspace, '.build-'));
  try {
    await runVite(workspace, join(place, 'new'));
    // A server that serves the former files has them in memory.
    await rename(built, join(place, 'old')).catch(() => undefined);
    await rename(join(place, 'new'), built);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  return built;
}

async function runVite(workspace: string, folder: string): Promise<void> {
  const manifest = createRequire(join(workspace, 'package.json')).resolve('vite/package.json');
  const program = join(dirname(manifest), 'bin/vite.js');
  const env = { ...process.env, PARLEY_CONSOLE_OUT: folder, NODE_ENV: 'production' as const, NODE_OPTIONS: '' };
  try {
    await promisify(execFile)(process.execPath, [program, 'build'], { cwd: workspace, env, timeout: BUILD_TIMEOUT });
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new Error(`The console could not be built: ${(stderr || String(error)).trim().slice(-SAID)}`, {
      cause: error,
    });
  }
}

/** The time of a file's last change, in milliseconds; 0 if there is none. */
async function timeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

async function latestIn(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const times = files.map((entry) => timeOf(join(entry.parentPath, entry.name)));
  return Math.max(0, ...(await Promise.all(times)));
}
