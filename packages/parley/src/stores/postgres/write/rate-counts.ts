import type { RateCount } from '../../../engine/ports.ts';
import { nameCell } from '../../sql/names.ts';
import type { Connections } from '../connection/connections.ts';
import { digestOf } from '../name-digest.ts';
import { quoted } from '../sql.ts';

/** The clock of the database, which is that of all nodes. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Counts of requests, in a table that a crash of the database may empty. */
export class RateCounts {
  readonly #connections: Connections;
  readonly #count: string;

  constructor(connections: Connections, schema: string) {
    this.#connections = connections;
    this.#count = `INSERT INTO ${quoted(schema)}.rates AS known (key, until, total)
      SELECT $1, now + $3::bigint, $2::bigint FROM (SELECT ${NOW} AS now) AS clock
      ON CONFLICT (key) DO UPDATE SET
        total = CASE WHEN known.until <= ${NOW} THEN excluded.total ELSE known.total + excluded.total END,
        until = CASE WHEN known.until <= ${NOW} THEN excluded.until ELSE known.until END
      RETURNING known.total, greatest(0, known.until - ${NOW}) AS left`;
  }

  /** A count that is repeated after a lost connection may count twice: callers then get less, and never more. */
  async count(key: string, count: number, window: number): Promise<RateCount> {
    // Names of callers may be long, and anything may be in them.
    const digest = digestOf(nameCell(key));
    const [row] = await this.#connections.read<RateCount>(this.#count, [digest, count, Math.ceil(window)]);
    return row ?? { total: count, left: window };
  }
}
