import { resolve } from 'node:path';
import type { KeyEntry } from '../../server/auth/keys/key-record.ts';
import { editKeyFile } from '../../server/auth/node/edit-key-file.ts';
import { readKeyFile } from '../../server/auth/node/key-file.ts';
import { type ApiKeyFile, openApiKeyFile } from '../../stores/sqlite/api-key-file.ts';
import type { Options } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';
import { UsageError } from '../usage-error.ts';

/** A place where keys are kept. */
export interface KeyHolder {
  list(): Promise<readonly KeyEntry[]>;
  /** Returns false if the id is taken. */
  add(entry: KeyEntry): Promise<boolean>;
  /** Returns whether it was there. */
  remove(id: string): Promise<boolean>;
}

/** The place that the command line names. */
export function openKeys({ file = [], db }: Options, { cwd }: Surroundings): KeyHolder {
  const [path, ...more] = file;
  if (more.length > 0) throw new UsageError('--file may be given only once here');
  if ((path === undefined) === (db === undefined)) {
    throw new UsageError('keys needs either --file FILE, a file of keys, or --db FILE, the file of the tasks');
  }
  return path === undefined ? keysOfStore(resolve(cwd, db ?? '')) : keysOfFile(resolve(cwd, path));
}

function keysOfFile(path: string): KeyHolder {
  const list = async () => (await readKeyFile(path)).map(({ entry }) => entry);
  /** Whether the edit has changed the number of keys. */
  const edit = async (change: (keys: readonly KeyEntry[]) => readonly KeyEntry[]) => {
    let isChanged = false;
    await editKeyFile(path, (keys) => {
      const changed = change(keys);
      isChanged = changed.length !== keys.length;
      return changed;
    });
    return isChanged;
  };
  return {
    list,
    add: (entry) => edit((keys) => (keys.some(({ id }) => id === entry.id) ? keys : [...keys, entry])),
    remove: async (id) => {
      // A file that is not there is a mistake, and is not made.
      await list();
      return edit((keys) => keys.filter((key) => key.id !== id));
    },
  };
}

function keysOfStore(path: string): KeyHolder {
  const using = async <Result>(isMade: boolean, use: (keys: ApiKeyFile) => Result | Promise<Result>) => {
    const keys = openApiKeyFile(path, { isMade });
    try {
      return await use(keys);
    } finally {
      keys.close();
    }
  };
  return {
    list: () =>
      using(false, async (keys) =>
        (await keys.listApiKeys()).map(({ createdAt, ...record }) => ({
          ...record,
          createdAt: new Date(createdAt).toISOString(),
        })),
      ),
    add: ({ id, hash, subject, tenant, scopes = [] }) =>
      using(true, (keys) => keys.addApiKey({ id, hash, subject, tenant, scopes, createdAt: Date.now() })),
    remove: (id) => using(false, (keys) => keys.removeApiKey(id)),
  };
}
