import type { Tenure } from '../../../engine/node/tenure.ts';
import type { Clock, CursorRecord, Logger, PushConfigRecord, Store } from '../../../engine/ports.ts';
import { readBody, type StoredConfig } from '../config/webhook-config.ts';
import type { Notice } from '../notice/notice.ts';
import type { NoticeForm } from '../notice/notice-form.ts';
import type { Found } from '../notice/recent-notices.ts';
import type { PushRetry } from '../settings.ts';
import { CursorKeeper } from './cursor-keeper.ts';
import { type DeliveryState, isLive, stateOf } from './delivery-state.ts';
import { stateAfterFailure } from './retries.ts';
import type { Sender } from './sender.ts';
import type { Verdict } from './verdict.ts';

/** The notices of a part of the log, and the last place of it. */
export interface Slice {
  readonly notices: readonly Notice[];
  readonly to: number;
}

/** The task of a webhook, as the webhook sees it. */
export interface NoticeSource {
  readonly agent: string;
  /** The task as it was at a place of its log. */
  snapshot(seq: number): Notice;
  /** The events after a position that are held in memory. */
  recent(position: number, events: StoredConfig['events']): Found;
  /** The events after a position that the log has. */
  read(position: number, events: StoredConfig['events']): Promise<Slice>;
  /** There is nothing to do for the webhook now. */
  rested(webhook: Webhook): void;
  /** Another node tells the webhook, or its config is another one by now. */
  lost(webhook: Webhook): void;
}

export interface WebhookServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly node: () => string;
  /** Tells whether this node may act for itself, or others may have taken over from it. */
  readonly tenure: Pick<Tenure, 'isGood' | 'renewed'>;
  readonly sender: Sender;
  readonly retry: PushRetry;
  readonly formOf: (dialect: string, events: StoredConfig['events']) => NoticeForm;
  /** 0 to 1. Replaced in tests. */
  readonly random: () => number;
}

/** Milliseconds until a retry after a failure that is not the webhook's, such as one of the store. */
const OWN_FAILURE_DELAY = 1000;

/**
 * One webhook: it is told one notice after the other, in their order and at least once, however often that fails. While it
 * waits for the next try, or has been told everything, it holds nothing but its state.
 */
export class Webhook {
  readonly record: PushConfigRecord;
  readonly config: StoredConfig;
  readonly form: NoticeForm;
  readonly #source: NoticeSource;
  readonly #services: WebhookServices;
  readonly #keeper: CursorKeeper;
  readonly #abort = new AbortController();
  #state: DeliveryState;
  #saved: number;
  /** Notices that were read from the log and not told yet. */
  #ahead: readonly Notice[] = [];
  #isWoken = false;
  /** Counted up at each restart: an attempt of before says nothing about later ones. */
  #beginning = 0;
  #work: Promise<void> | undefined;
  #stopTimer: (() => void) | undefined;

