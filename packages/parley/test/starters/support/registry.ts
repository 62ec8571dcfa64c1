import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ROOT, readJson } from '../../setup/support/repository.ts';
import { filesUnder } from '../../setup/support/workspace-copy.ts';
import { tarballOf } from './tarball.ts';

/** A package that the registry has: a folder that was installed, or a tarball that was packed. */
interface Package {
  readonly manifest: {
    readonly name: string;
    readonly version: string;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  readonly tarball: () => Buffer;
}

export interface Registry {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * A registry of all packages that `npm ci` has installed here, made anew from their folders, and of ours as they were packed. Package managers
 * install from it as they do from any other, without a network.
 */
export async function startRegistry(
  ours: readonly { readonly manifest: object; readonly tarball: string }[],
): Promise<Registry> {
  const packages = installedPackages();
  for (const { manifest, tarball } of ours) {
    const own = { manifest: manifest as Package['manifest'], tarball: () => readFileSync(tarball) };
    packages.set(own.manifest.name, [own]);
  }
  const server = createServer((request, response) => {
    const [name = '', file] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/');
    const versions = packages.get(name) ?? [];
    const version = versions.find(({ manifest }) => file === `${manifest.version}.tgz`);
    if (version) response.end(version.tarball());
    else if (versions.length === 0 || file !== undefined) response.writeHead(404).end('{}');
    else
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(packument(name, versions, packages, url())));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function packument(
  name: string,
  versions: readonly Package[],
  packages: ReadonlyMap<string, readonly Package[]>,
  url: string,
) {
  const latest = versions[0]?.manifest.version;
  const entries = versions.map(({ manifest }) => {
    const dist = { tarball: `${url}${name}/-/${manifest.version}.tgz` };
    // What other systems need is not installed here, and npm would miss it in the lock.
    const optional = Object.entries(manifest.optionalDependencies ?? {}).filter(([other]) => packages.has(other));
    const optionalDependencies = Object.fromEntries(optional);
    // A package that is published has been built: nothing of its own is run.
    return [manifest.version, { ...manifest, optionalDependencies, scripts: {}, devDependencies: {}, dist }] as const;
  });
  return { name, 'dist-tags': { latest }, versions: Object.fromEntries(entries) };
}

/** The packages of the lock that are there, by name; the one at the top of node_modules comes first. */
function installedPackages(): Map<string, Package[]> {
  const packages = new Map<string, Package[]>();
  const { packages: locked } = readJson(ROOT, 'package-lock.json');
  const paths = Object.keys(locked).filter((path) => path.includes('node_modules/') && !locked[path].link);
  for (const path of paths.sort(
    (one, other) => one.split('node_modules/').length - other.split('node_modules/').length,
  )) {
    const folder = join(ROOT, path);
    if (!existsSync(join(folder, 'package.json'))) continue;
    const manifest = readJson(folder, 'package.json');
    const known = packages.get(manifest.name) ?? [];
    packages.set(manifest.name, known);
    if (known.some((other) => other.manifest.version === manifest.version)) continue;
    const files = () => filesUnder(folder).filter((file) => !file.startsWith('node_modules/'));
    known.push({ manifest, tarball: () => tarballOf(folder, files()) });
  }
  return packages;
}
