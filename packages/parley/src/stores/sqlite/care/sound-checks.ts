/** Queries that find nothing in a sound file of the present schema, by what it has where they find something. */
export const SOUND_CHECKS: Readonly<Record<string, string>> = {
  'a gap or an overlap in a log': `
    SELECT task, seq_from, seq_to, before FROM (
      SELECT task, seq_from, seq_to, lag(seq_to, 1, 0) OVER (PARTITION BY task ORDER BY seq_to) AS before FROM log
    ) WHERE seq_to > 0 AND before >= 0 AND (seq_from <> before + 1 OR seq_to < seq_from)`,
  'a log row whose events are not what it says': `
    SELECT task, seq_from, seq_to FROM log
    WHERE NOT json_valid(body) OR (seq_to > 0 AND (json_extract(body, '$[0].seq') <> seq_from OR seq_to - seq_from + 1 <> (
      SELECT sum(iif(value ->> 'kind' = 'texts', json_array_length(value, '$.lengths'), 1)) FROM json_each(body)
    )))`,
  'a task that is not where its log ends': `
    SELECT id, seq, (SELECT max(seq_to) FROM log WHERE task = key) AS logged FROM tasks WHERE seq IS NOT logged`,
  'a head that is no JSON': `
    SELECT id FROM tasks WHERE NOT json_valid(status) OR NOT coalesce(json_valid(metadata), 1)`,
  'a head whose state is not that of its status': `
    SELECT id, state FROM tasks WHERE json_valid(status) AND status ->> 'state' IS NOT state`,
  'an artifact that is no JSON': 'SELECT task, id FROM artifacts WHERE NOT json_valid(body)',
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
  'a webhook or a cursor of no task': `
    SELECT task_id FROM push_configs WHERE task_id NOT IN (SELECT id FROM tasks)
    UNION SELECT task_id FROM cursors WHERE task_id NOT IN (SELECT id FROM tasks)`,
  'a webhook or a cursor behind the end of its task': `
    SELECT task_id FROM push_configs JOIN tasks ON tasks.id = task_id WHERE since > tasks.seq
    UNION SELECT task_id FROM cursors JOIN tasks ON tasks.id = task_id WHERE cursors.seq > tasks.seq`,
  'a lease without a number': `
    SELECT id FROM tasks WHERE lease_number < 1 UNION SELECT follower FROM cursors WHERE lease_number < 1`,
  // Not as a join of both sides, for which SQLite compares each row with every other.
  'a context that miscounts its tasks, or none for a task': `
    SELECT tenant, subject, id, max(tasks) AS tasks, sum(counted) AS counted FROM (
      SELECT tenant, subject, id, tasks, 0 AS counted FROM contexts
      UNION ALL SELECT tenant, subject, context_id, NULL, count(*) FROM tasks GROUP BY 1, 2, 3
    ) GROUP BY 1, 2, 3 HAVING coalesce(max(tasks), -1) <> sum(counted)`,
  'counters that do not fit': `
    SELECT state, sum(tasks) AS tasks, sum(counted) AS counted FROM (
      SELECT agent, tenant, subject, state, tasks, 0 AS counted FROM counts
      UNION ALL SELECT agent, tenant, subject, state, 0, count(*) FROM tasks GROUP BY 1, 2, 3, 4
    ) GROUP BY agent, tenant, subject, state HAVING sum(tasks) <> sum(counted)`,
};
