import type { Owner, PurgeQuery, ShareResult } from '../../../engine/ports.ts';
import { nameCell } from '../../sql/names.ts';
import type { Connections } from '../connection/connections.ts';
import { NameCells, nulCell } from '../names.ts';
import { qualified, quoted } from '../sql.ts';

/** The rows of the log that are removed at once, and the last task's rest: others may wait for the same rows. */
const MOST_ROWS = 1000;
/** The rows that are swept at once. */
const MOST_SWEPT = 1000;

const IS_EMPTY = `tasks = 0 AND NOT EXISTS (SELECT 1 FROM context_state AS kept
  WHERE kept.tenant = contexts.tenant AND kept.subject = contexts.subject AND kept.context_id = contexts.id)`;

/** Removes what is no longer needed, in small batches, and shares contexts. */
export class Upkeep {
  readonly #connections: Connections;
  readonly #stripe: number;
  readonly #purge: string;
  readonly #share: string;
  readonly #expired: readonly string[];
  readonly #emptyContexts: string;

  constructor(connections: Connections, schema: string, stripe: number) {
    this.#connections = connections;
    this.#stripe = stripe;
    this.#purge = `SELECT purge_1 AS id FROM ${quoted(schema)}.purge_1($1, $2, $3, $4, $5, $6)`;
    this.#share = `SELECT ${quoted(schema)}.share_1($1, $2, $3, $4) AS result`;
    const sweep = (table: string, condition: string) =>
      qualified(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${MOST_SWEPT}
        FOR UPDATE SKIP LOCKED))`,
        schema,
      );
    this.#expired = [
      sweep('keys', 'expires_at <= $1'),
      sweep('context_state', 'expires_at <= $1'),
      sweep('nodes', 'alive_until <= $1'),
      // By the clock of the database, which may be another one.
      sweep('rates', 'until <= $1::bigint - 3600000'),
    ];
    this.#emptyContexts = sweep('contexts', IS_EMPTY);
  }

  async purge({ endedBefore, taskId, keepsUntold, limit }: PurgeQuery): Promise<readonly string[]> {
    const id = taskId === undefined ? null : nulCell(taskId);
    const cells = [endedBefore, id, keepsUntold ?? false, limit, MOST_ROWS, this.#stripe];
    return (await this.#connections.read<{ readonly id: string }>(this.#purge, cells)).map((row) => row.id);
  }

  async sweep(now: number): Promise<void> {
    for (const sql of this.#expired) await this.#repeat(sql, [now]);
    await this.#repeat(this.#emptyContexts, []);
  }

  async share(owner: Owner, contextId: string, subjects: readonly string[]): Promise<ShareResult> {
    const names = new NameCells();
    const cells = [owner.tenant, owner.subject, contextId].map((name) => names.of(nameCell(name)));
    const members = subjects.map((name) => names.of(nameCell(name)));
    await this.#connections.saveNames(names.long);
    const [row] = await this.#connections.read<{ readonly result: string }>(this.#share, [...cells, members]);
    const result = row?.result ?? 'unknown';
    if (result.startsWith('taken:')) {
      const index = members.indexOf(result.slice('taken:'.length));
      return { kind: 'taken', subject: subjects[index] ?? '' };
    }
    return { kind: result === 'shared' ? 'shared' : 'unknown' };
  }

  async #repeat(sql: string, cells: readonly unknown[]): Promise<void> {
    while ((await this.#connections.change(sql, cells)).rows === MOST_SWEPT);
  }
}
