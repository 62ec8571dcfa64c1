import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BLOCK = 512;
const LONG_NAME = '././@LongLink';

/** A tarball as registries have them: all files below `package/`. It is not pressed; it goes from memory to disk. */
export function tarballOf(folder: string, files: readonly string[]): Buffer {
  const pieces: Buffer[] = [];
  const add = (name: string, mode: number, type: string, content: Buffer) => {
    pieces.push(headerOf(name, mode, type, content.length), content, Buffer.alloc(-content.length & (BLOCK - 1)));
  };
  for (const file of files) {
    const name = `package/${file}`;
    if (Buffer.byteLength(name) > 100) add(LONG_NAME, 0o644, 'L', Buffer.from(`${name}\0`));
    const path = join(folder, file);
    add(name, statSync(path).mode & 0o777, '0', readFileSync(path));
  }
  return gzipSync(Buffer.concat([...pieces, Buffer.alloc(2 * BLOCK)]), { level: 0 });
}

/** In the form of GNU tar, which npm reads. */
function headerOf(name: string, mode: number, type: string, bytes: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name.slice(0, 100), 0);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7) + octal(0, 7) + octal(bytes, 11) + octal(0, 11), 108);
  header.fill(' ', 148, 156);
  header.write(type, 156);
  header.write('ustar  \0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
}
