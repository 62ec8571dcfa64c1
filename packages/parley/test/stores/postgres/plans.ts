import pg from 'pg';
import { vi } from 'vitest';

/** A statement as the store has sent it. */
interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The cost of a statement, as Postgres tells it afterwards. */
export interface Cost {
  /** Rows of tables and indexes that were looked at, those included that did not fit. */
  readonly rows: number;
  /** Blocks of 8 KB that were looked at. */
  readonly blocks: number;
  /** Tables that were read from their beginning. */
  readonly scanned: readonly string[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Statements that `work` sends to the database, but for those that set up a session. */
export async function statementsOf(work: () => unknown): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const prototype: { query: (...given: unknown[]) => unknown } = pg.Client.prototype;
  const original = Reflect.get(prototype, 'query');
  const spy = vi.spyOn(prototype, 'query').mockImplementation(function (this: unknown, ...given: unknown[]) {
    const [config] = given;
    if (isSent(config)) sent.push({ text: config.text, values: config.values });
    return Reflect.apply(original, this, given);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return sent;
}

function isSent(config: unknown): config is Sent {
  return typeof config === 'object' && config !== null && 'values' in config && Array.isArray(config.values);
}

/** Runs a statement once more and tells what it cost: with the plan that a session keeps, or with one of its own. */
export async function costOf(client: pg.Client, { text, values }: Sent, isKept: boolean): Promise<Cost> {
  await client.query(isKept ? KEPT : FRESH);
  await client.query(`PREPARE looked_at AS ${text}`);
  try {
    const cells = values.map(literal).join(', ');
    const execute = values.length === 0 ? 'EXECUTE looked_at' : `EXECUTE looked_at(${cells})`;
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${execute}`);
    return sumOf(rows[0]['QUERY PLAN'][0].Plan);
  } finally {
    await client.query('DEALLOCATE looked_at');
  }
}

/** As the store sets up a session. */
const KEPT =
  'SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off';
/** As behind a pooler of transactions. */
const FRESH = 'RESET plan_cache_mode; RESET enable_seqscan; RESET enable_bitmapscan; RESET enable_sort';

function sumOf(plan: PlanNode): Cost {
  const below = (plan.Plans ?? []).map(sumOf);
  const isScan = plan['Relation Name'] !== undefined;
  const looked =
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  return {
    rows: below.reduce((sum, { rows }) => sum + rows, isScan ? Math.ceil(looked * plan['Actual Loops']) : 0),
    // Blocks of a node include those of the nodes below it.
    blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    scanned: [
      ...(plan['Node Type'] === 'Seq Scan' && isScan && plan['Actual Loops'] > 0
        ? [String(plan['Relation Name'])]
        : []),
      ...below.flatMap(({ scanned }) => scanned),
    ],
  };
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(', ')}]::text[]`;
  return typeof value === 'string' ? pg.escapeLiteral(value) : JSON.stringify(value);
}
