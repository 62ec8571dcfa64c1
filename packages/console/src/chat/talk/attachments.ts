import { bytes, type Part } from 'parley-a2a/client';
import { formatBytes } from '../../design/components/index.ts';
import { safeFileName } from '../parts/safe-name.ts';

/** Files that one message may have, and their bytes in all: they are sent inline, as base64. */
const MOST_FILES = 20;
const MOST_BYTES = 32_000_000;

/** The files with more of them, or the reason why that is too much. */
export function addFiles(
  files: readonly File[],
  added: readonly File[],
): { readonly files: readonly File[]; readonly problem?: string } {
  const all = [...files, ...added];
  const size = all.reduce((sum, file) => sum + file.size, 0);
  if (all.length > MOST_FILES) return { files, problem: `A message takes ${MOST_FILES} files at most.` };
  if (size > MOST_BYTES) {
    return { files, problem: `The files have ${formatBytes(size)}; a message takes ${formatBytes(MOST_BYTES)}.` };
  }
  return { files: all };
}

/** Throws words for the person where the file cannot be read: a folder that was dropped, or one that is gone since. */
export async function partOfFile(file: File): Promise<Part> {
  let content: Uint8Array<ArrayBuffer>;
  try {
    content = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error(`"${safeFileName(file.name)}" cannot be read. It may be a folder, or gone by now; remove it.`);
  }
  return bytes(content, { filename: file.name, mediaType: file.type || 'application/octet-stream' });
}
