import { type ApiKeyChange, apiKeyStatements } from '../../sql/api-keys.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import type { FollowerChange } from '../../sql/follower-rows.ts';
import { followerStatements } from '../../sql/follower-statements.ts';
import type { Connections } from '../connection/connections.ts';
import { nulCells } from '../names.ts';

/** Writes push configs, cursors, kept values and API keys, each change in one statement. */
export class FollowerWriter {
  readonly #connections: Connections;
  readonly #sql: ReturnType<typeof followerStatements>;
  readonly #keys: ReturnType<typeof apiKeyStatements>;

  constructor(connections: Connections, dialect: SqlDialect) {
    this.#connections = connections;
    this.#sql = followerStatements(dialect);
    this.#keys = apiKeyStatements(dialect);
  }

  /** Returns whether a row was written or removed. */
  async run(change: FollowerChange): Promise<boolean> {
    const cells = 'taskId' in change ? [...change.cells, change.taskId] : change.cells;
    return (await this.#connections.change(this.#statementOf(change), nulCells(cells))).rows > 0;
  }

  async changeApiKeys({ kind, cells }: ApiKeyChange): Promise<boolean> {
    const sql = kind === 'add' ? this.#keys.add : this.#keys.remove;
    return (await this.#connections.change(sql, nulCells(cells))).rows > 0;
  }

  #statementOf(change: FollowerChange): string {
    const { putPush, deletePush, deleteOwnPush, createCursor, moveCursor, deleteCursor, keepValue } = this.#sql;
    switch (change.kind) {
      case 'put-push':
        return putPush;
      case 'delete-push':
        return change.isScoped ? deleteOwnPush : deletePush;
      case 'create-cursor':
        return createCursor;
      case 'move-cursor':
        return moveCursor;
      case 'delete-cursor':
        return deleteCursor;
      case 'keep-value':
        return keepValue;
    }
  }
}
