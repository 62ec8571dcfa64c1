import type { Database } from '../../file/driver.ts';

/** Rows without an owner go, and counts are made again. In this order. */
const STEPS: readonly string[] = [
  'DELETE FROM log WHERE task NOT IN (SELECT key FROM tasks)',
  'DELETE FROM artifacts WHERE task NOT IN (SELECT key FROM tasks)',
  'DELETE FROM journal WHERE task NOT IN (SELECT key FROM tasks)',
  'DELETE FROM keys WHERE task_id IS NOT NULL AND task_id NOT IN (SELECT id FROM tasks)',
  'DELETE FROM push_configs WHERE task_id NOT IN (SELECT id FROM tasks)',
  'DELETE FROM cursors WHERE task_id NOT IN (SELECT id FROM tasks)',
  'UPDATE push_configs SET since = (SELECT min(since, seq) FROM tasks WHERE id = task_id)',
  'UPDATE cursors SET seq = (SELECT min(cursors.seq, tasks.seq) FROM tasks WHERE id = task_id)',
  // A journal counts up to its first gap.
  `DELETE FROM journal AS one WHERE number <>
    (SELECT count(*) FROM journal AS other WHERE other.task = one.task AND other.number <= one.number)`,
  'DELETE FROM journal WHERE seq > (SELECT seq FROM tasks WHERE key = task)',
  'DELETE FROM counts',
  `INSERT INTO counts (agent, tenant, subject, state, tasks)
    SELECT agent, tenant, subject, state, count(*) FROM tasks GROUP BY 1, 2, 3, 4`,
  'UPDATE contexts SET tasks = 0',
  `INSERT INTO contexts (tenant, subject, id, created_at, last_task_at, tasks)
    SELECT tenant, subject, context_id, min(created_at), max(created_at), count(*) FROM tasks GROUP BY 1, 2, 3
    ON CONFLICT (tenant, subject, id) DO UPDATE SET tasks = excluded.tasks`,
];

export function tidyLeftovers(database: Database): void {
  for (const step of STEPS) database.exec(step);
}
