import type { TaskEvent } from '../../../engine/log/events.ts';
import type {
  ArtifactBody,
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
  type ArtifactColumns,
  type HeadColumns,
  type JournalColumns,
  type KeyColumns,
  type LogColumns,
  toBody,
  toEvents,
  toHead,
  toKeyRecord,
} from '../../sql/columns.ts';
import { memberStatements, type SharedColumns } from '../../sql/context-members.ts';
import { nameCell, nameOf } from '../../sql/names.ts';
import { readStatements } from '../../sql/read-statements.ts';
import type { Database } from '../file/driver.ts';
import { SQLITE } from '../file/sql.ts';
import { ApiKeyReader } from './api-key-reader.ts';
import { FollowerReader } from './follower-reader.ts';
import { TaskList } from './task-list.ts';

/** All reading. The result of a call is of one moment, whatever is written meanwhile. */
export class Reader {
  readonly #database: Database;
  readonly #statements: ReadStatements;
  readonly #list: TaskList;
  /** Push configs and cursors. */
  readonly followers: FollowerReader;
  readonly apiKeys: ApiKeyReader;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepareReadStatements(database);
    this.#list = new TaskList(database);
    this.followers = new FollowerReader(database);
    this.apiKeys = new ApiKeyReader(database);
  }

  close(): void {
    this.#database.close();
  }

  head(taskId: string): TaskHead | undefined {
    const row = this.#statements.head.get(taskId);
    return row && toHead(row);
  }

  load(taskIds: readonly string[], detail: LoadDetail): readonly StoredTask[] {
    return this.#database.snapshot(() => taskIds.flatMap((taskId) => this.#load(taskId, detail) ?? []));
  }

  read(taskId: string, after: number, limit: ReadLimit): readonly TaskEvent[] {
    const events: TaskEvent[] = [];
    let bytes = 0;
    for (const row of this.#statements.logAfter.iterate(taskId, after)) {
      for (const event of toEvents(row, after)) {
        events.push(event);
        bytes += jsonSizeOfEvent(event);
        if (events.length >= limit.events || bytes >= limit.bytes) return events;
      }
    }
    return events;
  }

  journal(taskId: string): readonly JournalEntry[] {
    return this.#statements.journal
      .all(taskId)
      .map(({ number, seq, body }) => ({ number, seq, body: JSON.parse(body) }));
  }

  list(query: ListQuery): ListResult {
    return this.#database.snapshot(() => this.#list.page(query));
  }

  contextOwner({ tenant, subject }: Owner, contextId: string): Owner | undefined {
    const place = [nameCell(tenant), nameCell(subject), nameCell(contextId)] as const;
    const row = this.#statements.owned.get(...place) ?? this.#statements.joined.get(...place);
    return row && { tenant, subject: nameOf(row.subject) };
  }

  sharedContexts({ tenant, subject }: Owner, limit: number): readonly SharedContext[] {
    return this.#statements.shared
      .all(nameCell(tenant), nameCell(subject), limit)
      .map((row) => ({ owner: { tenant, subject: nameOf(row.subject) }, contextId: nameOf(row.context_id) }));
  }

  /** Some context is shared. */
  get sharesContexts(): boolean {
    return this.#statements.anyShared.get() !== undefined;
  }

  contextState({ tenant, subject, agent }: KeyScope, contextId: string, now: number): ReadonlyMap<string, JsonValue> {
    const place = [nameCell(tenant), nameCell(subject), agent, nameCell(contextId)] as const;
    const rows = this.#statements.contextState.all(...place, now);
    return new Map(rows.map(({ key, value }) => [nameOf(key), JSON.parse(value)]));
  }

  key(scope: KeyScope, key: string, now: number): KeyRecord | undefined {
    const { tenant, subject, agent } = scope;
    const row = this.#statements.key.get(nameCell(tenant), nameCell(subject), agent, nameCell(key), now);
    return row && toKeyRecord({ tenant, subject, agent }, key, row);
  }

  /** Running tasks of every node but this one. */
  runElsewhere(node: string, limit: number): readonly TaskHead[] {
    const run = this.#statements.runElsewhere.all(node, limit);
    const wait = run.length < limit ? this.#statements.waitElsewhere.all(node, limit - run.length) : [];
    return [...run, ...wait].map(toHead);
  }

  #load(taskId: string, detail: LoadDetail): StoredTask | undefined {
    const row = this.#statements.head.get(taskId);
    if (!row) return undefined;
    const head = toHead(row);
    const bodies: ArtifactBody[] = detail.artifacts ? this.#statements.bodies.all(row.key).map(toBody) : [];
    bodies.sort((left, right) => left.position - right.position);
    return { head, bodies, events: this.#uncovered(row.key, detail, detail.artifacts ? head.openFrom : 0) };
  }

  #uncovered(task: number, { history }: LoadDetail, openFrom: number): readonly TaskEvent[] {
    const events: TaskEvent[] = [];
    const chunksFrom = openFrom === 0 ? Number.MAX_SAFE_INTEGER : openFrom;
    const rows = [
      ...(history ? this.#statements.talkBefore.all(task, chunksFrom) : []),
      ...(openFrom === 0 ? [] : this.#statements.logFrom.all(task, chunksFrom)),
    ];
    for (const row of rows) {
      for (const event of toEvents(row)) {
        const isWanted = event.kind === 'artifact' ? event.seq >= chunksFrom : history && event.kind !== 'created';
        if (isWanted) events.push(event);
      }
    }
    return events;
  }
}

type ReadStatements = ReturnType<typeof prepareReadStatements>;

function prepareReadStatements(database: Database) {
  const sql = readStatements(SQLITE);
  const members = memberStatements(SQLITE);
  return {
    head: database.prepare<HeadColumns>(sql.head),
    bodies: database.prepare<ArtifactColumns>(sql.bodies),
    talkBefore: database.prepare<LogColumns>(sql.talkBefore),
    logFrom: database.prepare<LogColumns>(sql.logFrom),
    logAfter: database.prepare<LogColumns>(sql.logAfter),
    journal: database.prepare<JournalColumns>(sql.journal),
    owned: database.prepare<{ readonly subject: string }>(members.owned),
    joined: database.prepare<{ readonly subject: string }>(members.joined),
    shared: database.prepare<SharedColumns>(members.shared),
    anyShared: database.prepare<{ readonly one: number }>(members.anyShared),
    contextState: database.prepare<{ readonly key: string; readonly value: string }>(sql.contextState),
    key: database.prepare<KeyColumns>(sql.key),
    runElsewhere: database.prepare<HeadColumns>(sql.runElsewhere),
    waitElsewhere: database.prepare<HeadColumns>(sql.waitElsewhere),
  };
}
