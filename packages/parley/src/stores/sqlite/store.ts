import { setImmediate } from 'node:timers/promises';
import type { TaskEvent } from '../../engine/log/events.ts';
import type {
  ApiKeyRecord,
  Awaitable,
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
  TaskHead,
  TrimQuery,
  TrimResult,
} from '../../engine/ports.ts';
import type { JsonValue } from '../../model/basics/json.ts';
import { additionOf, removalOf } from '../sql/api-keys.ts';
import { RowEncoder } from '../sql/entry-rows.ts';
import { cursorChange, pushCells } from '../sql/follower-rows.ts';
import { nameCell, nameOf } from '../sql/names.ts';
import { StoreError } from '../store-error.ts';
import { refusal } from './file/location.ts';
import { openSession, type Session, type SessionSettings } from './session.ts';

/** One server for each file, so the only node that can be alive is the one that uses this object. */
export class SqliteStore implements Store {
  readonly exclusive = true;
  readonly #settings: SessionSettings;
  readonly #now: () => number;
  readonly #encoder = new RowEncoder();
  #session: Session | undefined;
  /** Undefined until a list asks, as every list does; nearly no server shares a context. */
  #sharesContexts: boolean | undefined;
  #self: { readonly node: string; readonly until: number } | undefined;

  constructor(settings: SessionSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  async open(): Promise<void> {
    const { path } = this.#settings;
    if (this.#session) throw new StoreError('IN_USE', `${path} is already open in this store.`);
    this.#session = await openSession(this.#settings);
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#self = undefined;
    this.#sharesContexts = undefined;
    await session?.close();
  }

  commit(entries: readonly CommitEntry[]): Awaitable<readonly CommitResult[]> {
    return this.#opened.writer.commit(this.#encoder.encode(entries), this.#now());
  }

  head(taskId: string): TaskHead | undefined {
    return this.#opened.reader.head(taskId);
  }

  load(taskIds: readonly string[], detail: LoadDetail): readonly StoredTask[] {
    return this.#opened.reader.load(taskIds, detail);
  }

  read(taskId: string, after: number, limit: ReadLimit): readonly TaskEvent[] {
    return this.#opened.reader.read(taskId, after, limit);
  }

  journal(taskId: string): readonly JournalEntry[] {
    return this.#opened.reader.journal(taskId);
  }

  list(query: ListQuery): ListResult {
    return this.#opened.reader.list(query);
  }

  contextOwner(caller: Owner, contextId: string): Owner | undefined {
    return this.#opened.reader.contextOwner(caller, contextId);
  }

  async shareContext(owner: Owner, contextId: string, subjects: readonly string[]): Promise<ShareResult> {
    this.#sharesContexts = true;
    const [kind, subject = ''] = await this.#opened.writer.share({
      tenant: nameCell(owner.tenant),
      subject: nameCell(owner.subject),
      contextId: nameCell(contextId),
      members: subjects.map(nameCell),
    });
    if (kind === 'taken') return { kind, subject: nameOf(subject) };
    return { kind: kind === 'shared' ? 'shared' : 'unknown' };
  }

  sharedContexts(member: Owner, limit: number): readonly SharedContext[] {
    const { reader } = this.#opened;
    this.#sharesContexts ??= reader.sharesContexts;
    return this.#sharesContexts ? reader.sharedContexts(member, limit) : [];
  }

  contextState(scope: KeyScope, contextId: string, now: number): ReadonlyMap<string, JsonValue> {
    return this.#opened.reader.contextState(scope, contextId, now);
  }

  key(scope: KeyScope, key: string, now: number): KeyRecord | undefined {
    return this.#opened.reader.key(scope, key, now);
  }

  /** Kept in memory: the lock on the file already says that no other node is alive. */
  heartbeat(node: string, until: number): void {
    this.#self = { node, until };
  }

  /** The first read of tasks after a start: it meets the damage of a file. */
  abandoned(node: string, _now: number, limit: number): readonly TaskHead[] {
    const { reader } = this.#opened;
    try {
      return reader.runElsewhere(node, limit);
    } catch (error) {
      throw refusal(this.#settings.path, error);
    }
  }

  isAlive(node: string, now: number): boolean {
    return this.#self?.node === node && this.#self.until > now;
  }

  putPushConfig(record: PushConfigRecord): Awaitable<boolean> {
    return this.#opened.writer.follow({ kind: 'put-push', taskId: record.taskId, cells: pushCells(record) });
  }

  pushConfig(taskId: string, id: string, owner?: Owner): PushConfigRecord | undefined {
    return this.#opened.reader.followers.pushConfig(taskId, id, owner);
  }

  listPushConfigs(query: PushConfigQuery): readonly PushConfigRecord[] {
    return this.#opened.reader.followers.listPushConfigs(query);
  }

  deletePushConfig(taskId: string, id: string, owner?: Owner): Awaitable<boolean> {
    const scope = owner ? [nameCell(owner.tenant), nameCell(owner.subject)] : [];
    const cells = [taskId, nameCell(id), ...scope];
    return this.#opened.writer.follow({ kind: 'delete-push', cells, isScoped: owner !== undefined });
  }

  cursor(taskId: string, follower: string): CursorRecord | undefined {
    return this.#opened.reader.followers.cursor(taskId, follower);
  }

  setCursor(record: CursorRecord, expectedLease: number): Awaitable<boolean> {
    return this.#opened.writer.follow(cursorChange(record, expectedLease));
  }

  async deleteCursor(taskId: string, follower: string): Promise<void> {
    await this.#opened.writer.follow({ kind: 'delete-cursor', cells: [taskId, nameCell(follower)] });
  }

  keptValue(name: string): string | undefined {
    return this.#opened.reader.followers.keptValue(name);
  }

  keepValue(name: string, value: string): Awaitable<boolean> {
    return this.#opened.writer.follow({ kind: 'keep-value', cells: [nameCell(name), nameCell(value)] });
  }

  apiKey(id: string): ApiKeyRecord | undefined {
    return this.#opened.reader.apiKeys.get(id);
  }

  listApiKeys(): readonly ApiKeyRecord[] {
    return this.#opened.reader.apiKeys.list();
  }

  addApiKey(record: ApiKeyRecord): Awaitable<boolean> {
    return this.#opened.writer.changeApiKeys(additionOf(record));
  }

  removeApiKey(id: string): Awaitable<boolean> {
    return this.#opened.writer.changeApiKeys(removalOf(id));
  }

  purge(query: PurgeQuery): Awaitable<readonly string[]> {
    return this.#opened.writer.purge(query);
  }

  trim(query: TrimQuery): Awaitable<TrimResult> {
    return this.#opened.writer.trim(query);
  }

  probe(): Awaitable<void> {
    return this.#opened.writer.probe();
  }

  /** In small transactions, between which commits come through. */
  async sweep(now: number): Promise<void> {
    while (await this.#opened.writer.sweep(now)) await setImmediate();
  }

  get #opened(): Session {
    if (!this.#session) throw new Error(`The store of ${this.#settings.path} is not open`);
    return this.#session;
  }
}
