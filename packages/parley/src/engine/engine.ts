import { type IdSource, uuidv7Source } from '../model/basics/uuid.ts';
import { taskNotFound } from '../model/errors/errors.ts';
import type { CancelTaskInput, GetTaskInput, ListedTasks, ListTasksInput } from '../model/operations.ts';
import type { Message, Task } from '../model/task.ts';
import { shareContext } from './context/context-sharing.ts';
import { Conversations } from './context/conversations.ts';
import { OperatorWork } from './copy/operator-work.ts';
import type { EngineOptions } from './engine-options.ts';
import { type CommitFollower, CommitFollowers, noticesOf } from './follow/commit-followers.ts';
import type { TaskFollower } from './follow/task-follower.ts';
import { type Following, TaskFollowers } from './follow/task-followers.ts';
import { type EngineLimits, resolveEngineLimits } from './limits.ts';
import { Committer } from './log/committer.ts';
import { closedError } from './log/refusals.ts';
import { systemClock } from './node/clock.ts';
import { Drain } from './node/drain.ts';
import { Membership } from './node/membership.ts';
import { Purges } from './node/purges.ts';
import { Remote } from './node/remote.ts';
import { resolveEngineRetention } from './node/retention.ts';
import { Upkeep } from './node/upkeep.ts';
import { within } from './node/within.ts';
import type { Awaitable, Clock, Owner, PurgeQuery, Store, TaskHead } from './ports.ts';
import { type NodeRole, nodeName } from './queue/node-role.ts';
import { type TurnQueue, turnQueueOf } from './queue/turn-queue.ts';
import { Feeds } from './read/feeds.ts';
import { limitHistory } from './read/history.ts';
import type { Client } from './read/large-tasks.ts';
import type { ReadFrom } from './read/read-from.ts';
import { Readers } from './read/readers.ts';
import type { Subscription } from './read/subscription.ts';
import { readTaskPage } from './read/task-pages.ts';
import { cancelTask } from './send/cancels.ts';
import { Keys } from './send/idempotency-keys.ts';
import { type SendCall, Sends } from './send/sends.ts';
import type { Scope } from './task/scope.ts';
import { Tasks } from './task/tasks.ts';
import { RunSlots } from './turn/run-slots.ts';
import type { MessageDraft } from './turn/runner.ts';

/** The response to a streaming send: one message, or a stream of events. */
type StreamedSend =
  | { readonly kind: 'reply'; readonly message: Message }
  | { readonly kind: 'stream'; readonly subscription: Subscription };

/** The task log and everything that lives on it. Knows the model and the ports, nothing of HTTP or dialects. */
export class Engine {
  /** The part in the queue that nodes share. Undefined where no other node could begin what waits here. */
  readonly queue: TurnQueue | undefined;
  readonly operators: OperatorWork;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #limits: EngineLimits;
  readonly #newId: IdSource;
  #name: string | undefined;
  readonly #role: NodeRole;
  readonly #committer: Committer;
  readonly #slots: RunSlots;

  readonly #feeds: Feeds;
  readonly #tasks: Tasks;
  readonly #remote: Remote;
  readonly #sends: Sends;
  readonly #readers: Readers;
  readonly #purges: Purges;
  readonly #upkeep: Upkeep;
  /** This node among those that share its store, and the store as it meets it. */
  readonly membership: Membership;
  readonly #followers: CommitFollowers;
  readonly #taskFollowers: TaskFollowers;
  readonly #drain: Drain;
  #closed = false;

