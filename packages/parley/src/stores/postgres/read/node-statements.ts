import { HEAD_COLUMNS } from '../../sql/columns.ts';
import { qualified } from '../sql.ts';

/** As the index `tasks_held` has it. */
const IS_HELD = `lease_node IS NOT NULL AND (state IN ('submitted', 'working') OR asking > 1)`;

/**
 * Tasks of nodes that are no longer alive ($1: not of this one, $2: now). The nodes are found by jumps in the index, one for
 * each node, so that tasks of those that are alive are not looked at, however many there are.
 */
const ABANDONED = `WITH RECURSIVE holder AS (
    (SELECT lease_node FROM tasks WHERE ${IS_HELD} ORDER BY lease_node LIMIT 1)
    UNION ALL
    SELECT (SELECT lease_node FROM tasks WHERE ${IS_HELD} AND tasks.lease_node > holder.lease_node
      ORDER BY lease_node LIMIT 1) FROM holder WHERE holder.lease_node IS NOT NULL
  )
  SELECT held.* FROM holder CROSS JOIN LATERAL (
    SELECT ${HEAD_COLUMNS} FROM tasks WHERE ${IS_HELD} AND tasks.lease_node = holder.lease_node
      AND NOT EXISTS (SELECT 1 FROM queue WHERE queue.task_id = tasks.id) LIMIT $3
  ) AS held WHERE holder.lease_node <> $1 AND NOT EXISTS
    (SELECT 1 FROM nodes WHERE nodes.node = holder.lease_node AND nodes.alive_until > $2) LIMIT $3`;

export function nodeStatements(schema: string) {
  return {
    abandoned: qualified(ABANDONED, schema),
    isAlive: qualified('SELECT 1 FROM nodes WHERE node = $1 AND alive_until > $2', schema),
    heartbeat: qualified(
      `INSERT INTO nodes (node, alive_until) VALUES ($1, $2)
        ON CONFLICT (node) DO UPDATE SET alive_until = excluded.alive_until`,
      schema,
    ),
  };
}
