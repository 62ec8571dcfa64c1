import { existsSync } from 'node:fs';
import type { ApiKeyFacet } from '../../engine/ports.ts';
import { additionOf, removalOf } from '../sql/api-keys.ts';
import { StoreError } from '../store-error.ts';
import { openForWriting, prepareFile, type WriteSettings } from './file/connections.ts';
import type { Database } from './file/driver.ts';
import { locate, refusal } from './file/location.ts';
import { lockFile } from './file/lock.ts';
import { headerOf, MIGRATIONS } from './file/migrations.ts';
import { ApiKeyReader } from './read/api-key-reader.ts';
import { ApiKeyWriter } from './write/api-key-writer.ts';

const SETTINGS: WriteSettings = { synchronous: 'full', busyTimeout: 5000 };

interface ApiKeyFile extends ApiKeyFacet {
  close(): void;
}

/**
 * The API keys of a file of `sqlite()`, also while a server uses it. Makes the file where `isMade` allows it; refuses
 * with a `StoreError` otherwise.
 */
export function openApiKeyFile(path: string, { isMade }: { readonly isMade: boolean }): ApiKeyFile {
  if (!isMade && !existsSync(path)) throw new StoreError('NOT_WRITABLE', `There is no ${path}.`);
  const file = locate(path);
  try {
    const database = openBeside(file, path);
    const [reader, writer] = [new ApiKeyReader(database), new ApiKeyWriter(database)];
    return {
      apiKey: (id) => reader.get(id),
      listApiKeys: () => reader.list(),
      addApiKey: (record) => writer.run(additionOf(record)),
      removeApiKey: (id) => writer.run(removalOf(id)),
      close: () => database.close(),
    };
  } catch (error) {
    throw refusal(path, error);
  }
}

/** The schema is only brought up to date where no server uses the file. */
function openBeside(file: string, path: string): Database {
  const release = lockUnlessServed(file, path);
  if (release) {
    try {
      return prepareFile(file, path, SETTINGS);
    } finally {
      release();
    }
  }
  const database = openForWriting(file, SETTINGS);
  if (headerOf(database).schema === MIGRATIONS.length) return database;
  database.close();
  throw new StoreError('IN_USE', `${path} is in use by a server of another release: stop that one first.`);
}

function lockUnlessServed(file: string, path: string): (() => void) | undefined {
  try {
    return lockFile(file, path);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'IN_USE') return undefined;
    throw error;
  }
}
