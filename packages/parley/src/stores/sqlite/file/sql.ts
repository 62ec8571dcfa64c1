import type { SqlDialect } from '../../sql/dialect.ts';

/** How SQLite writes the shared statements, which are in its words but for these. */
export const SQLITE: SqlDialect = {
  text: (sql) => sql,
  indexedBy: (index) => `INDEXED BY ${index}`,
  greatest: (left, right) => `max(${left}, ${right})`,
  isTalk: 'kinds & 1',
};
