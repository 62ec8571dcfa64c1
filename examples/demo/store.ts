import { memory } from 'parley-a2a';
import { sqlite } from 'parley-a2a/sqlite';

/** `PARLEY_DB` is a file, or `memory` to keep nothing. */
export function openStore(setting: string) {
  return setting === 'memory' ? memory() : sqlite(setting);
}
