import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS } from '../../src/stores/sqlite/file/migrations.ts';

/** Queries that find nothing in a sound file, with what it means if they do. */
const FAULTS: Readonly<Record<string, string>> = {
  'a gap or an overlap in a log': `
    SELECT task, seq_from, seq_to, before FROM (
      SELECT task, seq_from, seq_to, lag(seq_to, 1, 0) OVER (PARTITION BY task ORDER BY seq_to) AS before FROM log
    ) WHERE seq_to > 0 AND before >= 0 AND (seq_from <> before + 1 OR seq_to < seq_from)`,
  'a log row whose events are not what it says': `
    SELECT task, seq_from, seq_to FROM log
    WHERE seq_to > 0 AND (json_extract(body, '$[0].seq') <> seq_from OR seq_to - seq_from + 1 <> (
      SELECT sum(iif(value ->> 'kind' = 'texts', json_array_length(value, '$.lengths'), 1)) FROM json_each(body)
    ))`,
  'a task that is not where its log ends': `
    SELECT id, seq, (SELECT max(seq_to) FROM log WHERE task = key) AS logged FROM tasks WHERE seq IS NOT logged`,
  'a gap in a journal': `
    SELECT task, number FROM (SELECT task, number, row_number() OVER (PARTITION BY task ORDER BY number) AS place
      FROM journal) WHERE number <> place`,
  'a journal that knows more than the log, or goes back': `
    SELECT task, number, seq FROM (
      SELECT task, number, journal.seq AS seq, tasks.seq AS logged,
        lag(journal.seq, 1, 0) OVER (PARTITION BY task ORDER BY number) AS before
      FROM journal JOIN tasks ON tasks.key = journal.task
    ) WHERE seq > logged OR seq < before`,
  'rows of no task': `
    SELECT task FROM log WHERE task NOT IN (SELECT key FROM tasks)
    UNION SELECT task FROM journal WHERE task NOT IN (SELECT key FROM tasks)
    UNION SELECT task FROM artifacts WHERE task NOT IN (SELECT key FROM tasks)`,
  'a key of no task': 'SELECT key FROM keys WHERE task_id IS NOT NULL AND task_id NOT IN (SELECT id FROM tasks)',
  'a context that miscounts its tasks, or none for a task': `
    SELECT tenant, subject, id, tasks, counted FROM contexts FULL JOIN
      (SELECT tenant, subject, context_id AS id, count(*) AS counted FROM tasks GROUP BY 1, 2, 3)
      USING (tenant, subject, id)
    WHERE coalesce(tasks, -1) <> coalesce(counted, 0)`,
  'counters that do not fit': `
    SELECT state, tasks, counted FROM counts FULL JOIN
      (SELECT agent, tenant, subject, state, count(*) AS counted FROM tasks GROUP BY 1, 2, 3, 4)
      USING (agent, tenant, subject, state)
    WHERE coalesce(tasks, 0) <> coalesce(counted, 0)`,
};

/** What is wrong with a file as a crash left it. Looks at a copy: the next server is to find what the crash left. */
export function faultsOfFile(file: string, copy = `${file}.copy`): string[] {
  if (!existsSync(file)) return [];
  for (const suffix of ['', '-wal']) {
    rmSync(copy + suffix, { force: true });
    if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
  }
  const database = new DatabaseSync(copy);
  try {
    const verdict = database.prepare('PRAGMA integrity_check').all();
    const faults = JSON.stringify(verdict) === '[{"integrity_check":"ok"}]' ? [] : [JSON.stringify(verdict)];
    // A crash while the file was made may leave it without some of its tables.
    if (!isComplete(database)) return faults;
    for (const [fault, sql] of Object.entries(FAULTS)) {
      const rows = database.prepare(sql).all();
      if (rows.length > 0) faults.push(`The file has ${fault}: ${JSON.stringify(rows.slice(0, 5))}`);
    }
    return faults;
  } finally {
    database.close();
  }
}

function isComplete(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA user_version').get()?.user_version === MIGRATIONS.length;
}
