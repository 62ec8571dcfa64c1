import { type ApiKeyChange, type ApiKeyColumns, apiKeyStatements } from '../../sql/api-keys.ts';
import type { Cell, SqlDialect } from '../../sql/dialect.ts';
import type { CursorColumns, FollowerChange } from '../../sql/follower-rows.ts';
import { followerStatements } from '../../sql/follower-statements.ts';
import type { Connections } from '../connection/connections.ts';
import { NameCells, nameCells, nulCells } from '../names.ts';

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

  /** Returns whether a row was written or removed, by this call and not only by its last attempt. */
  async run(change: FollowerChange): Promise<boolean> {
    const names = new NameCells();
    const own = cellsOf(change, names);
    const cells = 'taskId' in change ? [...own, change.taskId] : own;
    if (change.kind === 'put-push' && names.long.size > 0) await this.#connections.saveNames(names.long);
    const { rows, wasLost } = await this.#connections.change(this.#statementOf(change), cells);
    if (rows > 0 || !wasLost) return rows > 0;
    return this.#isMade(change);
  }

  async changeApiKeys({ kind, cells }: ApiKeyChange): Promise<boolean> {
    const sql = kind === 'add' ? this.#keys.add : this.#keys.remove;
    const { rows, wasLost } = await this.#connections.change(sql, nulCells(cells));
    if (rows > 0 || !wasLost) return rows > 0;
    const [held] = await this.#connections.read<ApiKeyColumns>(this.#keys.one, nulCells(cells.slice(0, 1)));
    return kind === 'add' ? held?.hash === cells[1] : held === undefined;
  }

  /** Tells whether a change that touched no row was made before, by an attempt whose connection was lost. */
  async #isMade(change: FollowerChange): Promise<boolean> {
    const { cells } = change;
    switch (change.kind) {
      case 'put-push':
        return false;
      case 'delete-push':
      case 'delete-cursor':
        // Nothing is there any more, which is all that the caller can want to know.
        return true;
      case 'create-cursor':
        return this.#isCursor(cells.slice(0, 2), cells.slice(2));
      case 'move-cursor':
        return this.#isCursor(cells.slice(4, 6), cells.slice(0, 4));
      case 'keep-value': {
        const [row] = await this.#connections.read<{ readonly value: string }>(
          this.#sql.value,
          nulCells(cells.slice(0, 1)),
        );
        return row?.value === cells[1];
      }
    }
  }

  /** A cursor is this one's if it has its seq, its lease, its node and its details. */
  async #isCursor(place: readonly Cell[], state: readonly Cell[]): Promise<boolean> {
    const [row] = await this.#connections.read<CursorColumns>(this.#sql.cursor, nameCells(place));
    return (
      row !== undefined &&
      [row.seq, row.lease_number, row.lease_node, row.details].every((cell, at) => cell === state[at])
    );
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

/** The cells of a change as they are kept. Texts that are no names stay as long as they are. */
function cellsOf({ kind, cells }: FollowerChange, names: NameCells): readonly Cell[] {
  switch (kind) {
    case 'put-push':
      return [...names.all(cells.slice(0, 4)), ...cells.slice(4)];
    case 'delete-push':
    case 'delete-cursor':
      return names.all(cells);
    case 'create-cursor':
      return [...names.all(cells.slice(0, 2)), ...cells.slice(2)];
    case 'move-cursor':
      return [...cells.slice(0, 4), ...names.all(cells.slice(4))];
    case 'keep-value':
      return nulCells(cells);
  }
}
