import { memory } from 'parley-a2a';
import { postgres } from 'parley-a2a/postgres';
import { sqlite } from 'parley-a2a/sqlite';

/** `PARLEY_STORE` is a file, `sqlite:FILE`, `memory` to keep nothing, or the address of a Postgres database. */
export function openStore(setting: string) {
  if (setting === 'memory') return memory();
  if (/^postgres(?:ql)?:\/\//i.test(setting)) return postgres(setting);
  return sqlite(setting.replace(/^sqlite:/i, ''));
}