  constructor(options: EngineOptions) {
    const clock = options.clock ?? systemClock;
    const newId = options.newId ?? uuidv7Source(() => clock.now());
    const { bus, log } = options;
    const limits = resolveEngineLimits(options.limits);
    const retention = resolveEngineRetention(options.retention);
    this.#clock = clock;
    this.#limits = limits;
    const node = () => this.node;
    this.membership = new Membership({
      store: options.store,
      bus,
      clock,
      limits,
      log,
      node,
      reclaim: () => this.#tasks.reclaim(),
      // Streams and waits can be taken up at another node.
      cut: () => {
        this.#feeds.stopWaits();
        void this.#readers.close();
      },
    });
    const { store, tenure } = this.membership;
    this.#store = store;
    this.#drain = new Drain({ clock, timeout: options.drainTimeout, live: () => this.#tasks.live });
    this.#newId = newId;
    this.#role = options.role ?? 'all';
    this.#followers = new CommitFollowers(log);
    const commit: Store['commit'] = options.commit ?? ((entries) => store.commit(entries));
    this.#committer = new Committer({ ...this.membership.attempts(commit), clock, log, followers: this.#followers });
    this.#slots = new RunSlots(limits.runs);
    const place = { slots: this.#slots, tasks: () => this.#tasks, node, clock, limits, tenure };
    this.queue = turnQueueOf({ ...options, store }, place);
    const onFollowed = (time: number) => this.queue?.onFollowed?.(time);
    this.#feeds = new Feeds({ node, store, bus, clock, log, onFollowed, ...limits });
    this.#followers.add(this.#feeds.follow);
    // No other node reads an exclusive store or needs to be told.
    if (!store.exclusive) this.#followers.add((commits) => bus.publish(node(), noticesOf(commits)));
    this.#tasks = new Tasks({
      store,
      feeds: this.#feeds,
      node,
      runners: new Map(options.runners.map((runner) => [runner.name, runner])),
      services: {
        clock,
        limits,
        logger: log,
        committer: this.#committer,
        conversations: new Conversations(store, clock, { ...retention, ...limits }),
        slots: this.#slots,
        queue: this.queue,
        newId,
        vault: options.vault,
        tenure,
      },
      statusMessage: options.statusMessage ?? 'agent',
      onLost: (taskId) => this.#upkeep.noteLost(taskId),
    });
    this.#purges = new Purges({ store, tasks: this.#tasks, clock, log, retention });
    const duties = { tasks: this.#tasks, purges: this.#purges };
    this.#upkeep = new Upkeep({ ...duties, store, clock, limits, log, node, tenure });
    if (this.#role === 'front') this.#upkeep.takeNothing();
    this.#taskFollowers = new TaskFollowers({ store, feeds: this.#feeds, clock, log, node });
    this.#readers = new Readers(this.#tasks, this.#feeds, store, clock);
    this.#remote = new Remote({ bus, tasks: this.#tasks, clock, limits });
    const writing = { store, tasks: this.#tasks, commit, clock, newId, node, retention };
    this.operators = new OperatorWork({ ...options, ...writing, send: (call) => this.send(call) });
    const keys = new Keys(store, clock, retention.keys);
    this.#sends = new Sends({
      tasks: this.#tasks,
      feeds: this.#feeds,
      keys,
      store,
      remote: this.#remote,
      clock,
      newId,
    });
  }

