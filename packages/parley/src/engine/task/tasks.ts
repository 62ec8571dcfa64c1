import { LiveMap } from '../../model/basics/live-map.ts';
import { taskNotFound } from '../../model/errors/errors.ts';
import type { Task } from '../../model/task.ts';
import { type StatusMessageRule, TaskFold } from '../log/task-fold.ts';
import { type TaskIdentity, TaskLog } from '../log/task-log.ts';
import type { Tenure } from '../node/tenure.ts';
import type { Awaitable, Clock, Store, StoredTask, TaskHead } from '../ports.ts';
import type { Feeds } from '../read/feeds.ts';
import type { Client } from '../read/large-tasks.ts';
import { StoredTasks } from '../read/stored-tasks.ts';
import type { Snapshot } from '../read/subscription.ts';
import { isSharedWith } from '../read/visible-tasks.ts';
import type { Runner } from '../turn/runner.ts';
import { Actor } from './actor.ts';
import type { ActorKeeper, LeftBehind } from './actor-options.ts';
import type { Elsewhere } from './elsewhere.ts';
import { type LoadingParts, loadTask } from './loading/load-task.ts';
import { missingRunner } from './missing-runner.ts';
import { isVisible, type Scope } from './scope.ts';
import type { TaskServices } from './task-services.ts';
import { TasksAtWork } from './tasks-at-work.ts';
import { Parking, wakingTime } from './waiting/parking.ts';
import { WaitingTasks } from './waiting/waiting-tasks.ts';

/** The tasks that this node knows: live ones by their actor, all others by the store. */
export class Tasks {
  /** The tasks of callers with a bound on a context's tasks at work. */
  readonly atWork = new TasksAtWork<Actor>();
  readonly #actors = new LiveMap<Actor>();
  readonly #loading = new Map<string, Promise<Actor>>();
  readonly #stored: StoredTasks;
  readonly #waiting: WaitingTasks;
  readonly #loadingParts: LoadingParts;
  readonly #store: Store;
  readonly #feeds: Feeds;
  readonly #node: () => string;
  readonly #clock: Clock;
  readonly #runners: ReadonlyMap<string, Runner>;
  readonly #services: TaskServices;
  readonly #keeper: ActorKeeper;
  readonly #parking: Parking;
  readonly #statusMessage: StatusMessageRule;
  readonly #tenure: Tenure;

  constructor(options: {
    readonly store: Store;
    readonly feeds: Feeds;
    /** The name of this node. */
    readonly node: () => string;
    readonly runners: ReadonlyMap<string, Runner>;
    readonly services: TaskServices;
    readonly statusMessage: StatusMessageRule;
    readonly onLost: (taskId: string) => void;
  }) {
    this.#store = options.store;
    this.#feeds = options.feeds;
    this.#node = options.node;
    this.#clock = options.services.clock;
    this.#runners = options.runners;
    this.#services = options.services;
    this.#tenure = options.services.tenure;
    this.#keeper = {
      opened: (actor) => this.#actors.set(actor.taskId, actor),
      idle: (actor) => this.#rest(actor),
      lost: (actor) => {
        if (this.#actors.get(actor.taskId) === actor) this.#actors.delete(actor.taskId);
        this.#leaveWork(actor);
        const isHolding = actor.holdsFeed;
        actor.holdsFeed = false;
        if (actor.feed.error !== undefined) this.#feeds.discard(actor.taskId, actor.feed);
        else if (isHolding) this.#feeds.handOver(actor.taskId, actor.feed);
        options.onLost(actor.taskId);
      },
      parked: (actor, answerBy) => {
        this.#forget(actor);
        if (answerBy !== undefined) this.#parking.wakeAt(actor.taskId, answerBy);
      },
    };
    this.#statusMessage = options.statusMessage;
    const { clock, limits, logger, vault } = options.services;
    const { store, statusMessage, node, runners } = options;
    this.#parking = new Parking(clock, logger, (taskId) => this.#takeUp(taskId));
    this.#stored = new StoredTasks({ store, clock, statusMessage, finishedBytes: limits.finishedBytes });
    this.#waiting = new WaitingTasks(limits.waitingBytes);
    this.#loadingParts = { store, waiting: this.#waiting, node, runners, statusMessage, vault };
  }

  get live(): Iterable<Actor> {
    return this.#actors.values();
  }

  get liveCount(): number {
    return this.#actors.size;
  }

