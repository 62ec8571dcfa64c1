import { type Cell, type SqlDialect, writeFor } from './dialect.ts';

/** A context that is to be shared, in cells. */
export interface ShareRows {
  readonly tenant: Cell;
  /** The owner. */
  readonly subject: Cell;
  readonly contextId: Cell;
  readonly members: readonly Cell[];
}

/** A row of `shared`. */
export interface SharedColumns {
  readonly subject: string;
  readonly context_id: string;
}

/** Subjects that use contexts of others. A trigger removes them with their context. */
export function memberStatements(dialect: SqlDialect) {
  return writeFor(dialect, {
    owned: 'SELECT subject FROM contexts WHERE tenant = ? AND subject = ? AND id = ?',
    joined: 'SELECT subject FROM context_members WHERE tenant = ? AND member = ? AND context_id = ?',
    shared:
      'SELECT subject, context_id FROM context_members WHERE tenant = ? AND member = ? ORDER BY context_id LIMIT ?',
    anyShared: 'SELECT 1 AS one FROM context_members LIMIT 1',
    join: `INSERT INTO context_members (tenant, member, context_id, subject) VALUES (?, ?, ?, ?)
      ON CONFLICT (tenant, member, context_id) DO NOTHING`,
  });
}
