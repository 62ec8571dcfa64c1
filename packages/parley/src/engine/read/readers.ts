import { A2AError, taskNotFound } from '../../model/errors/errors.ts';
import type { GapKind } from '../../model/extensions/resume.ts';
import { isTerminal } from '../../model/states.ts';
import type { LogBatch } from '../log/events.ts';
import type { Clock, Store, TaskHead } from '../ports.ts';
import type { SendCall, SentToTask } from '../send/sends.ts';
import type { Scope } from '../task/scope.ts';
import type { Tasks } from '../task/tasks.ts';
import type { Feed } from './feed.ts';
import type { Feeds } from './feeds.ts';
import { limitHistory } from './history.ts';
import { afterOf, type ReadFrom } from './read-from.ts';
import { isNextAfter } from './records.ts';
import { Replays } from './replays.ts';
import { Subscription, type SubscriptionOptions } from './subscription.ts';

/** The start of a subscription. */
type Start = Pick<SubscriptionOptions, 'contextId' | 'after' | 'snapshot' | 'caughtUp' | 'gap' | 'replayTo'>;

/** A task as it stands in its log. */
type Whereabouts = Pick<TaskHead, 'contextId' | 'seq' | 'status' | 'consumed'>;

/** The subscriptions of this node. */
export class Readers {
  readonly #open = new Set<Subscription>();
  readonly #tasks: Tasks;
  readonly #feeds: Feeds;
  readonly #replays: Replays;

  constructor(tasks: Tasks, feeds: Feeds, store: Pick<Store, 'read'>, clock: Pick<Clock, 'nextTurn' | 'after'>) {
    this.#tasks = tasks;
    this.#feeds = feeds;
    this.#replays = new Replays(store, clock);
  }

  get count(): number {
    return this.#open.size;
  }

  /** Ends all of them; each can be resumed elsewhere. */
  async close(): Promise<void> {
    for (const subscription of [...this.#open]) await subscription.return();
  }

  /** Opens the stream of a send: the task right after the message, then the turn. */
  readSend(
    sent: SentToTask,
    { input: { historyLength }, staysOpen }: Pick<SendCall, 'input' | 'staysOpen'>,
  ): Subscription {
    const { taskId, contextId, feed, messageSeq, isTurnOver, release } = sent;
    const { task, seq } = sent.snapshot();
    const isOver = isTurnOver && (!staysOpen || isTerminal(task.status.state));
    return this.#add({
      taskId,
      contextId,
      feed,
      replays: this.#replays,
      after: seq,
      snapshot: { task: limitHistory(task, historyLength), seq },
      replayTo: isOver ? seq : undefined,
      turnOf: staysOpen ? undefined : messageSeq,
      release,
    });
  }

  /**
   * Opens a subscription. Where the log does not have the events that are asked for, the task comes first, even if it
   * has ended, and the subscription's `gap` says why.
   */
  async subscribe(scope: Scope, taskId: string, from: ReadFrom): Promise<Subscription> {
    const feed = this.#feeds.acquire(taskId);
    const release = () => this.#feeds.release(taskId, feed);
    try {
      const start = await this.#start(scope, taskId, feed, from);
      return this.#add({ taskId, feed, replays: this.#replays, release, ...start });
    } catch (error) {
      release();
      throw error;
    }
  }

  async #start(scope: Scope, taskId: string, feed: Feed, from: ReadFrom): Promise<Start> {
    const whereabouts = await this.#whereabouts(scope, taskId, afterOf(from) ?? 0);
    const { contextId, seq, status } = whereabouts;
    refuseEnded(taskId, whereabouts, from);
    feed.advance(whereabouts);
    if (typeof from === 'object' && 'after' in from && from.after <= seq) {
      const after = from.fromStart ? 0 : from.after;
      const kept = await this.#kept(taskId, feed, after);
      if (kept) return { contextId, after, caughtUp: kept.read, replayTo: isTerminal(status.state) ? seq : undefined };
    }
    const snapshot = await this.#tasks.snapshot(taskId, scope);
    feed.advance({ seq: snapshot.seq, status: snapshot.task.status });
    const replayTo = isTerminal(snapshot.task.status.state) ? snapshot.seq : undefined;
    return { contextId, after: snapshot.seq, snapshot, gap: gapOf(from, seq), replayTo };
  }

  /** Resolves with undefined if events after a seq are no longer kept; `read` is what had to be read to know it. */
  async #kept(taskId: string, feed: Feed, after: number): Promise<{ readonly read: LogBatch | undefined } | undefined> {
    if (feed.after(after)) return { read: undefined };
    const read = await this.#replays.read(taskId, after);
    if (read.records.length === 0) throw taskNotFound(taskId);
    return isNextAfter(read.records, after) ? { read } : undefined;
  }

  async #whereabouts(scope: Scope, taskId: string, after: number): Promise<Whereabouts> {
    const actor = this.#tasks.readableOf(taskId, scope);
    // Another node may have shown what a commit of this one has written, before this one hears of it: the store knows.
    if (!actor || actor.log.committedSeq < after) return this.#tasks.headOf(taskId, scope);
    const { committedSeq: seq, committedStatus: status, committedConsumed: consumed } = actor.log;
    return { contextId: actor.contextId, seq, status, consumed };
  }

  #add(options: SubscriptionOptions): Subscription {
    const subscription = new Subscription({
      ...options,
      release: () => {
        this.#open.delete(subscription);
        if (this.#open.size === 0) this.#replays.forget();
        options.release();
      },
    });
    this.#open.add(subscription);
    return subscription;
  }
}

/** A task that has ended has nothing to bring to a reader that knows all of it, or wants to see what happens now. */
function refuseEnded(taskId: string, { seq, status: { state } }: Whereabouts, from: ReadFrom): void {
  const isAtEnd = afterOf(from) === seq;
  if (!isTerminal(state) || !(isAtEnd || from === 'now')) return;
  const metadata = { taskId, state, ...(isAtEnd && { position: 'end' }) };
  throw new A2AError('UNSUPPORTED_OPERATION', `The task is already ${state}: get it instead`, { metadata });
}

/** The reason why a reader is shown the task instead of the events that it asked for. */
function gapOf(from: ReadFrom, seq: number): GapKind | undefined {
  if (typeof from === 'string') return undefined;
  if ('gap' in from) return from.gap;
  return from.after > seq ? 'ahead' : 'too-old';
}
