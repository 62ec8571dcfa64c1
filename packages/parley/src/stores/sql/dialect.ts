/** A value of a statement's parameter or of a column. */
export type Cell = string | number | null;

/** The few places in which databases write the shared statements differently. */
export interface SqlDialect {
  /** Turns the `?` of a statement into the database's own parameters. */
  readonly text: (sql: string) => string;
  /** Follows the name of a table to say which index a query must use; '' where the planner is not told. */
  readonly indexedBy: (index: string) => string;
  /** The larger of two values. */
  readonly greatest: (left: string, right: string) => string;
  /** The condition of rows that hold messages or statuses, as the partial index on them has it. */
  readonly isTalk: string;
}

/** Statements written for one database. */
export function writeFor<Names extends string>(
  { text }: SqlDialect,
  statements: Readonly<Record<Names, string>>,
): Readonly<Record<Names, string>> {
  const entries = Object.entries<string>(statements).map(([name, sql]) => [name, text(sql)]);
  return Object.fromEntries(entries) as Record<Names, string>;
}
