import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, shellEnvironment } from './repository.ts';

const COPIED = [
  ...['package.json', 'tsconfig.json', 'LICENSE', 'CHANGELOG.md', 'scripts', 'docs'],
  ...['package.json', 'README.md', 'parley.config.schema.json', 'tsconfig.build.json', 'src', 'templates', 'man'].map(
    (name) => join('packages/parley', name),
  ),
  ...['package.json', 'index.html', 'tsconfig.json', 'vite.config.ts', 'public', 'src'].map((name) =>
    join('packages/console', name),
  ),
];

/**
 * The part of the repository that packing needs, somewhere else: packing changes package.json for a moment, which tests
 * that run at the same time must not see. The installed tools are shared.
 */
export function copyWorkspace(to: string): void {
  for (const path of COPIED) {
    if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(to, path), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

/** Runs npm as a person would: from a shell, with the machine's own Node. Rejects with all that npm said if it fails. */
export async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const options = { cwd, env: shellEnvironment(), timeout: 600_000 };
  await promisify(execFile)('npm', args, options).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`npm ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
    },
  );
}

/** Packs the package of a workspace and gives the tarball's path. */
export function packInto(workspace: string, destination: string): Promise<string> {
  return packFolder(join(workspace, 'packages/parley'), destination);
}

/**
 * Packs each runtime dependency of a package again from what `npm ci` has installed, and returns the tarballs by name.
 * A project that takes its dependencies from them needs neither a registry nor a cache that has seen one.
 */
export async function packDependencies(manifest: Manifest, destination: string): Promise<Record<string, string>> {
  const tarballs: Record<string, string> = {};
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    // A published package was built before it was published; its scripts would ask for tools that nobody installed.
    const folder = join(ROOT, 'node_modules', name);
    tarballs[name] = `file:${await packFolder(folder, join(destination, name), '--ignore-scripts')}`;
  }
  return tarballs;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packs any folder with a package.json and returns the tarball's path. */
export async function packFolder(folder: string, destination: string, ...flags: readonly string[]): Promise<string> {
  mkdirSync(destination, { recursive: true });
  await npm(folder, 'pack', '--pack-destination', destination, ...flags);
  const [tarball = '', ...more] = readdirSync(destination);
  if (!tarball.endsWith('.tgz') || more.length > 0) throw new Error(`npm pack made ${[tarball, ...more].join(', ')}`);
  return join(destination, tarball);
}

/** The files under a folder with their content, but not what a build puts there. */
export function snapshot(folder: string): ReadonlyMap<string, string> {
  return new Map(
    filesUnder(folder)
      .filter((path) => !path.startsWith('dist/'))
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

/** Paths relative to the folder, sorted. */
export function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
