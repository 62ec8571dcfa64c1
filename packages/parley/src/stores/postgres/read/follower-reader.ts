import type { ApiKeyRecord, CursorRecord, Owner, PushConfigQuery, PushConfigRecord } from '../../../engine/ports.ts';
import { type ApiKeyColumns, apiKeyStatements, toApiKey } from '../../sql/api-keys.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import { type CursorColumns, type PushColumns, toCursor, toPushConfig } from '../../sql/follower-rows.ts';
import { followerStatements, pushPage } from '../../sql/follower-statements.ts';
import { nameCell, nameOf } from '../../sql/names.ts';
import type { Connections } from '../connection/connections.ts';
import { nameCells, nulCell, nulCells } from '../names.ts';

/** Reads push configs, cursors, kept values and API keys. */
export class FollowerReader {
  readonly #connections: Connections;
  readonly #dialect: SqlDialect;
  readonly #sql: ReturnType<typeof followerStatements>;
  readonly #keys: ReturnType<typeof apiKeyStatements>;

  constructor(connections: Connections, dialect: SqlDialect) {
    this.#connections = connections;
    this.#dialect = dialect;
    this.#sql = followerStatements(dialect);
    this.#keys = apiKeyStatements(dialect);
  }

  async pushConfig(taskId: string, id: string, owner: Owner | undefined): Promise<PushConfigRecord | undefined> {
    const [row] = await this.#connections.read<PushColumns>(this.#sql.push, nameCells([taskId, nameCell(id)]));
    const record = row && toPushConfig(row);
    if (!record || !owner) return record;
    return record.owner.tenant === owner.tenant && record.owner.subject === owner.subject ? record : undefined;
  }

  async listPushConfigs(query: PushConfigQuery): Promise<readonly PushConfigRecord[]> {
    const { sql, cells } = pushPage(this.#dialect, query);
    return (await this.#connections.read<PushColumns>(sql, nameCells(cells))).map(toPushConfig);
  }

  async cursor(taskId: string, follower: string): Promise<CursorRecord | undefined> {
    const [row] = await this.#connections.read<CursorColumns>(
      this.#sql.cursor,
      nameCells([taskId, nameCell(follower)]),
    );
    return row && toCursor(taskId, follower, row);
  }

  async keptValue(name: string): Promise<string | undefined> {
    const cells = nulCells([nameCell(name)]);
    const [row] = await this.#connections.read<{ readonly value: string }>(this.#sql.value, cells);
    return row && nameOf(row.value);
  }

  async apiKey(id: string): Promise<ApiKeyRecord | undefined> {
    const [row] = await this.#connections.read<ApiKeyColumns>(this.#keys.one, [nulCell(nameCell(id))]);
    return row && toApiKey(row);
  }

  async apiKeys(): Promise<readonly ApiKeyRecord[]> {
    return (await this.#connections.read<ApiKeyColumns>(this.#keys.all)).map(toApiKey);
  }
}
