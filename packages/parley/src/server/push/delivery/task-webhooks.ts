import type { TaskFollower } from '../../../engine/follow/task-follower.ts';
import type { Following } from '../../../engine/follow/task-followers.ts';
import type { LogRecord, TaskEvent } from '../../../engine/log/events.ts';
import type { PushConfigRecord, TaskHead } from '../../../engine/ports.ts';
import { READ_LIMIT, recordsOf } from '../../../engine/read/records.ts';
import type { PushEvents } from '../../../model/extensions/push.ts';
import { endsTurn, isTerminal, type TaskState } from '../../../model/states.ts';
import { readBody } from '../config/webhook-config.ts';
import { isTold, Notice } from '../notice/notice.ts';
import type { NoticeTask, NoticeTexts } from '../notice/notice-texts.ts';
import { type Found, RecentNotices } from '../notice/recent-notices.ts';
import { isLive } from './delivery-state.ts';
import { type NoticeSource, type Slice, Webhook, type WebhookServices } from './webhook.ts';

export interface TaskWebhooksServices extends WebhookServices {
  readonly texts: NoticeTexts;
  /** Follows a task that other nodes may write, after a place of its log. */
  readonly follow: (following: FollowedTask) => Promise<Pick<TaskFollower, 'close'>>;
}

export type FollowedTask = Pick<Following, 'taskId' | 'after' | 'deal'>;

/** `resting`: its next commit wakes it. `over`: nothing more comes. */
export type Rest = 'resting' | 'over';

/** The position at which a webhook resumes: after `from`, else where it stopped, else at `since`. */
export interface RestartPlace {
  readonly from: number | undefined;
  readonly since: number;
}

const RETRY_DELAY = 1000;
/** More than any task has: creating them is bounded by `limits.pushConfigs`. */
const MOST_CONFIGS = 100_000;

/**
 * The webhooks of one task. The commits of the task are looked at once for all of them: a chunk costs the same however
 * many there are, and nothing where none is to be told of chunks.
 */
export class TaskWebhooks implements NoticeSource {
  readonly taskId: string;
  readonly #services: TaskWebhooksServices;
  readonly #onRest: (webhooks: TaskWebhooks, rest: Rest) => void;
  readonly #webhooks = new Map<string, Webhook>();
  /** Those that have been told everything: the next notice wakes them. */
  readonly #idle = new Set<Webhook>();
  /** Undefined until the configs are loaded. */
  #recent: RecentNotices | undefined;
  #head: NoticeTask | undefined;
  #state: TaskState = 'submitted';
  /** The last place of the log that was told of. */
  #seq = 0;
  #events: PushEvents = 'changes';
  #loading: Promise<void> = Promise.resolve();
  #loads = 0;
  #lastSlice: { readonly key: string; readonly slice: Promise<Slice> } | undefined;
  #stopTimer: (() => void) | undefined;
  /** Undefined where no other node can write the task. */
  #follower: Pick<TaskFollower, 'close'> | undefined;
  #isClosed = false;

  constructor(taskId: string, services: TaskWebhooksServices, onRest: (webhooks: TaskWebhooks, rest: Rest) => void) {
    this.taskId = taskId;
    this.#services = services;
    this.#onRest = onRest;
  }

  get agent(): string {
    return this.#head?.agent ?? '';
  }

