import { A2AError } from '../model/errors.ts';
import { isTerminal, type TaskState } from '../model/states.ts';
import type { Feeds } from './feeds.ts';
import { limitHistory } from './history.ts';
import type { Store } from './ports.ts';
import type { SendCall, SentToTask } from './sends.ts';
import { Subscription, type SubscriptionOptions } from './subscribe.ts';
import type { Scope, Tasks } from './tasks.ts';

/** Where a subscription starts, and the last committed seq at that moment. */
type Place = Pick<SubscriptionOptions, 'contextId' | 'after' | 'snapshot' | 'replayTo'> & { readonly latest: number };

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
    const { taskId, contextId, feed, messageSeq, isAnswered, release } = sent;
    const { task, seq } = sent.snapshot();
    const isOver = isAnswered && (!staysOpen || isTerminal(task.status.state));
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
   * The task now and then what happens to it, or with `after` exactly the events after that seq. A seq that the log
   * does not have counts as none, but then the task comes first even if it has ended; NaN is such a seq.
   */
  async subscribe(scope: Scope, taskId: string, after: number | undefined): Promise<Subscription> {
    const feed = this.#feeds.acquire(taskId);
    const release = () => this.#feeds.release(taskId, feed);
    try {
      const { latest, ...place } = await this.#place(scope, taskId, after);
      feed.advance(latest);
      return this.#add({ taskId, feed, store: this.#store, release, ...place });
    } catch (error) {
      release();
      throw error;
    }
  }

  async #place(scope: Scope, taskId: string, after: number | undefined): Promise<Place> {
    const { contextId, seq, state } = await this.#whereabouts(scope, taskId);
    const ended = isTerminal(state);
    const resumes = after !== undefined && Number.isSafeInteger(after) && after >= 0 && after <= seq;
    if (ended && (after === undefined || (resumes && after === seq))) {
      const metadata = { taskId, state, ...(resumes ? { position: 'end' } : {}) };
      throw new A2AError('UNSUPPORTED_OPERATION', `The task is already ${state}: get it instead`, { metadata });
    }
    if (resumes) return { contextId, after, replayTo: ended ? seq : undefined, latest: seq };
    const snapshot = await this.#tasks.snapshot(taskId, scope);
    const replayTo = isTerminal(snapshot.task.status.state) ? snapshot.seq : undefined;
    return { contextId, after: snapshot.seq, snapshot, replayTo, latest: snapshot.seq };
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
