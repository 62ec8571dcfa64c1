import type { CursorRecord, Owner, PushConfigQuery, PushConfigRecord } from '../../../engine/ports.ts';
import { type CursorColumns, type PushColumns, toCursor, toPushConfig } from '../../sql/follower-rows.ts';
import { followerStatements, pushPage } from '../../sql/follower-statements.ts';
import { nameCell, nameOf } from '../../sql/names.ts';
import type { Database, Statement } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';

/** Reads push configs, cursors and kept values. */
export class FollowerReader {
  readonly #database: Database;
  readonly #push: Statement<PushColumns>;
  readonly #cursor: Statement<CursorColumns>;
  readonly #value: Statement<{ readonly value: string }>;
  readonly #pages: Map<string, Statement<PushColumns>> = new Map();

  constructor(database: Database) {
    const { push, cursor, value } = followerStatements(SQLITE);
    this.#database = database;
    this.#push = database.prepare<PushColumns>(push);
    this.#cursor = database.prepare<CursorColumns>(cursor);
    this.#value = database.prepare<{ readonly value: string }>(value);
  }

  pushConfig(taskId: string, id: string, owner: Owner | undefined): PushConfigRecord | undefined {
    const row = this.#push.get(taskId, nameCell(id));
    const record = row && toPushConfig(row);
    if (!record || !owner) return record;
    return record.owner.tenant === owner.tenant && record.owner.subject === owner.subject ? record : undefined;
  }

  listPushConfigs(query: PushConfigQuery): readonly PushConfigRecord[] {
    const { sql, cells } = pushPage(SQLITE, query);
    let statement = this.#pages.get(sql);
    if (!statement) {
      statement = this.#database.prepare<PushColumns>(sql);
      this.#pages.set(sql, statement);
    }
    return statement.all(...cells).map(toPushConfig);
  }

  keptValue(name: string): string | undefined {
    const row = this.#value.get(nameCell(name));
    return row && nameOf(row.value);
  }

  cursor(taskId: string, follower: string): CursorRecord | undefined {
    const row = this.#cursor.get(taskId, nameCell(follower));
    return row && toCursor(taskId, follower, row);
  }
}
