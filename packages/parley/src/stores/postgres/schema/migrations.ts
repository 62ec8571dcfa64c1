import { quoted } from '../sql.ts';
import { COMMIT_FUNCTION } from './commit-function.ts';
import { PURGE_FUNCTION, SHARE_FUNCTION } from './other-functions.ts';
import { TABLES } from './tables.ts';

/** A step of the schema. It never changes once it was released. */
export interface Migration {
  /** Runs with the schema as the only place where names are looked for; `@.` stands for it inside of functions. */
  readonly sql: string;
  /**
   * The oldest version whose programs may still write after this step. A step that they can live with leaves theirs, so
   * that nodes one release apart work side by side.
   */
  readonly oldestWriter: number;
}

/** The steps from an empty schema to the present one. */
export const MIGRATIONS: readonly Migration[] = [
  { sql: [TABLES, COMMIT_FUNCTION, PURGE_FUNCTION, SHARE_FUNCTION].join('\n'), oldestWriter: 1 },
];

export function statementsOf({ sql }: Migration, schema: string): string {
  return sql.replaceAll('@.', () => `${quoted(schema)}.`);
}