  constructor(
    record: PushConfigRecord,
    cursor: CursorRecord | undefined,
    source: NoticeSource,
    services: WebhookServices,
  ) {
    this.record = record;
    this.config = readBody(record);
    this.form = services.formOf(record.dialect, this.config.events);
    this.#source = source;
    this.#services = services;
    this.#state = stateOf(record, cursor);
    this.#saved = this.#state.position;
    const { taskId, id } = record;
    this.#keeper = new CursorKeeper({
      ...services,
      record,
      revision: this.config.revision,
      cursor,
      onLost: () => source.lost(this),
      onError: (error) => services.log.warn('The position of a webhook could not be stored', { taskId, id, error }),
    });
    // That of a config which this one replaced says nothing any more.
    if (cursor && cursor.details?.revision !== this.config.revision) this.#keeper.save(this.#state);
  }

  get state(): DeliveryState {
    return this.#state;
  }

  get agent(): string {
    return this.#source.agent;
  }

  /** It works, or waits for its next try. */
  get isBusy(): boolean {
    return this.#work !== undefined || this.#stopTimer !== undefined;
  }

  /** There may be something to tell. */
  wake(): void {
    this.#isWoken = true;
    if (this.isBusy || this.#abort.signal.aborted || !isLive(this.#state)) return;
    const wait = (this.#state.nextTry ?? 0) - this.#services.clock.now();
    if (wait > 0) {
      this.#wait(wait);
      return;
    }
    this.#work = this.#deliver().finally(() => {
      this.#work = undefined;
      if (this.#isWoken && !this.#stopTimer) this.wake();
      else this.#source.rested(this);
    });
  }

  /** Goes back to a position, or on from where it stopped, without waiting for the next try. */
  restart(position: number = this.#state.position): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#ahead = [];
    this.#beginning += 1;
    this.#state = { position, standing: 'active', failures: 0, lastTry: this.#state.lastTry };
    this.#keeper.save(this.#state);
    this.wake();
  }

  /** The task has ended and everything is told: nothing more comes up to this place. */
  finish(position: number): void {
    if (!isLive(this.#state) || position <= this.#saved) return;
    this.#move(position);
  }

  /** Begins no further request, ends the one that is under way, and leaves the webhook to other nodes. */
  async close(): Promise<void> {
    this.#abort.abort();
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    await this.#work;
    try {
      await this.#keeper.release(this.#state);
    } catch (error) {
      const { taskId, id } = this.record;
      this.#services.log.warn('A webhook could not be left to other nodes; they wait for its lease', {
        taskId,
        id,
        error,
      });
    }
  }

  /** Resolves when no request is under way. */
  async settled(): Promise<void> {
    await this.#work;
    await this.#keeper.settled();
  }

  async #deliver(): Promise<void> {
    const { log } = this.#services;
    const { taskId, id } = this.record;
    try {
      while (this.#isWoken) {
        this.#isWoken = false;
        while (await this.#step());
      }
    } catch (error) {
      log.warn('A webhook could not be told of its events; it is tried again', { taskId, id, error });
      this.#ahead = [];
      this.#wait(OWN_FAILURE_DELAY);
    }
  }

  /** Tells the next notice. Returns false if there is none, or it has to wait. */
  async #step(): Promise<boolean> {
    const { signal } = this.#abort;
    if (signal.aborted || this.#stopTimer || !isLive(this.#state)) return false;
    const notice = await this.#next();
    if (!notice || signal.aborted || !(await this.#mayTell())) return false;
    const beginning = this.#beginning;
    const verdict = await this.#services.sender.send(this, notice, signal);
    if (beginning !== this.#beginning) return true;
    return !signal.aborted && this.#judge(notice, verdict);
  }

  async #next(): Promise<Notice | undefined> {
    const { snapshotAt, events } = this.config;
    for (;;) {
      const { position } = this.#state;
      if (snapshotAt !== undefined && position < snapshotAt) return this.#source.snapshot(snapshotAt);
      const ahead = this.#ahead.find(({ seq }) => seq > position);
      if (ahead) return ahead;
      const found = this.#source.recent(position, events);
      if (found.kind === 'notice') return found.notice;
      if (found.kind === 'none') return undefined;
      const { notices, to } = await this.#source.read(position, events);
      this.#ahead = notices;
      if (to <= position) return undefined;
      if (notices.length === 0) this.#state = { ...this.#state, position: to };
    }
  }

  /** Other nodes may have replaced or removed the config, or tell the webhook themselves. */
  async #mayTell(): Promise<boolean> {
    const { store, tenure } = this.#services;
    if (store.exclusive) return true;
    if (!tenure.isGood && !(await this.#renewed())) return false;
    const record = await store.pushConfig(this.record.taskId, this.record.id);
    const isSame = record !== undefined && readBody(record).revision === this.config.revision;
    if (isSame && (await this.#keeper.take(this.#state))) return true;
    this.#source.lost(this);
    return false;
  }

  /** Waits until this node may act for itself again. Returns false where the webhook is closed before. */
  async #renewed(): Promise<boolean> {
    const { signal } = this.#abort;
    const closed = Promise.withResolvers<void>();
    const stop = () => closed.resolve();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([this.#services.tenure.renewed(), closed.promise]);
    signal.removeEventListener('abort', stop);
    return !signal.aborted;
  }

  /** Notes what came of an attempt. Returns true if the next notice may follow. */
  #judge({ seq }: Notice, verdict: Verdict): boolean {
    const { clock, log, retry, random } = this.#services;
    const { taskId, id } = this.record;
    const now = clock.now();
    if (verdict.kind === 'delivered' || verdict.kind === 'skipped') {
      this.#state = { position: seq, standing: 'active', failures: 0, lastTry: now };
      this.#move(seq);
      return true;
    }
    this.#ahead = [];
    if (verdict.kind === 'disabled') {
      const position = verdict.isDelivered ? seq : this.#state.position;
      this.#state = {
        ...this.#state,
        position,
        standing: 'disabled',
        lastTry: now,
        lastError: verdict.why,
        nextTry: undefined,
      };
      log.warn('A webhook is disabled: its receiver wants no more', { taskId, id, why: verdict.why });
    } else {
      const before = this.#state.standing;
      this.#state = stateAfterFailure(this.#state, verdict, retry, now, random());
      const { standing, failures, nextTry } = this.#state;
      const next = nextTry === undefined ? undefined : new Date(nextTry).toISOString();
      const told = { taskId, id, seq, failures, why: verdict.why, ...(next && { next }) };
      if (standing !== before) log.warn(CHANGES[standing], told);
      else if (failures === 1) log.warn('A webhook failed; it is tried again', told);
      if (nextTry !== undefined) this.#wait(nextTry - now);
    }
    this.#keeper.save(this.#state);
    return false;
  }

  #move(position: number): void {
    this.#state = { ...this.#state, position };
    this.#saved = position;
    this.#keeper.save(this.#state);
  }

  #wait(delay: number): void {
    if (this.#abort.signal.aborted) return;
    this.#isWoken = true;
    this.#stopTimer = this.#services.clock.after(delay, () => {
      this.#stopTimer = undefined;
      this.wake();
    });
  }
}

const CHANGES: Readonly<Record<DeliveryState['standing'], string>> = {
  active: 'A webhook failed; it is tried again',
  paused: 'A webhook has failed so often that it is paused; it is tried rarely',
  ended: 'A webhook has failed for so long that it is given up',
  disabled: 'A webhook is disabled',
};