  /** Opens the store and takes up or ends what a dead process left running. After a failure it may be tried again. */
  async open(): Promise<void> {
    if (this.#closed) throw closedError();
    await this.#store.open();
    try {
      await this.membership.join((command) => this.#remote.handle(command));
      await this.#upkeep.start();
      await this.queue?.start();
    } catch (error) {
      await this.membership.leave();
      await this.#store.close();
      throw error;
    }
  }

  /** Resolves when no run is left, or when those that are left have had their time. Holding back new work is up to the caller. */
  drain(): Promise<void> {
    this.#upkeep.takeNothing();
    this.queue?.close();
    return this.#drain.start();
  }

  /** Milliseconds that runs have left; undefined while the engine is not draining. */
  get drainLeft(): number | undefined {
    return this.#drain.left;
  }

  /** Drains, ends runs and streams, then what `beforeStore` ends within `patience` milliseconds, then closes the store. */
  async close(beforeStore?: (patience: number) => Promise<void>): Promise<void> {
    await this.drain();
    if (this.#closed) return;
    this.#closed = true;
    this.#upkeep.stop();
    this.queue?.stop();
    for (const actor of [...this.#tasks.live]) {
      if (actor.isAsking) actor.leaveQuestion();
      else if (actor.isRunning) actor.handOver();
    }
    const stopWaiting = this.#clock.after(this.#limits.storeTimeout, () => this.#committer.stop());
    await this.#committer.drained();
    stopWaiting();
    this.#feeds.stopWaits();
    const { patience } = this.#drain;
    await within(this.#clock, patience + this.#limits.storeTimeout, beforeStore?.(patience));
    await within(this.#clock, patience, this.#purges.close());
    await this.#readers.close();
    await within(this.#clock, patience, this.#taskFollowers.close());
    this.#feeds.close();
    this.#tasks.close();
    await this.membership.leave();
    await this.#store.close();
  }

  /** The name of this node among others. Chosen when it is needed: Workers have no randomness before the first request. */
  get node(): string {
    this.#name ??= nodeName(this.#role, this.#newId());
    return this.#name;
  }

  /** Counts of what is held in memory, for operators and tests. */
  get load(): { readonly tasks: number; readonly feeds: number; readonly subscriptions: number } {
    return { tasks: this.#tasks.liveCount, feeds: this.#feeds.size, subscriptions: this.#readers.count };
  }

  /** Counts of what waits: runs for their slots, and tasks for their commit. */
  get queues(): { readonly runsWaiting: number; readonly commitsWaiting: number } {
    return { runsWaiting: this.#slots.waiting, commitsWaiting: this.#committer.waiting };
  }

  /** See Committer. */
  get isStoreFailing(): boolean {
    return this.#committer.isFailing;
  }

  /** Blocks until the turn has ended, unless the caller wants the task at once or the request timeout is reached. */
  async send(call: SendCall): Promise<Task | Message> {
    if (this.#closed) throw closedError();
    const sent = await this.#sends.send(call, false);
    if (sent.kind === 'reply') return sent.message;
    const blocks = !call.input.returnImmediately && !sent.isTurnOver;
    // The client may wait for too long, or leave; the task goes on in either case.
    const limit = call.call?.traffic?.requestTimeout ?? this.#limits.requestTimeout;
    const stopTimer = blocks ? this.#clock.after(limit, sent.giveUp) : undefined;
    const stopListening = blocks ? call.call?.onAbort(sent.giveUp) : undefined;
    try {
      const ended = blocks ? await sent.turnEnd : undefined;
      return limitHistory(ended ?? (await sent.current()), call.input.historyLength);
    } finally {
      stopTimer?.();
      stopListening?.();
      sent.release();
    }
  }

  /** The same, as a stream that ends with the turn. Rejects with what is wrong before the first event. */
  async sendStreaming(call: SendCall): Promise<StreamedSend> {
    if (this.#closed) throw closedError();
    const sent = await this.#sends.send(call, true);
    if (sent.kind === 'reply') return sent;
    return { kind: 'stream', subscription: this.#readers.readSend(sent, call) };
  }

  /** The head of a task that this scope may see. */
  head(scope: Scope, taskId: string): Promise<TaskHead> {
    return this.#tasks.headOf(taskId, scope);
  }

  /** At once for a task that has ended and is held here. `client`: who asks, where that may leave before its turn comes. */
  get(scope: Scope, { id, historyLength }: Omit<GetTaskInput, 'tenant'>, client?: Client): Awaitable<Task> {
    const ended = this.#tasks.endedTask(id, scope);
    if (ended) return limitHistory(ended, historyLength);
    return this.#tasks.snapshot(id, scope, client).then(({ task }) => limitHistory(task, historyLength));
  }

  async list(scope: Scope, input: Omit<ListTasksInput, 'tenant'>): Promise<ListedTasks> {
    const { pageBytes } = this.#limits;
    return readTaskPage({ store: this.#store, fold: (stored) => this.#tasks.fold(stored), pageBytes }, scope, input);
  }

  async cancel(
    scope: Scope,
    { id, reason }: Pick<CancelTaskInput, 'id' | 'reason'>,
    said?: MessageDraft,
  ): Promise<Task> {
    const why =
      said ?? (reason ? { parts: [{ kind: 'text' as const, text: reason }], metadata: { reason } } : undefined);
    return cancelTask({ tasks: this.#tasks, remote: this.#remote }, scope, id, why);
  }

  /** Ends a task of any owner: for operators. */
  async cancelAny(taskId: string, why?: MessageDraft): Promise<Task> {
    const head = await this.#anyHead(taskId);
    return this.cancel({ agent: head.agent, owner: head.owner }, { id: taskId }, why);
  }

  /** Lets other subjects of the tenant use a context of this owner. */
  async shareContext(owner: Owner, contextId: string, subjects: readonly string[]): Promise<void> {
    if (this.#closed) throw closedError();
    await shareContext(this.#store, owner, contextId, subjects);
  }

  async #anyHead(taskId: string): Promise<TaskHead> {
    if (this.#closed) throw closedError();
    const head = await this.#store.head(taskId);
    if (!head) throw taskNotFound(taskId);
    return head;
  }

  /** Opens a reader of the task. */
  async subscribe(scope: Scope, taskId: string, from: ReadFrom = 'now'): Promise<Subscription> {
    if (this.#closed) throw closedError();
    return this.#readers.subscribe(scope, taskId, from);
  }

  /**
   * Deals with a task's events, in order and at least once, on whichever node they are written. Resolves once it follows;
   * with a name, the position is stored, and of the nodes that follow under it one does so at a time.
   */
  async follow(following: Following): Promise<TaskFollower> {
    if (this.#closed) throw closedError();
    return this.#taskFollowers.follow(following);
  }

  /** Tells of the commits of this node, after the readers of their tasks. Returns a function that ends it. */
  followCommits(follower: CommitFollower): () => void {
    return this.#followers.add(follower);
  }

  /** Removes tasks that have ended; resolves with their number. */
  async purge(query: Omit<PurgeQuery, 'limit'>): Promise<number> {
    if (this.#closed) throw closedError();
    return this.#purges.purge(query);
  }
}
