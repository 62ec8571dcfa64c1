import { bytes, type Part } from 'parley-a2a/client';
import { formatBytes } from '../../design/components/index.ts';

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

export async function partOfFile(file: File): Promise<Part> {
  const content = new Uint8Array(await file.arrayBuffer());
  return bytes(content, { filename: file.name, mediaType: file.type || 'application/octet-stream' });
}
