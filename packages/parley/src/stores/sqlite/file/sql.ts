import type { SqlDialect } from '../../sql/dialect.ts';

/** SQLite's terms in the shared statements; the rest of them is SQLite's SQL already. */
export const SQLITE: SqlDialect = {
  text: (sql) => sql,
  indexedBy: (index) => `INDEXED BY ${index}`,
  greatest: (left, right) => `max(${left}, ${right})`,
  isTalk: 'kinds & 1',
};
