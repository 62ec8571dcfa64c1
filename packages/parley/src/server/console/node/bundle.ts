import { createHash } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildFrom } from './build.ts';

export type Encoding = 'br' | 'gzip';

export interface BundleFile {
  readonly bytes: Uint8Array;
  readonly etag: string;
  /** Undefined where the bytes are those of the file. */
  readonly encoding: Encoding | undefined;
}

/** Bundlers take `new URL(…, import.meta.url)` for a file that must be there. */
const HERE = dirname(fileURLToPath(import.meta.url));
/** In the packed package, beside the code. */
const BUILT = join(/* turbopackIgnore: true */ HERE, '../../../console');
/** In the source tree. */
const SOURCE = join(/* turbopackIgnore: true */ HERE, '../../../../../console');
/** Less is not worth the work, and what is compressed already gets no smaller. */
const LEAST_COMPRESSED = 1024;
const COMPRESSIBLE = /\.(?:html|js|css|json|svg|txt)$/;

const packers: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/** Opens the built console: that of the package, or in the source tree one that is built when it is missing or out of date. */
export async function openBundle(): Promise<Bundle> {
  if (existsSync(join(BUILT, 'index.html'))) return Bundle.read(BUILT);
  if (!existsSync(join(SOURCE, 'vite.config.ts'))) {
    throw new Error('The files of the console are not there: a bundler has left them out of this program');
  }
  return Bundle.read(await buildFrom(SOURCE));
}

/** The files of a built console, in memory; each is compressed once, when it is first asked for so. */
export class Bundle {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #made = new Map<string, Promise<BundleFile>>();

  constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = files;
  }

  static async read(folder: string): Promise<Bundle> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = new Map<string, Uint8Array>();
    for (const entry of entries) {
      const path = pathOf(entry, folder);
      if (entry.isFile() && !path.split('/').some((segment) => segment.startsWith('.'))) {
        files.set(path, await readFile(join(folder, path)));
      }
    }
    return new Bundle(files);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** The same files, with another text in one of them. */
  with(path: string, change: (text: string) => string): Bundle {
    const bytes = this.#files.get(path);
    if (!bytes) throw new Error(`The console has no ${path}; build it again`);
    const changed = new TextEncoder().encode(change(new TextDecoder().decode(bytes)));
    return new Bundle(new Map(this.#files).set(path, changed));
  }

  /** A file that is there, compressed where that pays. */
  file(path: string, wanted: Encoding | undefined): Promise<BundleFile> {
    const bytes = this.#files.get(path) ?? new Uint8Array();
    const encoding = bytes.length >= LEAST_COMPRESSED && COMPRESSIBLE.test(path) ? wanted : undefined;
    const key = `${encoding ?? ''} ${path}`;
    const known = this.#made.get(key) ?? make(bytes, encoding);
    this.#made.set(key, known);
    return known;
  }
}

async function make(bytes: Uint8Array, encoding: Encoding | undefined): Promise<BundleFile> {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const etag = `"${digest}${encoding ? `-${encoding}` : ''}"`;
  return { bytes: encoding ? await packers[encoding](bytes) : bytes, etag, encoding };
}

function pathOf({ parentPath, name }: Dirent, folder: string): string {
  return relative(folder, join(parentPath, name)).split(sep).join('/');
}
