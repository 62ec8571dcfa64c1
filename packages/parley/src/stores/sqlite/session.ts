import { openForReading, prepareFile, type WriteSettings } from './file/connections.ts';
import { locate, refusal } from './file/location.ts';
import { lockFile } from './file/lock.ts';
import { Reader } from './read/reader.ts';
import { ThreadWriter } from './write/thread-writer.ts';
import type { WriteAccess } from './write/write-access.ts';
import { Writer } from './write/writer.ts';

export interface SessionSettings extends WriteSettings {
  /** As the user wrote it; messages name the file by it. */
  readonly path: string;
  readonly writer: 'loop' | 'worker';
}

/** An open file: who reads it, who writes it, and the lock that keeps others away. */
export interface Session {
  readonly reader: Reader;
  readonly writer: WriteAccess;
  close(): Promise<void>;
}

const IN_MEMORY = ':memory:';

/** Opens the file, made and brought up to date where needed. Refuses with a `StoreError` and leaves nothing open. */
export async function openSession(settings: SessionSettings): Promise<Session> {
  const { path } = settings;
  if (path === IN_MEMORY) return openOnLoop(IN_MEMORY, settings, () => {});
  const file = locate(path);
  const release = lockFile(file, path);
  try {
    return await (settings.writer === 'loop'
      ? openOnLoop(file, settings, release)
      : openWithThread(file, settings, release));
  } catch (error) {
    release();
    throw refusal(path, error);
  }
}

function openOnLoop(file: string, settings: SessionSettings, release: () => void): Session {
  const database = prepareFile(file, settings.path, settings);
  const close = async () => {
    database.close();
    release();
  };
  return { reader: new Reader(database), writer: new Writer(database), close };
}

/** The thread has the writing connection and the loop a reading one, which WAL lets work side by side. */
async function openWithThread(file: string, settings: SessionSettings, release: () => void): Promise<Session> {
  const { busyTimeout, synchronous } = settings;
  prepareFile(file, settings.path, settings).close();
  const writer = await ThreadWriter.start({ file, synchronous, busyTimeout });
  try {
    const reader = new Reader(openForReading(file, busyTimeout));
    const close = async () => {
      // The writer goes last, so that it can fold the WAL into the file.
      reader.close();
      await writer.close();
      release();
    };
    return { reader, writer, close };
  } catch (error) {
    await writer.close();
    throw error;
  }
}
