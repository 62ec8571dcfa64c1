import type { TaskEvent } from '../../../engine/log/events.ts';
import type {
  JournalEntry,
  KeyRecord,
  KeyScope,
  ListQuery,
  ListResult,
  LoadDetail,
  Owner,
  ReadLimit,
  SharedContext,
  StoredTask,
  TaskHead,
} from '../../../engine/ports.ts';
import type { JsonValue } from '../../../model/basics/json.ts';
import { jsonSizeOfEvent } from '../../event-size.ts';
import {
  type HeadColumns,
  type JournalColumns,
  type KeyColumns,
  type LogColumns,
  toEvents,
  toHead,
  toKeyRecord,
} from '../../sql/columns.ts';
import { memberStatements, type SharedColumns } from '../../sql/context-members.ts';
import { nameCell, nameOf } from '../../sql/names.ts';
import { readStatements } from '../../sql/read-statements.ts';
import type { Connections } from '../connection/connections.ts';
import { nameCells, nulCell } from '../names.ts';
import { postgresDialect, qualified } from '../sql.ts';
import { nodeStatements } from './node-statements.ts';
import { StoredTasks } from './stored-tasks.ts';
import { TaskList } from './task-list.ts';

/**
 * Rows of the log of a task ($1) after a seq ($2), until they hold so many events ($3) or so many bytes ($4). Each row has an
 * event at least, and the size of a row is known without reading it.
 */
const LOG_PAGE = `SELECT body FROM (
    SELECT seq_to, body, sum(octet_length(body)) OVER before - octet_length(body) AS bytes,
      sum(events) OVER before - events AS events
    FROM (SELECT seq_to, body, seq_to - greatest(seq_from, $2::bigint + 1) + 1 AS events FROM log
      WHERE task = (SELECT key FROM tasks WHERE id = $1) AND seq_to > $2 ORDER BY seq_to LIMIT $3) AS first
    WINDOW before AS (ORDER BY seq_to)
  ) AS page WHERE bytes < $4 AND events < $3 ORDER BY seq_to`;

/** All reading but that of push configs, cursors and API keys. Each result is of one moment. */
export class Reader {
  readonly #connections: Connections;
  readonly #sql: ReturnType<typeof statementsFor>;
  readonly #list: TaskList;
  readonly #tasks: StoredTasks;

  constructor(connections: Connections, schema: string) {
    this.#connections = connections;
    this.#sql = statementsFor(schema);
    this.#list = new TaskList(connections, postgresDialect(schema));
    this.#tasks = new StoredTasks(connections, schema);
  }

  async head(taskId: string): Promise<TaskHead | undefined> {
    const [row] = await this.#connections.read<HeadColumns>(this.#sql.head, [nulCell(taskId)]);
    return row && toHead(row);
  }

  load(taskIds: readonly string[], detail: LoadDetail): Promise<readonly StoredTask[]> {
    return this.#tasks.load(taskIds, detail);
  }

  async read(taskId: string, after: number, limit: ReadLimit): Promise<readonly TaskEvent[]> {
    const cells = [nulCell(taskId), after, Math.max(limit.events, 1), Math.max(limit.bytes, 1)];
    const events: TaskEvent[] = [];
    let bytes = 0;
    for (const row of await this.#connections.read<LogColumns>(this.#sql.logPage, cells)) {
      for (const event of toEvents(row, after)) {
        events.push(event);
        bytes += jsonSizeOfEvent(event);
        if (events.length >= limit.events || bytes >= limit.bytes) return events;
      }
    }
    return events;
  }

  async journal(taskId: string): Promise<readonly JournalEntry[]> {
    const rows = await this.#connections.read<JournalColumns>(this.#sql.journal, [nulCell(taskId)]);
    return rows.map(({ number, seq, body }) => ({ number, seq, body: JSON.parse(body) }));
  }

  list(query: ListQuery): Promise<ListResult> {
    return this.#list.page(query);
  }

  async contextOwner({ tenant, subject }: Owner, contextId: string): Promise<Owner | undefined> {
    const place = nameCells([nameCell(tenant), nameCell(subject), nameCell(contextId)]);
    const [row] = await this.#connections.read<{ readonly subject: string }>(this.#sql.contextOwner, place);
    return row && { tenant, subject: nameOf(row.subject) };
  }

  async sharedContexts({ tenant, subject }: Owner, limit: number): Promise<readonly SharedContext[]> {
    const cells = nameCells([nameCell(tenant), nameCell(subject), limit]);
    const rows = await this.#connections.read<SharedColumns>(this.#sql.shared, cells);
    return rows.map((row) => ({ owner: { tenant, subject: nameOf(row.subject) }, contextId: nameOf(row.context_id) }));
  }

  async contextState(scope: KeyScope, contextId: string, now: number): Promise<ReadonlyMap<string, JsonValue>> {
    const { tenant, subject, agent } = scope;
    const cells = nameCells([nameCell(tenant), nameCell(subject), agent, nameCell(contextId), now]);
    type Row = { readonly key: string; readonly value: string };
    const rows = await this.#connections.read<Row>(this.#sql.contextState, cells);
    return new Map(rows.map(({ key, value }) => [nameOf(key), JSON.parse(value)]));
  }

  async key(scope: KeyScope, key: string, now: number): Promise<KeyRecord | undefined> {
    const { tenant, subject, agent } = scope;
    const cells = nameCells([nameCell(tenant), nameCell(subject), agent, nameCell(key), now]);
    const [row] = await this.#connections.read<KeyColumns>(this.#sql.key, cells);
    return row && toKeyRecord({ tenant, subject, agent }, key, row);
  }

  async isAlive(node: string, now: number): Promise<boolean> {
    return (await this.#connections.read(this.#sql.isAlive, [node, now])).length > 0;
  }

  async abandoned(node: string, now: number, limit: number): Promise<readonly TaskHead[]> {
    const rows = await this.#connections.read<HeadColumns>(this.#sql.abandoned, [node, now, limit]);
    return rows.map(toHead);
  }
}

function statementsFor(schema: string) {
  const dialect = postgresDialect(schema);
  const { head, journal, contextState, key } = readStatements(dialect);
  const { shared } = memberStatements(dialect);
  const { owned, joined } = memberStatements({ ...dialect, text: (sql) => sql });
  return {
    head,
    journal,
    contextState,
    key,
    shared,
    // Both conditions have the same cells, in the same order.
    contextOwner: `${dialect.text(owned)} UNION ALL ${dialect.text(joined)} LIMIT 1`,
    logPage: qualified(LOG_PAGE, schema),
    ...nodeStatements(schema),
  };
}
