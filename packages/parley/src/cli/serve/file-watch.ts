import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** An editor writes a file in several steps. */
const QUIET_MILLISECONDS = 120;

/** Waits for changes of files. Their folders are watched, because many editors put a new file in the old one's place. */
export class FileWatch {
  readonly #files = new Map<string, string>();
  readonly #folders = new Map<string, FSWatcher>();
  #changed: string | undefined;
  #missed: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting: ((file: string | undefined) => void) | undefined;
  #isClosed = false;

  constructor(files: readonly string[]) {
    this.add(files);
  }

  add(files: readonly string[]): void {
    for (const file of files) {
      if (this.#files.has(file) || this.#isClosed) continue;
      this.#files.set(file, stampOf(file));
      const folder = dirname(file);
      if (this.#folders.has(folder)) continue;
      try {
        this.#folders.set(
          folder,
          watch(folder, (_event, name) => this.#look(folder, name)),
        );
      } catch {
        // A folder that is not there cannot change.
      }
    }
  }

  /** The next file that changes, or one that changed before the call; undefined when closed. */
  next(): Promise<string | undefined> {
    const file = this.#missed;
    this.#missed = undefined;
    if (this.#isClosed || file !== undefined) return Promise.resolve(this.#isClosed ? undefined : file);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#folders.values()) watcher.close();
    this.#waiting?.(undefined);
  }

  #look(folder: string, name: string | null): void {
    for (const [file, stamp] of this.#files) {
      if (dirname(file) !== folder || !mayMean(name, file)) continue;
      const now = stampOf(file);
      if (now === stamp || now === '') continue;
      this.#files.set(file, now);
      this.#changed = file;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#tell(), QUIET_MILLISECONDS);
    }
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(this.#changed);
    else this.#missed = this.#changed;
  }
}

/** Kubernetes renews the files of a secret by changing one link, `..data`, that all of them lead through. */
function mayMean(name: string | null, file: string): boolean {
  return name === null || name === basename(file) || name === '..data';
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : '';
}
