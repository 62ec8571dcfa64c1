import { A2AError, taskNotFound } from '../../model/errors.ts';
import { isTerminal, type TaskState } from '../../model/states.ts';
import type { LogBatch } from '../log/events.ts';
import type { Store } from '../ports.ts';
import type { SendCall, SentToTask } from '../task/sends.ts';
import type { Scope, Tasks } from '../task/tasks.ts';
import type { Feed } from './feed.ts';
import type { Feeds } from './feeds.ts';
import { limitHistory } from './history.ts';
import { follows, READ_LIMIT, recordsOf, Subscription, type SubscriptionOptions } from './subscription.ts';

/** Where a subscription starts. */
type Place = Pick<SubscriptionOptions, 'contextId' | 'after' | 'snapshot' | 'caughtUp' | 'gap' | 'replayTo'>;

/** Where a reader wants to begin. */
export interface ReadFrom {
  /** Exactly the events after this seq, 0 or more. Without it the task comes first. */
  readonly after?: number | undefined;
  /** A task that has ended is shown, too, instead of refused. */
  readonly alsoEnded?: boolean | undefined;
  /** A reader that resumes gets the events up to `after` as well, for it cannot read the others without them. */
  readonly fromStart?: boolean | undefined;
}

/** The subscriptions of this node, and where each one starts. */
export class Readers {
  readonly #open = new Set<Subscription>();
  readonly #tasks: Tasks;
  readonly #feeds: Feeds;
  readonly #store: Store;

  constructor(tasks: Tasks, feeds: Feeds, store: Store) {
    this.#tasks = tasks;
    this.#feeds = feeds;
    this.#store = store;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Ends all of them; each can be resumed elsewhere. */
  async close(): Promise<void> {
    for (const subscription of [...this.#open]) await subscription.return();
  }

  /** The stream of a send: the task right after the message, then the turn. */
  ofSend(
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
      store: this.#store,
      after: seq,
      snapshot: { task: limitHistory(task, historyLength), seq },
      replayTo: isOver ? seq : undefined,
      turnOf: staysOpen ? undefined : messageSeq,
      release,
    });
  }

  /**
   * The task now and then what happens to it, or with `after` exactly the events after that seq. Where the log does not
   * have those, the task comes first, even if it has ended, and the subscription's `gap` says why.
   */
  async subscribe(scope: Scope, taskId: string, from: ReadFrom): Promise<Subscription> {
    const feed = this.#feeds.acquire(taskId);
    const release = () => this.#feeds.release(taskId, feed);
    try {
      const place = await this.#place(scope, taskId, feed, from);
      return this.#add({ taskId, feed, store: this.#store, release, ...place });
    } catch (error) {
      release();
      throw error;
    }
  }

  async #place(scope: Scope, taskId: string, feed: Feed, from: ReadFrom): Promise<Place> {
    const { after, alsoEnded, fromStart } = from;
    const { contextId, seq, state } = await this.#whereabouts(scope, taskId);
    const ended = isTerminal(state);
    if (ended && (after === seq || (after === undefined && !alsoEnded))) {
      const metadata = { taskId, state, ...(after === seq && { position: 'end' }) };
      throw new A2AError('UNSUPPORTED_OPERATION', `The task is already ${state}: get it instead`, { metadata });
    }
    feed.advance(seq);
    const start = fromStart ? 0 : after;
    const kept = after === undefined || after > seq ? undefined : await this.#kept(taskId, feed, start ?? after);
    if (start !== undefined && kept) {
      return { contextId, after: start, caughtUp: kept.read, replayTo: ended ? seq : undefined };
    }
    const snapshot = await this.#tasks.snapshot(taskId, scope);
    feed.advance(snapshot.seq);
    const replayTo = isTerminal(snapshot.task.status.state) ? snapshot.seq : undefined;
    const gap = after === undefined ? undefined : after > seq ? 'ahead' : 'too-old';
    return { contextId, after: snapshot.seq, snapshot, gap, replayTo };
  }

  /** Whether all events after a seq can still be had; `read` is what had to be read to know it. */
  async #kept(taskId: string, feed: Feed, after: number): Promise<{ readonly read: LogBatch | undefined } | undefined> {
    if (feed.after(after)) return { read: undefined };
    const events = await this.#store.read(taskId, after, READ_LIMIT);
    if (events.length === 0) throw taskNotFound(taskId);
    return follows(events, after) ? { read: recordsOf(events) } : undefined;
  }

  async #whereabouts(
    scope: Scope,
    taskId: string,
  ): Promise<{ readonly contextId: string; readonly seq: number; readonly state: TaskState }> {
    const actor = this.#tasks.actorOf(taskId, scope);
    if (!actor) {
      const { contextId, seq, status } = await this.#tasks.headOf(taskId, scope);
      return { contextId, seq, state: status.state };
    }
    const { committedSeq: seq, committedStatus } = actor.log;
    return { contextId: actor.contextId, seq, state: committedStatus.state };
  }

  #add(options: SubscriptionOptions): Subscription {
    const subscription = new Subscription({
      ...options,
      release: () => {
        this.#open.delete(subscription);
        options.release();
      },
    });
    this.#open.add(subscription);
    return subscription;
  }
}
