import type { LogColumns } from '../../sql/columns.ts';
import { type FoldedRow, trimStatements } from '../../sql/trim-statements.ts';
import { type Database, prepareAll } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';

/** The statements of trimming, prepared. */
export type TrimTables = ReturnType<typeof prepareTrimTables>;

interface TaskName {
  readonly id: string;
}

export function prepareTrimTables(database: Database) {
  const { untrimmed, rowAt, talkUpTo, lastRow, rowsAfter, endedByKey, toldById, nextJournal, nextPush, ...writing } =
    trimStatements(SQLITE);
  return {
    untrimmed: database.prepare<TaskName & { readonly key: number; readonly seq: number }>(untrimmed),
    rowAt: database.prepare<{ readonly seq_to: number }>(rowAt),
    talkUpTo: database.prepare<LogColumns>(talkUpTo),
    lastRow: database.prepare<LogColumns>(lastRow),
    rowsAfter: database.prepare<FoldedRow>(rowsAfter),
    endedByKey: database.prepare<TaskName>(endedByKey),
    toldById: database.prepare<TaskName>(toldById),
    nextJournal: database.prepare<{ readonly task: number }>(nextJournal),
    nextPush: database.prepare<{ readonly task_id: string }>(nextPush),
    ...prepareAll(database, writing),
  };
}
