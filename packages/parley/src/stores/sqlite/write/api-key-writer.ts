import { type ApiKeyChange, apiKeyStatements } from '../../sql/api-keys.ts';
import { type Database, prepareAll, type Statement } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';

/** Writes API keys, each change in one statement. */
export class ApiKeyWriter {
  readonly #statements: Readonly<Record<'add' | 'remove', Statement<never>>>;

  constructor(database: Database) {
    const { add, remove } = apiKeyStatements(SQLITE);
    this.#statements = prepareAll(database, { add, remove });
  }

  /** Returns whether a row was written or removed. */
  run({ kind, cells }: ApiKeyChange): boolean {
    return this.#statements[kind].run(...cells).changes > 0;
  }
}
