import { closeSync, openSync, readSync } from 'node:fs';

/** The header of an SQLite file (https://sqlite.org/fileformat.html, section 1.3). */
export interface FileHeader {
  readonly applicationId: number;
  readonly schema: number;
}

const LENGTH = 100;
const MAGIC = 'SQLite format 3\0';
const PAGE_BYTES_AT = 16;
const PAGES_AT = 28;
const LARGEST_PAGE = 65_536;
const SCHEMA_AT = 60;
const APPLICATION_ID_AT = 68;

/** The bytes that a file has by its header; 0 if it is not an SQLite file. */
export function bytesByHeader(file: string): number {
  const bytes = headerBytes(file);
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return 0;
  const pageBytes = bytes.readUInt16BE(PAGE_BYTES_AT);
  return bytes.readUInt32BE(PAGES_AT) * (pageBytes === 1 ? LARGEST_PAGE : pageBytes);
}

/**
 * Undefined if it is not an SQLite file. Reads without SQLite, which takes locks and leaves files behind, and which sees
 * a damaged file where a checkpoint was broken off and the rest stands in the WAL.
 */
export function readHeader(file: string): FileHeader | undefined {
  const bytes = headerBytes(file);
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  return { applicationId: bytes.readUInt32BE(APPLICATION_ID_AT), schema: bytes.readUInt32BE(SCHEMA_AT) };
}

function headerBytes(file: string): Buffer {
  const bytes = Buffer.alloc(LENGTH);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, bytes, 0, LENGTH, 0);
  } finally {
    closeSync(handle);
  }
  return bytes;
}
