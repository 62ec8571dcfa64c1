import { postgresBus } from '../../bus/postgres/postgres-bus.ts';
import type { TaskEvent } from '../../engine/log/events.ts';
import type {
  ApiKeyRecord,
  Bus,
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
  QueueFacet,
  RateFacet,
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
import { cursorChange, pushCells } from '../sql/follower-rows.ts';
import { nameCell } from '../sql/names.ts';
import { StoreError } from '../store-error.ts';
import type { ConnectionSettings } from './connection/settings.ts';
import { Session } from './session.ts';

/** Tasks in a Postgres database, which several nodes share. */
export class PostgresStore implements Store {
  readonly exclusive = false;
  readonly #settings: ConnectionSettings;
  readonly #now: () => number;
  #session: Session | undefined;

  constructor(settings: ConnectionSettings, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Opened with the store, as everything else. */
  readonly queue: QueueFacet = {
    claim: async (claim) => this.#opened.queue.claim(claim),
    queuedTurn: async (taskId) => this.#opened.queue.queuedTurn(taskId),
    overdueTurns: async (now, limit) => this.#opened.queue.overdueTurns(now, limit),
    queueState: async () => this.#opened.queue.queueState(),
    liveNodes: async (now) => this.#opened.queue.liveNodes(now),
  };

  readonly rates: RateFacet = {
    countRate: async (key, count, window) => this.#opened.rates.count(key, count, window),
  };

  async open(): Promise<void> {
    if (this.#session) throw new StoreError('IN_USE', `${this.#settings.name} is already open in this store.`);
    this.#session = await Session.open(this.#settings);
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }

  /** The database itself, by NOTIFY. */
  bus(): Bus {
    return postgresBus(this.#settings);
  }

  async commit(entries: readonly CommitEntry[]): Promise<readonly CommitResult[]> {
    return this.#opened.commits.write(entries, this.#now());
  }

  async head(taskId: string): Promise<TaskHead | undefined> {
    return this.#opened.reader.head(taskId);
  }

  async load(taskIds: readonly string[], detail: LoadDetail): Promise<readonly StoredTask[]> {
    return this.#opened.reader.load(taskIds, detail);
  }

  async read(taskId: string, after: number, limit: ReadLimit): Promise<readonly TaskEvent[]> {
    return this.#opened.reader.read(taskId, after, limit);
  }

  async journal(taskId: string): Promise<readonly JournalEntry[]> {
    return this.#opened.reader.journal(taskId);
  }

  async list(query: ListQuery): Promise<ListResult> {
    return this.#opened.reader.list(query);
  }

  async contextOwner(caller: Owner, contextId: string): Promise<Owner | undefined> {
    return this.#opened.reader.contextOwner(caller, contextId);
  }

  async shareContext(owner: Owner, contextId: string, subjects: readonly string[]): Promise<ShareResult> {
    return this.#opened.upkeep.share(owner, contextId, subjects);
  }

  async sharedContexts(member: Owner, limit: number): Promise<readonly SharedContext[]> {
    return this.#opened.reader.sharedContexts(member, limit);
  }

  async contextState(scope: KeyScope, contextId: string, now: number): Promise<ReadonlyMap<string, JsonValue>> {
    return this.#opened.reader.contextState(scope, contextId, now);
  }

  async key(scope: KeyScope, key: string, now: number): Promise<KeyRecord | undefined> {
    return this.#opened.reader.key(scope, key, now);
  }

  async time(): Promise<number> {
    return this.#opened.time();
  }

  async heartbeat(node: string, until: number): Promise<void> {
    await this.#opened.heartbeat(node, until);
  }

  async isAlive(node: string, now: number): Promise<boolean> {
    return this.#opened.reader.isAlive(node, now);
  }

  async abandoned(node: string, now: number, limit: number): Promise<readonly TaskHead[]> {
    return this.#opened.reader.abandoned(node, now, limit);
  }

  async putPushConfig(record: PushConfigRecord): Promise<boolean> {
    const { taskId } = record;
    return this.#opened.followerWriter.run({ kind: 'put-push', taskId, cells: pushCells(record) });
  }

  async pushConfig(taskId: string, id: string, owner?: Owner): Promise<PushConfigRecord | undefined> {
    return this.#opened.followers.pushConfig(taskId, id, owner);
  }

  async listPushConfigs(query: PushConfigQuery): Promise<readonly PushConfigRecord[]> {
    return this.#opened.followers.listPushConfigs(query);
  }

  async deletePushConfig(taskId: string, id: string, owner?: Owner): Promise<boolean> {
    const scope = owner ? [nameCell(owner.tenant), nameCell(owner.subject)] : [];
    const cells = [taskId, nameCell(id), ...scope];
    return this.#opened.followerWriter.run({ kind: 'delete-push', cells, isScoped: owner !== undefined });
  }

  async cursor(taskId: string, follower: string): Promise<CursorRecord | undefined> {
    return this.#opened.followers.cursor(taskId, follower);
  }

  async setCursor(record: CursorRecord, expectedLease: number): Promise<boolean> {
    return this.#opened.followerWriter.run(cursorChange(record, expectedLease));
  }

  async deleteCursor(taskId: string, follower: string): Promise<void> {
    await this.#opened.followerWriter.run({ kind: 'delete-cursor', cells: [taskId, nameCell(follower)] });
  }

  async keptValue(name: string): Promise<string | undefined> {
    return this.#opened.followers.keptValue(name);
  }

  async keepValue(name: string, value: string): Promise<boolean> {
    return this.#opened.followerWriter.run({ kind: 'keep-value', cells: [nameCell(name), nameCell(value)] });
  }

  async apiKey(id: string): Promise<ApiKeyRecord | undefined> {
    return this.#opened.followers.apiKey(id);
  }

  async listApiKeys(): Promise<readonly ApiKeyRecord[]> {
    return this.#opened.followers.apiKeys();
  }

  async addApiKey(record: ApiKeyRecord): Promise<boolean> {
    return this.#opened.followerWriter.changeApiKeys(additionOf(record));
  }

  async removeApiKey(id: string): Promise<boolean> {
    return this.#opened.followerWriter.changeApiKeys(removalOf(id));
  }

  async purge(query: PurgeQuery): Promise<readonly string[]> {
    return this.#opened.upkeep.purge(query);
  }

  async trim(query: TrimQuery): Promise<TrimResult> {
    return this.#opened.trim.run(query);
  }

  async probe(): Promise<void> {
    await this.#opened.probe();
  }

  async sweep(now: number): Promise<void> {
    await this.#opened.upkeep.sweep(now);
  }

  get #opened(): Session {
    if (!this.#session) throw new Error(`The store of ${this.#settings.name} is not open`);
    return this.#session;
  }
}
