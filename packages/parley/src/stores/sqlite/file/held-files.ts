import { statSync } from 'node:fs';

/** The files that servers of this process use, by device and number: a file may have several names. */
const held: Set<string> = new Set();

/**
 * Tells whether a server of this process uses a file. Such a file must not be opened in any other way than by SQLite:
 * closing it again would drop all locks that the process has on it (POSIX, fcntl).
 */
export function isHeldHere(file: string): boolean {
  const inode = inodeOf(file);
  return inode !== undefined && held.has(inode);
}

/** Notes that a server of this process uses a file, until the returned function is called. */
export function holdFile(file: string): () => void {
  const inode = inodeOf(file);
  if (inode === undefined) return () => {};
  held.add(inode);
  return () => void held.delete(inode);
}

function inodeOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}
