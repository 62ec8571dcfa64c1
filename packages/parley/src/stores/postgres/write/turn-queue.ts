import type { ClaimedTurn, QueuedTurn, QueueFacet, QueueState, TurnClaim } from '../../../engine/ports.ts';
import { HEAD_COLUMNS, type HeadColumns, toHead } from '../../sql/columns.ts';
import type { Connections } from '../connection/connections.ts';
import { nulCell } from '../names.ts';
import { qualified } from '../sql.ts';

const TURN_COLUMNS = 'rank, arrival, deadline, queue.body AS turn';
/** The most claims of unknown outcome that are remembered. */
const MOST_LOST = 100;

interface TurnColumns {
  readonly rank: number;
  readonly arrival: number;
  readonly deadline: number | null;
  readonly turn: string;
}

/** A task that no living node holds; $2 is the time. */
const IS_FREE = `(tasks.lease_node IS NULL OR NOT EXISTS
  (SELECT 1 FROM nodes WHERE nodes.node = tasks.lease_node AND nodes.alive_until > $2))`;

/**
 * Leases tasks of waiting turns to a node ($1) under a name for this call ($3): those of some agents ($4), so many ($5).
 * Turns that another node is looking at are passed over. Turns under a lost call of this node ($6) are claimed again.
 */
const CLAIM = `WITH picked AS MATERIALIZED (
    SELECT tasks.key, tasks.lease_number, queue.task_id FROM queue JOIN tasks ON tasks.id = queue.task_id
    WHERE queue.agent = ANY ($4::text[]) AND (${IS_FREE} OR (tasks.lease_node = $1 AND queue.claim = ANY ($6::text[])))
      AND NOT EXISTS (SELECT 1 FROM queue AS earlier WHERE earlier.agent = queue.agent AND earlier.tenant = queue.tenant
        AND earlier.subject = queue.subject AND earlier.context_id = queue.context_id
        AND (earlier.rank, earlier.arrival, earlier.task_id) < (queue.rank, queue.arrival, queue.task_id))
    ORDER BY queue.rank, queue.arrival, queue.task_id LIMIT $5 FOR UPDATE SKIP LOCKED
  ), leased AS (
    UPDATE tasks SET lease_node = $1, lease_number = tasks.lease_number + 1 FROM picked
    WHERE tasks.key = picked.key AND tasks.lease_number = picked.lease_number
    RETURNING ${HEAD_COLUMNS.split(', ')
      .map((column) => `tasks.${column}`)
      .join(', ')}
  ), noted AS (
    UPDATE queue SET claim = $3 FROM picked WHERE queue.task_id = picked.task_id
  )
  SELECT leased.*, ${TURN_COLUMNS} FROM leased JOIN queue ON queue.task_id = leased.id
  ORDER BY queue.rank, queue.arrival, queue.task_id`;

/** The turns that wait for any node, in a table. */
export class PostgresTurnQueue implements QueueFacet {
  readonly #connections: Connections;
  readonly #sql: Readonly<Record<'claim' | 'one' | 'overdue' | 'state' | 'nodes', string>>;
  /** Names of calls that were lost with their connection, and with them the list of their claims. */
  #lost: readonly string[] = [];

  constructor(connections: Connections, schema: string) {
    this.#connections = connections;
    this.#sql = {
      claim: qualified(CLAIM, schema),
      one: qualified(`SELECT ${TURN_COLUMNS} FROM queue WHERE task_id = $1`, schema),
      overdue: qualified(
        `SELECT queue.task_id FROM queue JOIN tasks ON tasks.id = queue.task_id
          WHERE queue.deadline <= $1 AND ${IS_FREE} ORDER BY queue.deadline LIMIT $3`,
        schema,
      ),
      state: qualified('SELECT count(*) AS turns, min(arrival) AS oldest FROM queue', schema),
      nodes: qualified('SELECT node FROM nodes WHERE alive_until > $1', schema),
    };
  }

  async claim({ node, agents, limit, now }: TurnClaim): Promise<readonly ClaimedTurn[]> {
    if (limit <= 0 || agents.length === 0) return [];
    const cells: unknown[] = [node, now, crypto.randomUUID(), agents, limit, this.#lost];
    const rows = await this.#connections.read<HeadColumns & TurnColumns>(this.#sql.claim, cells, (kind) => {
      if (kind !== 'lost') return;
      this.#lost = [...this.#lost, String(cells[2])].slice(-MOST_LOST);
      cells.splice(2, 4, crypto.randomUUID(), agents, limit, this.#lost);
    });
    return rows.map((row) => ({ head: toHead(row), turn: toTurn(row) }));
  }

  async queuedTurn(taskId: string): Promise<QueuedTurn | undefined> {
    const [row] = await this.#connections.read<TurnColumns>(this.#sql.one, [nulCell(taskId)]);
    return row && toTurn(row);
  }

  async overdueTurns(now: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#connections.read<{ readonly task_id: string }>(this.#sql.overdue, [now, now, limit]);
    return rows.map(({ task_id: id }) => id);
  }

  async queueState(): Promise<QueueState> {
    type Row = { readonly turns: number; readonly oldest: number | null };
    const [row] = await this.#connections.read<Row>(this.#sql.state);
    return { turns: row?.turns ?? 0, oldest: row?.oldest ?? undefined };
  }

  async liveNodes(now: number): Promise<readonly string[]> {
    const rows = await this.#connections.read<{ readonly node: string }>(this.#sql.nodes, [now]);
    return rows.map(({ node }) => node);
  }
}

function toTurn({ rank, arrival, deadline, turn }: TurnColumns): QueuedTurn {
  // The sign of a zero is not a priority.
  return { priority: rank === 0 ? 0 : -rank, arrival, deadline: deadline ?? undefined, body: JSON.parse(turn) };
}
