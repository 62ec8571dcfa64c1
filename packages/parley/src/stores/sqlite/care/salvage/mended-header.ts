import { closeSync, copyFileSync, existsSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { APPLICATION_ID, MIGRATIONS } from '../../file/migrations.ts';

/** The header of an SQLite file (https://sqlite.org/fileformat.html, section 1.3). */
const LENGTH = 100;
const MAGIC = 'SQLite format 3\0';
const PAGE_BYTES = 4096;
const PAGES_AT = 28;

/** The first page has a table of the schema right behind the header, where it is not destroyed itself. */
const TREE_PAGES: readonly number[] = [0x05, 0x0d];

/** Copies a file with its WAL, so that what reads it can do no harm. A destroyed header is rewritten in the copy. */
export function copyForSalvage(file: string, copy: string): void {
  copyFileSync(file, copy);
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
  const handle = openSync(copy, 'r+');
  try {
    const page = Buffer.alloc(LENGTH + 1);
    readSync(handle, page, 0, page.length, 0);
    const isHeaderWhole = page.toString('latin1', 0, MAGIC.length) === MAGIC && page.readUInt16BE(16) === PAGE_BYTES;
    const { size } = statSync(copy);
    if (!isHeaderWhole && TREE_PAGES.includes(page[LENGTH] ?? 0)) writeSync(handle, headerFor(size), 0, LENGTH, 0);
    else if (isHeaderWhole && size < page.readUInt32BE(PAGES_AT) * PAGE_BYTES) shorten(handle, page, size);
  } finally {
    closeSync(handle);
  }
}

/** SQLite reads nothing of a file that ends before its header says. */
function shorten(handle: number, header: Buffer, bytes: number): void {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  ftruncateSync(handle, pages * PAGE_BYTES);
  header.writeUInt32BE(pages, PAGES_AT);
  writeSync(handle, header, 0, LENGTH, 0);
}

/** A header of a file in WAL mode with pages of the usual size, none of them known to be free. */
function headerFor(bytes: number): Buffer {
  const header = Buffer.alloc(LENGTH);
  header.write(MAGIC, 'latin1');
  header.writeUInt16BE(PAGE_BYTES, 16);
  header.set([2, 2, 0, 64, 32, 32], 18);
  const version = 1;
  header.writeUInt32BE(version, 24);
  header.writeUInt32BE(Math.floor(bytes / PAGE_BYTES), PAGES_AT);
  header.writeUInt32BE(4, 44);
  header.writeUInt32BE(1, 56);
  header.writeUInt32BE(MIGRATIONS.length, 60);
  header.writeUInt32BE(APPLICATION_ID, 68);
  header.writeUInt32BE(version, 92);
  return header;
}
