import type { TaskEvent } from '../../../engine/log/events.ts';
import type { ArtifactBody, LoadDetail, StoredTask } from '../../../engine/ports.ts';
import { HEAD_COLUMNS, type HeadColumns, toBody, toEvents, toHead } from '../../sql/columns.ts';
import type { Connections } from '../connection/connections.ts';
import { nulCell } from '../names.ts';
import { qualified } from '../sql.ts';

const HEADS = `SELECT wanted.n, ${HEAD_COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS wanted(id, n)
  JOIN tasks USING (id)`;

/** A part of a task: its head, an artifact, or a row of its log. */
interface PartColumns extends HeadColumns {
  readonly n: number;
  readonly part: 'head' | 'artifact' | 'log';
  readonly position: number;
  readonly body: string;
}

/** The columns of a row that is not a head. */
const NO_HEAD = HEAD_COLUMNS.split(', ')
  .map((name) => (name === 'key' || name === 'seq' ? `part.${name}` : 'NULL'))
  .join(', ');

/**
 * Whole tasks, of one moment because they come in one statement: heads, bodies of artifacts, messages and statuses before
 * the oldest open artifact ($2: the history is wanted), and everything from there on ($3: artifacts are wanted).
 */
const WHOLE = `WITH head AS MATERIALIZED (${HEADS})
  SELECT n, 'head' AS part, ${HEAD_COLUMNS}, 0::bigint AS position, '' AS body FROM head
  UNION ALL
  SELECT n, kind, ${NO_HEAD}, position, body FROM head CROSS JOIN LATERAL (
    SELECT 'artifact' AS kind, task AS key, seq, position, body FROM artifacts WHERE task = head.key AND $3
    UNION ALL
    SELECT 'log', task, seq_to, 0, body FROM log WHERE task = head.key AND $2 AND (kinds & 1) <> 0
      AND seq_to < CASE WHEN $3 AND head.open_from > 0 THEN head.open_from ELSE 9007199254740991 END
    UNION ALL
    SELECT 'log', task, seq_to, 0, body FROM log WHERE task = head.key AND $3 AND head.open_from > 0
      AND seq_to >= head.open_from
  ) AS part`;

/** Loads tasks by their ids. */
export class StoredTasks {
  readonly #connections: Connections;
  readonly #heads: string;
  readonly #whole: string;

  constructor(connections: Connections, schema: string) {
    this.#connections = connections;
    this.#heads = qualified(`${HEADS} ORDER BY wanted.n`, schema);
    this.#whole = qualified(WHOLE, schema);
  }

  async load(taskIds: readonly string[], { history, artifacts }: LoadDetail): Promise<readonly StoredTask[]> {
    if (taskIds.length === 0) return [];
    const ids = taskIds.map(nulCell);
    if (!history && !artifacts) {
      const rows = await this.#connections.read<HeadColumns>(this.#heads, [ids]);
      return rows.map((row) => ({ head: toHead(row), bodies: [], events: [] }));
    }
    const rows = await this.#connections.read<PartColumns>(this.#whole, [ids, history, artifacts]);
    return assemble(rows, { history, artifacts });
  }
}

function assemble(rows: readonly PartColumns[], detail: LoadDetail): readonly StoredTask[] {
  const parts = new Map<number, PartColumns[]>();
  for (const row of rows) {
    const of = parts.get(row.n);
    if (of) of.push(row);
    else parts.set(row.n, [row]);
  }
  return [...parts]
    .toSorted(([left], [right]) => left - right)
    .flatMap(([, of]) => {
      const row = of.find(({ part }) => part === 'head');
      return row ? [taskOf(row, of, detail)] : [];
    });
}

function taskOf(row: HeadColumns, parts: readonly PartColumns[], { history, artifacts }: LoadDetail): StoredTask {
  const head = toHead(row);
  const bodies: ArtifactBody[] = parts.filter(({ part }) => part === 'artifact').map(toBody);
  bodies.sort((left, right) => left.position - right.position);
  const chunksFrom = artifacts && head.openFrom > 0 ? head.openFrom : Number.MAX_SAFE_INTEGER;
  const events: TaskEvent[] = [];
  const log = parts.filter(({ part }) => part === 'log').toSorted((left, right) => left.seq - right.seq);
  for (const entry of log) {
    for (const event of toEvents(entry)) {
      const isWanted = event.kind === 'artifact' ? event.seq >= chunksFrom : history && event.kind !== 'created';
      if (isWanted) events.push(event);
    }
  }
  return { head, bodies, events };
}