  /** A new task's actor; it is found by its id once the task exists. */
  create(identity: TaskIdentity): Actor {
    const fold = new TaskFold(identity.id, identity.contextId, this.#statusMessage);
    return this.#actor(new TaskLog(identity, this.#node(), fold));
  }

  /** Frees what `create` holds, where no task came of it. */
  abandon(actor: Actor): void {
    this.#leaveWork(actor);
    this.#release(actor);
  }

  /** The actor of a live task, once its creation is committed: before that no caller may know of it. */
  actorOf(taskId: string, scope: Scope): Actor | undefined {
    const actor = this.#actors.get(taskId);
    return actor && actor.log.committedSeq > 0 && isVisible(actor.log.identity, scope) ? actor : undefined;
  }

  /** The same, while its fold is what the store has. */
  readableOf(taskId: string, scope: Scope): Actor | undefined {
    const actor = this.actorOf(taskId, scope);
    return actor && this.#mayShow(actor) ? actor : undefined;
  }

  /** The task has an actor here. */
  isLive(taskId: string): boolean {
    return this.#actors.has(taskId);
  }

  /** Undefined where this node may begin something; it rejects where the store cannot be told in time that the node lives. */
  whenHeld(): Promise<void> | undefined {
    return this.#tenure.isGood ? undefined : this.#tenure.whenGood();
  }

  /** The task of an actor as it is now, which another node may write by now. */
  async current(actor: Actor, scope: Scope): Promise<Task> {
    if (!actor.isLost && !actor.isWaiting && this.#tenure.isGood) return actor.snapshot();
    return (await this.snapshot(actor.taskId, scope)).task;
  }

  /** Takes all leases again, each with its next number; those that others have taken meanwhile are lost. */
  async reclaim(): Promise<void> {
    await Promise.allSettled([...this.#actors.values()].map((actor) => actor.retake()));
  }

  headOf(taskId: string, scope: Scope): Promise<TaskHead> {
    return Promise.resolve(this.#visibleHead(taskId, scope));
  }

  /** At once, where the store finds it at once and the caller owns it. */
  #visibleHead(taskId: string, scope: Scope): Awaitable<TaskHead> {
    const found = this.#store.head(taskId);
    if (found instanceof Promise) return found.then((head) => this.#visible(taskId, head, scope));
    return this.#visible(taskId, found, scope);
  }

  #visible(taskId: string, head: TaskHead | undefined, scope: Scope): Awaitable<TaskHead> {
    return head && isVisible(head, scope) ? head : this.#sharedHead(taskId, head, scope);
  }

  async #sharedHead(taskId: string, head: TaskHead | undefined, scope: Scope): Promise<TaskHead> {
    // Looked up where there is no task as well, so that both take the same time.
    const place = head ?? { owner: scope.owner, contextId: taskId };
    const isShared = await isSharedWith(this.#store, scope.owner, place);
    if (!head) this.#stored.forget(taskId);
    if (!head || !isShared || head.agent !== scope.agent) throw taskNotFound(taskId);
    return head;
  }

  /** Finds the writer of a task: an actor of this node, made for it if need be, or another node. */
  async writerOf(taskId: string, scope: Scope): Promise<Actor | Elsewhere> {
    const waiting = this.whenHeld();
    if (waiting) await waiting;
    const live = this.actorOf(taskId, scope);
    if (live) return live;
    const head = await this.headOf(taskId, scope);
    const { node } = head.lease;
    if (node !== null && node !== this.#node() && (await this.#isAlive(node))) return { node, head };
    return this.revive(taskId);
  }

  /** Resolves with true if another node, which is alive, holds the task's lease. */
  async isHeldElsewhere(taskId: string): Promise<boolean> {
    const node = (await this.#store.head(taskId))?.lease.node ?? null;
    return node !== null && node !== this.#node() && (await this.#isAlive(node));
  }

  /** After an outage of the store, a node that looks dead may only not have been heard yet. */
  async #isAlive(node: string): Promise<boolean> {
    return (await this.#store.isAlive(node, this.#clock.now())) || !this.#tenure.mayTakeOver;
  }

  /** The actor of a stored task. Two callers at once get the same one. */
  revive(taskId: string): Promise<Actor> {
    const live = this.#actors.get(taskId);
    if (live) return Promise.resolve(live);
    const loading = this.#loading.get(taskId) ?? this.#revive(taskId);
    this.#loading.set(taskId, loading);
    return loading;
  }

  /** The actor of a task whose lease this node has just claimed; undefined where another one has taken it since. */
  async reviveLeased({ id }: TaskHead): Promise<Actor | undefined> {
    // One that was made before the claim expects the lease before it, and could not write.
    await this.#loading.get(id)?.catch(() => {});
    const before = this.#actors.get(id);
    if (before) this.#forget(before);
    const actor = await this.revive(id);
    if (actor.log.isHeldHere) return actor;
    this.dismiss(actor);
    return undefined;
  }

  /** A task that has ended and is held here, where nobody else may have changed it; undefined for what has to be looked up. */
  endedTask(taskId: string, scope: Scope): Task | undefined {
    const finished = this.#store.exclusive ? this.#stored.held(taskId) : undefined;
    return finished && isVisible(finished.head, scope) ? finished.task : undefined;
  }

  /** The committed task with its seq. */
  async snapshot(taskId: string, scope: Scope, client?: Client): Promise<Snapshot> {
    const live = this.readableOf(taskId, scope);
    if (live) return { task: live.snapshot(), seq: live.log.committedSeq };
    let finished = this.#stored.held(taskId);
    // Another node may have purged it. A task of another caller is not loaded, which would take longer than to find none.
    if (!finished || !this.#store.exclusive || !isVisible(finished.head, scope)) {
      const head = this.#visibleHead(taskId, scope);
      if (head instanceof Promise) await head;
      const shared = this.#actors.get(taskId);
      if (shared && shared.log.committedSeq > 0 && this.#mayShow(shared))
        return { task: shared.snapshot(), seq: shared.log.committedSeq };
    }
    finished ??= await this.#stored.load(taskId, client);
    if (!finished) throw taskNotFound(taskId);
    return { task: finished.task, seq: finished.head.seq };
  }

  /**
   * An actor that has not taken the lease, or no longer has it, may be behind the store: another node may write the task. So
   * may one whose commit is on its way: other nodes show what is in it as soon as it is made, before this one hears of it.
   */
  #mayShow({ log }: Actor): boolean {
    return this.#store.exclusive || (this.#tenure.isGood && log.isHeldHere && !log.pending.isInFlight);
  }

  /** These are no longer in the store. */
  purged(taskIds: readonly string[]): void {
    this.#stored.purged(taskIds);
    for (const taskId of taskIds) this.#waiting.take(taskId);
  }

  /** A stored task as callers see it. */
  fold(stored: StoredTask): Task {
    return this.#stored.fold(stored);
  }

  /** A revived actor that was not needed after all. */
  dismiss(actor: Actor): void {
    if (!actor.isRunning && actor.log.pending.uncommittedEvents === 0) this.#rest(actor);
  }

  /** The runs that were let go are left to the next process. */
  close(): void {
    this.#parking.close();
  }

  async #takeUp(taskId: string): Promise<void> {
    await this.#tenure.renewed();
    const actor = await this.revive(taskId);
    if (!actor.resume()) this.dismiss(actor);
  }

  async #revive(taskId: string): Promise<Actor> {
    try {
      const { head, log, left } = await loadTask(this.#loadingParts, taskId);
      return this.#enter(this.#actor(log, left), head);
    } finally {
      this.#loading.delete(taskId);
    }
  }

  #enter(actor: Actor, head: TaskHead): Actor {
    this.#parking.forget(actor.taskId);
    actor.feed.advance(head);
    this.#actors.set(actor.taskId, actor);
    return actor;
  }

  #actor(log: TaskLog, left?: LeftBehind): Actor {
    const { identity } = log;
    const runner = this.#runners.get(identity.agent) ?? missingRunner(identity.agent);
    const feed = this.#feeds.acquire(identity.id);
    feed.isWrittenHere = true;
    return new Actor({ services: this.#services, keeper: this.#keeper, runner, log, feed, ...left });
  }

  /** Nothing runs: the store has everything, and the next turn may find it here. */
  #rest(actor: Actor): void {
    if (this.#actors.get(actor.taskId) === actor) this.#waiting.offer(actor.log);
    this.#forget(actor);
  }

  #leaveWork(actor: Actor): void {
    const { owner, contextId } = actor.log.identity;
    this.atWork.remove(owner, contextId, actor);
  }

  #forget(actor: Actor): void {
    if (this.#actors.get(actor.taskId) !== actor) return;
    this.#actors.delete(actor.taskId);
    this.#leaveWork(actor);
    actor.feed.isWrittenHere = false;
    this.#release(actor);
    const wakesAt = wakingTime(actor);
    if (wakesAt !== undefined) this.#parking.wakeAt(actor.taskId, wakesAt);
  }

  #release(actor: Actor): void {
    if (!actor.holdsFeed) return;
    actor.holdsFeed = false;
    this.#feeds.release(actor.taskId, actor.feed);
  }
}
