import type { TaskEvent } from '../engine/log/events.ts';
import type {
  ApiKeyRecord,
  CommitEntry,
  CommitResult,
  CursorRecord,
  JournalEntry,
  KeyRecord,
  KeyScope,
  ListQuery,
  ListResult,
  LoadDetail,
  Owner,
  PurgeQuery,
  PushConfigQuery,
  PushConfigRecord,
  ReadLimit,
  SharedContext,
  ShareResult,
  Store,
  StoredTask,
  TaskCommit,
  TaskHead,
  TrimQuery,
  TrimResult,
} from '../engine/ports.ts';
import type { JsonValue } from '../model/basics/json.ts';
import { LiveMap } from '../model/basics/live-map.ts';
import { ofKind } from '../model/basics/store-kind.ts';
import { isTerminal } from '../model/states.ts';
import { keysOf } from './entry-keys.ts';
import { ApiKeys } from './memory/api-keys.ts';
import { ContextClaims } from './memory/context-claims.ts';
import { ContextStates } from './memory/context-states.ts';
import { Cursors } from './memory/cursors.ts';
import { checkMemoryOptions, type MemoryOptions } from './memory/options.ts';
import { PushConfigs } from './memory/push-configs.ts';
import { TaskIndex } from './memory/task-index.ts';
import { TaskRecord } from './memory/task-record.ts';
import { TrimPasses } from './memory/trim-passes.ts';
import { MemoryTurnQueue } from './memory/turn-queue.ts';
import { withStore } from './with-store.ts';

export type { MemoryOptions };

/** A store that lives as long as the process. It keeps what it is given without copying. */
export function memory(options: MemoryOptions = {}): Store {
  checkMemoryOptions(options);
  const store = ofKind(new MemoryStore(!options.shared, options.now ?? Date.now), 'memory');
  // Without a clock of its own it goes by those of the engines, which a test may have replaced.
  return options.now && options.shared ? withStore(store, { time: options.now }) : store;
}

class MemoryStore implements Store {
  readonly exclusive: boolean;
  readonly #now: () => number;
  readonly #tasks: Map<string, TaskRecord> = new Map();
  readonly #index = new TaskIndex();
  /** Tasks that some node runs, or that wait until some time. */
  readonly #running = new LiveMap<TaskRecord>();
  readonly #contexts = new ContextClaims();
  /** In the order in which they were written, which is the order in which they run out. */
  readonly #keys: Map<string, KeyRecord> = new Map();
  readonly #contextStates = new ContextStates();
  readonly #nodes: Map<string, number> = new Map();
  readonly #pushConfigs = new PushConfigs();
  readonly #cursors = new Cursors();
  readonly #apiKeys = new ApiKeys();
  readonly #values: Map<string, string> = new Map();
  /** Undefined for one engine: its turns wait in its memory. */
  readonly queue: MemoryTurnQueue | undefined;
  readonly #trims = new TrimPasses(this.#tasks, (record, query) => this.#trimOne(record, query));

