import { closeSync, openSync, readSync } from 'node:fs';

/** The header of an SQLite file (https://sqlite.org/fileformat.html, section 1.3). */
export interface FileHeader {
  readonly applicationId: number;
  readonly schema: number;
}

const LENGTH = 100;
const MAGIC = 'SQLite format 3\0';
const SCHEMA_AT = 60;
const APPLICATION_ID_AT = 68;

/**
 * Undefined if it is not an SQLite file. Reads without SQLite, which takes locks and leaves files behind, and which sees
 * a damaged file where a checkpoint was broken off and the rest stands in the WAL.
 */
export function readHeader(file: string): FileHeader | undefined {
  const bytes = Buffer.alloc(LENGTH);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, bytes, 0, LENGTH, 0);
  } finally {
    closeSync(handle);
  }
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  return { applicationId: bytes.readUInt32BE(APPLICATION_ID_AT), schema: bytes.readUInt32BE(SCHEMA_AT) };
}