  /** The webhooks as they are known here. */
  get all(): readonly Webhook[] {
    return [...this.#webhooks.values()];
  }

  /** Events of the task are committed. */
  told(records: readonly LogRecord[]): void {
    const last = records.at(-1)?.event;
    // On a store that nodes share, the commits of this node come twice.
    if (!last || last.seq <= this.#seq) return;
    for (const { event } of records) if (event.kind === 'status') this.#state = event.status.state;
    this.#seq = last.seq;
    if (!this.#recent?.add(records, this.#events)) return;
    for (const webhook of this.#idle) {
      this.#idle.delete(webhook);
      webhook.wake();
    }
  }

  /** Reads the configs from the store: those that are new begin, those that are gone or replaced end. */
  refresh(): Promise<void> {
    this.#loads += 1;
    this.#loading = this.#loading
      .then(() => this.#load())
      .then(() => {
        this.#loads -= 1;
        this.#checkRest();
      });
    return this.#loading;
  }

  /** Tells a webhook again; resolves with the place after which it does. */
  async restart(id: string, { from, since }: RestartPlace): Promise<number | undefined> {
    // Nothing is let go of meanwhile.
    this.#loads += 1;
    try {
      await this.refresh();
      const webhook = this.#webhooks.get(id);
      if (!webhook) return undefined;
      const { position } = webhook.state;
      const isPending = position < (this.#recent?.to ?? 0);
      const place = from ?? (isPending ? position : since);
      this.#idle.delete(webhook);
      webhook.restart(place);
      return place;
    } finally {
      this.#loads -= 1;
      this.#checkRest();
    }
  }

  /** Ends one webhook, until the configs are read again. */
  async stop(id: string): Promise<void> {
    await this.#loading;
    await this.#end(this.#webhooks.get(id));
  }

  webhook(id: string): Webhook | undefined {
    return this.#webhooks.get(id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer?.();
    await this.#loading;
    await this.#follower?.close();
    await Promise.all(this.all.map((webhook) => webhook.close()));
  }

  // For the webhooks

  snapshot(seq: number): Notice {
    return new Notice(seq, undefined, this.#write);
  }

  recent(position: number, events: PushEvents): Found {
    return this.#recent?.after(position, events) ?? { kind: 'none', to: position };
  }

  /** Webhooks that are equally far share what was read. */
  read(position: number, events: PushEvents): Promise<Slice> {
    const key = `${position} ${events}`;
    if (this.#lastSlice?.key !== key) this.#lastSlice = { key, slice: this.#read(position, events) };
    return this.#lastSlice.slice;
  }

  rested(webhook: Webhook): void {
    this.#lastSlice = undefined;
    if (this.#webhooks.get(webhook.record.id) !== webhook || webhook.isBusy) return;
    if (isLive(webhook.state)) this.#idle.add(webhook);
    this.#checkRest();
  }

  lost(webhook: Webhook): void {
    if (this.#webhooks.get(webhook.record.id) !== webhook) return;
    this.#webhooks.delete(webhook.record.id);
    this.#idle.delete(webhook);
    void webhook.close().finally(() => this.#checkRest());
  }

  readonly #write = async (notice: Notice, form: Webhook['form']): Promise<string | undefined> =>
    this.#head && this.#services.texts.write(this.#head, notice, form);

  async #read(position: number, events: PushEvents): Promise<Slice> {
    const read = await this.#services.store.read(this.taskId, position, READ_LIMIT);
    const notices = read
      .filter((event) => isTold(event, events))
      .map((event) => new Notice(event.seq, event, this.#write));
    return { notices, to: read.at(-1)?.seq ?? position };
  }

  async #load(): Promise<void> {
    if (this.#isClosed) return;
    const { store, log, clock } = this.#services;
    try {
      const head = await store.head(this.taskId);
      const records = head ? await this.#configs() : [];
      const kept = new Map(records.map((record) => [record.id, record]));
      for (const webhook of this.all) if (!isSame(webhook, kept.get(webhook.record.id))) await this.#end(webhook);
      if (!head || this.#isClosed) return;
      await this.#begin(head);
      for (const record of records) {
        if (this.#webhooks.has(record.id)) continue;
        const webhook = new Webhook(record, await store.cursor(this.taskId, record.id), this, this.#services);
        this.#webhooks.set(record.id, webhook);
        if (webhook.config.events === 'all') this.#events = 'all';
        webhook.wake();
      }
    } catch (error) {
      log.warn('The webhooks of a task could not be read; it is tried again', { taskId: this.taskId, error });
      this.#stopTimer?.();
      this.#stopTimer = clock.after(RETRY_DELAY, () => {
        this.#stopTimer = undefined;
        void this.refresh();
      });
    }
  }

  async #begin(head: TaskHead): Promise<void> {
    this.#head = head;
    if (this.#recent) return;
    if (head.seq >= this.#seq) this.#state = head.status.state;
    // Commits made while the store was read are in the log.
    const after = Math.max(head.seq, this.#seq);
    this.#recent = new RecentNotices(after, this.#write);
    const { store, follow } = this.#services;
    if (store.exclusive || isTerminal(this.#state)) return;
    const deal = (events: readonly TaskEvent[]): undefined => {
      this.told(recordsOf(events).records);
    };
    try {
      this.#follower = await follow({ taskId: this.taskId, after, deal });
    } catch (error) {
      // The next attempt begins anew, behind what was dealt with by then.
      this.#recent = undefined;
      throw error;
    }
  }

  async #configs(): Promise<readonly PushConfigRecord[]> {
    return this.#services.store.listPushConfigs({ taskId: this.taskId, limit: MOST_CONFIGS });
  }

  async #end(webhook: Webhook | undefined): Promise<void> {
    if (!webhook) return;
    this.#webhooks.delete(webhook.record.id);
    this.#idle.delete(webhook);
    await webhook.close();
  }

  /**
   * Lets go of everything once there is nothing to do until the next commit of another turn. While a task works, each
   * webhook that has been told something comes here, so that is found out without a look at the others.
   */
  #checkRest(): void {
    if (this.#loads > 0 || this.#isClosed || this.#stopTimer) return;
    const isOver = isTerminal(this.#state) || this.#webhooks.size === 0;
    // A task that other nodes may write is followed until it ends.
    if (!isOver && (this.#follower || !endsTurn(this.#state))) return;
    for (const { isBusy } of this.#webhooks.values()) if (isBusy) return;
    void this.#follower?.close();
    if (isOver) for (const webhook of this.#idle) webhook.finish(this.#recent?.to ?? 0);
    this.#onRest(this, isOver ? 'over' : 'resting');
  }
}

function isSame(webhook: Webhook, record: PushConfigRecord | undefined): boolean {
  return record !== undefined && readBody(record).revision === webhook.config.revision;
}
