import type { SqlDialect } from '../sql/dialect.ts';

/** The tables of this store, as the shared statements name them. */
const TABLES =
  /\b(FROM|JOIN|INTO|UPDATE) (tasks|log|artifacts|journal|contexts|context_members|context_state|keys|counts|agent_counts|push_configs|cursors|api_keys|kept_values|long_names|queue|nodes|rates)\b/g;

/**
 * Postgres's terms in the shared statements. Every table is named with its schema, so that nothing depends on settings of a
 * session: behind a pooler, each transaction may run in another one.
 */
export function postgresDialect(schema: string): SqlDialect {
  return {
    text: (sql) => numbered(qualified(sql, schema)),
    indexedBy: () => '',
    greatest: (left, right) => `greatest(${left}, ${right})`,
    isTalk: '(kinds & 1) <> 0',
  };
}

/** A name as SQL writes it, whatever it contains. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names the schema of each table of a statement. */
export function qualified(sql: string, schema: string): string {
  return sql.replaceAll(TABLES, (_, word: string, table: string) => `${word} ${quoted(schema)}.${table}`);
}

function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}