  constructor(exclusive: boolean, now: () => number) {
    this.exclusive = exclusive;
    this.#now = now;
    if (exclusive) return;
    this.queue = new MemoryTurnQueue(this.#nodes, (record, head) => this.#setHead(record, head));
  }

  open(): void {}

  close(): void {}

  commit(entries: readonly CommitEntry[]): readonly CommitResult[] {
    return entries.map((entry) => {
      const result = this.#check(entry);
      if (result === 'ok') this.#write(entry);
      return result;
    });
  }

  head(taskId: string): TaskHead | undefined {
    return this.#tasks.get(taskId)?.head;
  }

  load(taskIds: readonly string[], detail: LoadDetail): readonly StoredTask[] {
    const found: StoredTask[] = [];
    for (const taskId of taskIds) {
      const stored = this.#tasks.get(taskId)?.load(detail);
      if (stored) found.push(stored);
    }
    return found;
  }

  read(taskId: string, after: number, limit: ReadLimit): readonly TaskEvent[] {
    return this.#tasks.get(taskId)?.read(after, limit) ?? [];
  }

  journal(taskId: string): readonly JournalEntry[] {
    return this.#tasks.get(taskId)?.journal ?? [];
  }

  list(query: ListQuery): ListResult {
    return this.#index.list(query);
  }

  contextOwner(caller: Owner, contextId: string): Owner | undefined {
    return this.#contexts.owner(caller, contextId);
  }

  shareContext(owner: Owner, contextId: string, subjects: readonly string[]): ShareResult {
    return this.#contexts.share(owner, contextId, subjects);
  }

  sharedContexts(member: Owner, limit: number): readonly SharedContext[] {
    return this.#contexts.shared(member, limit);
  }

  contextState(scope: KeyScope, contextId: string, now: number): ReadonlyMap<string, JsonValue> {
    return this.#contextStates.get(scope, contextId, now);
  }

  key(scope: KeyScope, key: string, now: number): KeyRecord | undefined {
    const record = this.#keys.get(nameOfKey(scope, key));
    return record && record.expiresAt > now ? record : undefined;
  }

  heartbeat(node: string, until: number): void {
    if (this.exclusive) this.#nodes.clear();
    this.#nodes.set(node, until);
  }

  abandoned(node: string, now: number, limit: number): readonly TaskHead[] {
    const found: TaskHead[] = [];
    for (const { head } of this.#running.values()) {
      if (found.length >= limit) break;
      const holder = head.lease.node;
      if (holder === null || holder === node) continue;
      if (this.queue?.has(head.id)) continue;
      if (this.exclusive || !this.isAlive(holder, now)) found.push(head);
    }
    return found;
  }

  isAlive(node: string, now: number): boolean {
    return (this.#nodes.get(node) ?? Number.NEGATIVE_INFINITY) > now;
  }

  putPushConfig(record: PushConfigRecord): boolean {
    if (!this.#tasks.has(record.taskId)) return false;
    this.#pushConfigs.put(record);
    return true;
  }

  pushConfig(taskId: string, id: string, owner?: Owner): PushConfigRecord | undefined {
    return this.#pushConfigs.get(taskId, id, owner);
  }

  listPushConfigs(query: PushConfigQuery): readonly PushConfigRecord[] {
    return this.#pushConfigs.list(query);
  }

  deletePushConfig(taskId: string, id: string, owner?: Owner): boolean {
    return this.#pushConfigs.delete(taskId, id, owner);
  }

  cursor(taskId: string, follower: string): CursorRecord | undefined {
    return this.#cursors.get(taskId, follower);
  }

  setCursor(record: CursorRecord, expectedLease: number): boolean {
    return this.#tasks.has(record.taskId) && this.#cursors.set(record, expectedLease);
  }

  deleteCursor(taskId: string, follower: string): void {
    this.#cursors.delete(taskId, follower);
  }

  keptValue(name: string): string | undefined {
    return this.#values.get(name);
  }

  keepValue(name: string, value: string): boolean {
    if (this.#values.has(name)) return false;
    this.#values.set(name, value);
    return true;
  }

  apiKey(id: string): ApiKeyRecord | undefined {
    return this.#apiKeys.get(id);
  }

  listApiKeys(): readonly ApiKeyRecord[] {
    return this.#apiKeys.list();
  }

  addApiKey(record: ApiKeyRecord): boolean {
    return this.#apiKeys.add(record);
  }

  removeApiKey(id: string): boolean {
    return this.#apiKeys.remove(id);
  }

  purge({ endedBefore, taskId, keepsUntold = false, limit }: PurgeQuery): readonly string[] {
    const ended: TaskRecord[] = [];
    const candidates = taskId === undefined ? this.#index.endedBefore(endedBefore) : [this.#tasks.get(taskId)];
    for (const record of candidates) {
      if (ended.length >= limit) break;
      if (!record || !isPurgeable(record.head, endedBefore)) continue;
      if (!keepsUntold || this.#isTold(record.head)) ended.push(record);
    }
    for (const record of ended) this.#remove(record);
    return ended.map(({ id }) => id);
  }

  /** Each webhook has been told everything. */
  #isTold({ id, seq }: TaskHead): boolean {
    const configs = this.#pushConfigs.list({ taskId: id, limit: Number.MAX_SAFE_INTEGER });
    return configs.every((config) => (this.#cursors.get(id, config.id)?.seq ?? config.since) >= seq);
  }

  trim(query: TrimQuery): TrimResult {
    return query.part === 'rows' ? NOTHING_TRIMMED : this.#trims.run(query);
  }

  /** True where something was removed. */
  #trimOne(record: TaskRecord, { part, endedBefore }: TrimQuery): boolean {
    if (!isPurgeable(record.head, endedBefore)) return false;
    switch (part) {
      case 'rows':
        return false;
      case 'journals':
        return record.dropJournal();
      case 'events':
        return this.#isTold(record.head) && record.dropEvents();
      case 'deliveries': {
        const { id } = record;
        if (!this.#pushConfigs.has(id) || !this.#isTold(record.head)) return false;
        this.#pushConfigs.removeTask(id);
        this.#cursors.removeTask(id);
        return true;
      }
    }
  }

  sweep(now: number): void {
    for (const [name, record] of this.#keys) {
      if (record.expiresAt > now) break;
      this.#keys.delete(name);
    }
    this.#contextStates.sweep(now);
    this.#contexts.sweep(this.#keeps);
    for (const [node, until] of this.#nodes) if (until <= now) this.#nodes.delete(node);
  }

  #check(entry: CommitEntry): CommitResult {
    if (entry.kind === 'task') {
      const held = this.#tasks.get(entry.head.id)?.head;
      if ((held?.seq ?? 0) !== entry.expectedSeq) return 'conflict';
      if ((held?.lease.number ?? 0) !== entry.expectedLease) return 'conflict';
    }
    if (keysOf(entry).some(({ scope, key }) => this.key(scope, key, this.#now()))) return 'key-taken';
    const isNew = entry.kind === 'task' && entry.expectedSeq === 0;
    if (isNew && this.#contexts.isJoined(entry.head.owner, entry.head.contextId)) return 'context-taken';
    return 'ok';
  }

  #write(entry: CommitEntry): void {
    if (entry.kind === 'task') this.#writeTask(entry);
    for (const record of keysOf(entry)) {
      const name = nameOfKey(record.scope, record.key);
      this.#keys.delete(name);
      this.#keys.set(name, record);
      if (record.taskId !== undefined) this.#tasks.get(record.taskId)?.addKey(name);
    }
  }

  #writeTask(entry: TaskCommit): void {
    const { head } = entry;
    let record = this.#tasks.get(head.id);
    if (!record) {
      record = new TaskRecord(head);
      this.#tasks.set(head.id, record);
      this.#contexts.add(head);
    }
    const moves = record.head.status.state !== head.status.state || record.head.statusTime !== head.statusTime;
    if (moves) this.#index.delete(record);
    record.append(entry);
    this.#contextStates.commit(entry);
    for (const config of entry.pushConfigs ?? []) this.#pushConfigs.put(config);
    if (moves || entry.expectedSeq === 0) this.#index.add(record);
    if (entry.queue !== undefined) this.queue?.put(record, entry.queue ?? undefined);
    this.#noteRun(record);
  }

  /** A claim changes nothing but the lease. */
  #setHead(record: TaskRecord, head: TaskHead): void {
    record.head = head;
    this.#noteRun(record);
  }

  #noteRun(record: TaskRecord): void {
    if (isRun(record.head)) this.#running.set(record.id, record);
    else this.#running.delete(record.id);
  }

  #remove(record: TaskRecord): void {
    const { id, head } = record;
    this.#tasks.delete(id);
    this.#index.remove(record);
    this.#pushConfigs.removeTask(id);
    this.#cursors.removeTask(id);
    this.queue?.put(record, undefined);
    // A key that has run out may have led to another task since.
    for (const name of record.keys) if (this.#keys.get(name)?.taskId === id) this.#keys.delete(name);
    this.#contexts.remove(head, this.#keeps);
  }

  readonly #keeps = (owner: Owner, contextId: string): boolean => this.#contextStates.has(owner, contextId);
}

const NOTHING_TRIMMED: TrimResult = { tasks: [], next: undefined };

function isPurgeable({ status, statusTime, lease }: TaskHead, endedBefore: number): boolean {
  return isTerminal(status.state) && statusTime < endedBefore && lease.node === null;
}

function isRun({ lease, status, answerBy }: TaskHead): boolean {
  const isWorking = status.state === 'submitted' || status.state === 'working';
  return lease.node !== null && (isWorking || answerBy !== undefined);
}

function nameOfKey(scope: KeyScope, key: string): string {
  return JSON.stringify([scope.tenant, scope.subject, scope.agent, key]);
}
