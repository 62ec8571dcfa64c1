import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';

export interface Published {
  readonly manifest: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
  /** The file that npm has packed. */
  readonly tarball: string;
}

export interface Registry {
  readonly url: string;
  close(): void;
}

/** A registry on this machine that has a few packages in one version each: `npm install NAME` works without the internet. */
export async function startRegistry(packages: readonly Published[]): Promise<Registry> {
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const byFile = new Map(packages.map((one) => [basename(one.tarball), one]));
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1).split('?')[0] ?? '');
    const file = byFile.get(basename(name));
    const found = byName.get(name);
    if (file) response.end(readFileSync(file.tarball));
    else if (found) response.setHeader('content-type', 'application/json').end(JSON.stringify(describe(found, url)));
    // What npm asks beside: known weaknesses of packages.
    else if (request.method === 'POST') response.setHeader('content-type', 'application/json').end('{}');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close(() => {}) };
}

function describe({ manifest, tarball }: Published, registry: string) {
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const { name, version } = manifest;
  const dist = { tarball: `${registry}/${name}/-/${basename(tarball)}`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
