import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readStorePlace } from '../../config/store-place.ts';
import type { KeyEntry } from '../../server/auth/keys/key-record.ts';
import { editKeyFile } from '../../server/auth/node/edit-key-file.ts';
import { readKeyFile } from '../../server/auth/node/key-file.ts';
import { openApiKeyFile } from '../../stores/sqlite/api-key-file.ts';
import type { Options } from '../options.ts';
import { CommandError } from '../show/problems.ts';
import type { Surroundings } from '../surroundings.ts';
import { UsageError } from '../usage-error.ts';
import { keysOfStore } from './store-keys.ts';

const HOW_MADE = 'keys create makes it with its first key';

/** A place where keys are kept. */
export interface KeyHolder {
  list(): Promise<readonly KeyEntry[]>;
  /** Returns false if the id is taken. */
  add(entry: KeyEntry): Promise<boolean>;
  /** Returns whether it was there. */
  remove(id: string): Promise<boolean>;
}

/** The place that the command line names. */
export function openKeys({ file = [], db, store }: Options, { cwd }: Surroundings): KeyHolder {
  const [path, ...more] = file;
  if (more.length > 0) throw new UsageError('--file may be given only once here');
  if ([path, db, store].filter((place) => place !== undefined).length !== 1) {
    throw new UsageError(
      'keys needs either --file FILE, a file of keys, or --db FILE, the file of the tasks, or --store PLACE, their database',
    );
  }
  return path === undefined ? keysIn(store ?? db ?? '', cwd) : keysOfFile(resolve(cwd, path));
}

function keysOfFile(path: string): KeyHolder {
  const list = async () => {
    if (!existsSync(path)) throw new CommandError(`There is no ${path}; ${HOW_MADE}`);
    return (await readKeyFile(path)).map(({ entry }) => entry);
  };
  /** True if the edit has changed the number of keys. */
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

/** The store of `--db` or `--store`. */
function keysIn(text: string, cwd: string): KeyHolder {
  const place = readStorePlace(text);
  switch (place?.kind) {
    case 'sqlite':
      return keysOfStore((isMade) => {
        const path = resolve(cwd, place.file);
        if (!isMade && !existsSync(path)) throw new CommandError(`There is no ${path}; ${HOW_MADE}`);
        return openApiKeyFile(path, { isMade });
      });
    case 'postgres':
      return keysOfStore(async () => {
        const { postgres } = await import('../../postgres.ts');
        const store = postgres(place.url, { connections: 1 });
        await store.open();
        return store;
      });
    case 'memory':
    case undefined:
      throw new UsageError('keys needs a store that lasts: --store postgres://… or --store sqlite:FILE');
  }
}
