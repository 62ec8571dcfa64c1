import { resolve } from 'node:path';
import { copyToPostgres } from '../../stores/copy/copy-to-postgres.ts';
import { StoreError } from '../../stores/store-error.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';
import { counted } from '../text/amounts.ts';
import { UsageError } from '../usage-error.ts';
import type { DbTask } from './run-db.ts';

const SQLITE = 'sqlite:';

/** Moves the tasks of a file to a Postgres database. Returns the exit code. */
export async function copyStore({
  words: [from = '', to = ''],
  screen,
  surroundings: { cwd },
}: DbTask): Promise<number> {
  const file = from.startsWith(SQLITE) ? from.slice(SQLITE.length) : from;
  if (isDatabase(file) || !isDatabase(to)) {
    throw new UsageError(
      'db copy goes from an SQLite file to a database: db copy tasks.db postgres://user@host/database',
    );
  }
  try {
    screen.busy(`copying ${file}…`);
    const report = await copyToPostgres(resolve(cwd, file), to, (stage, table, rows) => {
      screen.activity = `${stage} ${table}${rows > 0 ? `: ${counted(rows, 'row')}` : ''}`;
    });
    screen.idle();
    const target = shownUrl(to);
    if (screen.json) screen.object({ file, target, ...report });
    else
      screen.write(
        `${target} has all of ${file}: ${counted(report.tasks, 'task')}, ${counted(report.events, 'event')}.\n`,
      );
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new CommandError(error.message.replaceAll(resolve(cwd, file), file), EXIT.failed, error.code);
  } finally {
    screen.idle();
  }
}

function isDatabase(word: string): boolean {
  return /^postgres(ql)?:\/\//.test(word);
}

/** Without the password. */
function shownUrl(text: string): string {
  const url = new URL(text);
  url.password = '';
  return url.href;
}
