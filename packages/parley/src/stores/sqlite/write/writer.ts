import type { CommitResult, PurgeQuery, TrimQuery, TrimResult } from '../../../engine/ports.ts';
import type { ApiKeyChange } from '../../sql/api-keys.ts';
import type { ShareRows } from '../../sql/context-members.ts';
import type { EntryRows, KeyRow, TaskRow } from '../../sql/entry-rows.ts';
import type { FollowerChange } from '../../sql/follower-rows.ts';
import { TaskCounts } from '../../sql/task-counts.ts';
import { type HeldTask, plainCells, writeStatements } from '../../sql/write-statements.ts';
import { type Database, prepareAll } from '../file/driver.ts';
import { MIGRATIONS } from '../file/migrations.ts';
import { SQLITE } from '../file/sql.ts';
import { ApiKeyWriter } from './api-key-writer.ts';
import { ContextSharing } from './context-sharing.ts';
import { FollowerWriter } from './follower-writer.ts';
import { LogFolding } from './log-folding.ts';
import { Purge } from './purge.ts';
import { Sweep } from './sweep.ts';
import { Trim } from './trim.ts';
import { prepareTrimTables } from './trim-tables.ts';

/**
 * All writing. Each entry is checked as a whole before any of it is written: inside the transaction nobody else writes,
 * so what was checked holds, and a refused entry leaves no trace without needing a savepoint.
 */
export class Writer {
  readonly #database: Database;
  readonly #statements: WriteStatements;
  readonly #purge: Purge;
  readonly #folding: LogFolding;
  readonly #sweep: Sweep;
  readonly #trim: Trim;
  readonly #followers: FollowerWriter;
  readonly #apiKeys: ApiKeyWriter;
  readonly #sharing: ContextSharing;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepareWriteStatements(database);
    this.#purge = new Purge(database);
    this.#sweep = new Sweep(database);
    const tables = prepareTrimTables(database);
    this.#folding = new LogFolding(tables);
    this.#trim = new Trim(tables, this.#folding);
    this.#followers = new FollowerWriter(database);
    this.#apiKeys = new ApiKeyWriter(database);
    this.#sharing = new ContextSharing(database);
  }

  commit(entries: readonly EntryRows[], now: number): readonly CommitResult[] {
    return this.#database.write(() => {
      const counts = new TaskCounts();
      const results = entries.map((entry) => this.#entry(entry, now, counts));
      for (const cells of counts.rows()) this.#statements.count.run(...cells);
      return results;
    });
  }

  purge(query: PurgeQuery): readonly string[] {
    return this.#database.write(() => this.#purge.run(query));
  }

  trim(query: TrimQuery): TrimResult {
    if (query.part === 'rows' && this.#folding.isDone) return { tasks: [], next: undefined };
    return this.#database.write(() => this.#trim.run(query));
  }

  follow(change: FollowerChange): boolean {
    return this.#followers.run(change);
  }

  /** Makes several changes in one transaction, all or none. Returns the kind of each, '' where no row was touched. */
  followAll(changes: readonly FollowerChange[]): readonly string[] {
    return this.#database.write(() => changes.map((change) => (this.#followers.run(change) ? change.kind : '')));
  }

  changeApiKeys(change: ApiKeyChange): boolean {
    return this.#apiKeys.run(change);
  }

  share(rows: ShareRows): readonly string[] {
    return this.#database.write(() => this.#sharing.share(rows));
  }

  sweep(now: number): boolean {
    return this.#database.write(() => this.#sweep.run(now));
  }

  /** Writes the version of the schema again, which is a page of the file like any other. */
  probe(): void {
    this.#database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  }

  close(): void {
    this.#database.close();
  }

  #entry({ task, keys }: EntryRows, now: number, counts: TaskCounts): CommitResult {
    const held = task ? this.#statements.held.get(task.id) : undefined;
    if (task && (held?.seq ?? 0) !== task.expectedSeq) return 'conflict';
    if (task && (held?.lease_number ?? 0) !== task.expectedLease) return 'conflict';
    if (keys.some((key) => this.#isTaken(key, now))) return 'key-taken';
    if (task && !held && this.#sharing.isJoined(task.tenant, task.subject, task.contextId)) return 'context-taken';
    if (task) {
      const number = held ? this.#update(task, held, counts) : this.#insert(task, counts);
      this.#append(number, task);
      this.#folding.note(number, task);
      this.#keepContext(task);
      for (const cells of task.push ?? []) this.#followers.run({ kind: 'put-push', taskId: task.id, cells });
    }
    for (const key of keys) this.#insertKey(key);
    return 'ok';
  }

  #isTaken({ tenant, subject, agent, key }: KeyRow, now: number): boolean {
    return this.#statements.takenKey.get(tenant, subject, agent, key, now) !== undefined;
  }

  #insert(task: TaskRow, counts: TaskCounts): number {
    const { tenant, subject, contextId, createdAt } = task;
    this.#statements.useContext.run(tenant, subject, contextId, createdAt, createdAt);
    counts.add(task, task.state, 1);
    const row = this.#statements.insertTask.get(
      task.id,
      task.agent,
      tenant,
      subject,
      contextId,
      createdAt,
      task.state,
      task.statusTime,
      task.leaseNode,
      ...plainCells(task),
    );
    if (!row) throw new Error('SQLite did not return the key of a new task');
    return row.key;
  }

  #update(task: TaskRow, held: HeldTask, counts: TaskCounts): number {
    const stays =
      held.state === task.state && held.status_time === task.statusTime && held.lease_node === task.leaseNode;
    if (stays) {
      this.#statements.updateTask.run(...plainCells(task), held.key);
    } else {
      counts.add(task, held.state, -1);
      counts.add(task, task.state, 1);
      this.#statements.moveTask.run(task.state, task.statusTime, task.leaseNode, ...plainCells(task), held.key);
    }
    return held.key;
  }

  #append(number: number, { log, artifacts, journal }: TaskRow): void {
    if (log) this.#statements.log.run(number, log.from, log.to, log.kinds, log.body);
    for (const { id, position, seq, body } of artifacts) this.#statements.artifact.run(number, id, position, seq, body);
    for (const entry of journal) this.#statements.journal.run(number, entry.number, entry.seq, entry.body);
  }

  /** A message in a context keeps what is there for longer; each change does too. */
  #keepContext({ tenant, subject, agent, contextId, messageTime, context }: TaskRow): void {
    const place = [tenant, subject, agent, contextId] as const;
    const { touchContext, keep, drop } = this.#statements;
    if (messageTime !== null) touchContext.run(messageTime, ...place, messageTime);
    for (const { key, value, time, lifetime } of context) {
      touchContext.run(time, ...place, time);
      if (value === null) drop.run(...place, key);
      else keep.run(...place, key, value, time + lifetime, lifetime);
    }
  }

  #insertKey({ tenant, subject, agent, key, expiresAt, digest, taskId, messageSeq, reply }: KeyRow): void {
    this.#statements.key.run(tenant, subject, agent, key, expiresAt, digest, taskId, messageSeq, reply);
  }
}

type WriteStatements = ReturnType<typeof prepareWriteStatements>;

function prepareWriteStatements(database: Database) {
  const { held, insertTask, takenKey, ...writing } = writeStatements(SQLITE);
  return {
    held: database.prepare<HeldTask>(held),
    insertTask: database.prepare<{ readonly key: number }>(insertTask),
    takenKey: database.prepare<object>(takenKey),
    ...prepareAll(database, writing),
  };
}
