import type { FileEncoding, FileEncodingOptions, FileHabits } from '../../file-encoding.ts';
import { normalizeBase64 } from './base64.ts';

/** Reads and writes the bytes of files; inside they are base64 text, encoded once. */
export interface FileBytes {
  /** @param wire padded standard base64 */
  readonly read: (wire: string) => string;
  readonly write: (bytes: string) => string;
}

/** The settings, or a client's knowledge of a server, which is told what a file shows of its writer; not all files show it. */
type Encodings = FileEncodingOptions & Partial<Pick<FileHabits, 'observe'>>;

const LEAST_DETECTED = 16;
/** So much is decoded at first, to tell whether the rest is worth it. A multiple of four. */
const SAMPLE = 1024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** By the settings, or by what is known of a server by then; the latter is told what its files show of it. */
export function fileBytes(files: Encodings): FileBytes {
  return {
    read: (wire) => readBytes(wire, files),
    write: (bytes) => (files.write === 'once' ? bytes : btoa(bytes)),
  };
}

function readBytes(wire: string, files: Encodings): string {
  const { read } = files;
  if (read === 'once' || wire === '') return wire;
  const inner = innerBase64(wire);
  if (inner === undefined) {
    files.observe?.('once');
    return wire;
  }
  if (read === 'twice') return inner;
  if (inner.length < LEAST_DETECTED || !isCanonical(inner)) return wire;
  files.observe?.('twice');
  return inner;
}

/** The encoding that a text shows of its writer; undefined where it shows none, or is no base64. */
export function encodingOf(wire: unknown): FileEncoding | undefined {
  const base64 = typeof wire === 'string' ? normalizeBase64(wire) : undefined;
  let seen: FileEncoding | undefined;
  if (base64 !== undefined) {
    const observe = (encoding: FileEncoding) => {
      seen = encoding;
    };
    readBytes(base64, { observe });
  }
  return seen;
}

/** The decoded text, where that is padded base64 itself. */
function innerBase64(wire: string): string | undefined {
  if (!BASE64.test(atob(wire.slice(0, SAMPLE)))) return undefined;
  const inner = atob(wire);
  return normalizeBase64(inner) === inner ? inner : undefined;
}

/** Bits beyond the last byte are not set in what an encoder writes. */
function isCanonical(base64: string): boolean {
  const end = base64.slice(-4);
  return btoa(atob(end)) === end;
}
