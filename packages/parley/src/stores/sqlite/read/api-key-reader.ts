import type { ApiKeyRecord } from '../../../engine/ports.ts';
import { type ApiKeyColumns, apiKeyStatements, toApiKey } from '../../sql/api-keys.ts';
import { nameCell } from '../../sql/names.ts';
import type { Database, Statement } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';

/** Reads API keys. */
export class ApiKeyReader {
  readonly #one: Statement<ApiKeyColumns>;
  readonly #all: Statement<ApiKeyColumns>;

  constructor(database: Database) {
    const { one, all } = apiKeyStatements(SQLITE);
    this.#one = database.prepare<ApiKeyColumns>(one);
    this.#all = database.prepare<ApiKeyColumns>(all);
  }

  get(id: string): ApiKeyRecord | undefined {
    const row = this.#one.get(nameCell(id));
    return row && toApiKey(row);
  }

  list(): readonly ApiKeyRecord[] {
    return this.#all.all().map(toApiKey);
  }
}
