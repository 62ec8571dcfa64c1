import type { FollowerChange } from '../../sql/follower-rows.ts';
import { followerStatements } from '../../sql/follower-statements.ts';
import { type Database, prepareAll, type Statement } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';

type Names = 'putPush' | 'deletePush' | 'deleteOwnPush' | 'createCursor' | 'moveCursor' | 'deleteCursor' | 'keepValue';

/** Writes push configs, cursors and kept values, each change in one statement. */
export class FollowerWriter {
  readonly #statements: Readonly<Record<Names, Statement<never>>>;

  constructor(database: Database) {
    const { push: _, cursor: __, value: ___, ...writing } = followerStatements(SQLITE);
    this.#statements = prepareAll(database, writing);
  }

  /** Returns whether a row was written or removed. */
  run(change: FollowerChange): boolean {
    const { putPush, deletePush, deleteOwnPush, createCursor, moveCursor, deleteCursor, keepValue } = this.#statements;
    switch (change.kind) {
      case 'put-push':
        return putPush.run(...change.cells, change.taskId).changes > 0;
      case 'delete-push':
        return (change.isScoped ? deleteOwnPush : deletePush).run(...change.cells).changes > 0;
      case 'create-cursor':
        return createCursor.run(...change.cells, change.taskId).changes > 0;
      case 'move-cursor':
        return moveCursor.run(...change.cells).changes > 0;
      case 'delete-cursor':
        return deleteCursor.run(...change.cells).changes > 0;
      case 'keep-value':
        return keepValue.run(...change.cells).changes > 0;
    }
  }
}
