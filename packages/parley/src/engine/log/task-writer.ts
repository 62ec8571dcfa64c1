import { A2AError } from '../../model/errors/errors.ts';
import type { Committed } from '../follow/commit-followers.ts';
import type { EngineLimits } from '../limits.ts';
import type { CommitResult, PushConfigRecord, TaskCommit } from '../ports.ts';
import type { Feed } from '../read/feed.ts';
import type { Committable, Committer } from './committer.ts';
import type { LogRecord } from './events.ts';
import { CommitRefused, noLongerHeld, storeUnavailable } from './refusals.ts';
import type { TaskIdentity, TaskLog } from './task-log.ts';

const NONE: readonly LogRecord[] = [];

/** The share of what may be pending that chunks of a task gather at most: an agent never waits for a pause to end. */
const GATHERED_SHARE = 0.25;

interface CommitWaiter {
  readonly seq: number;
  readonly records: number;
  readonly commits: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The writer's owner, which knows about the lease and hears about commits. */
export interface WriterOwner {
  /** Returns true if this node goes on holding the lease after the next commit. */
  holds(): boolean;
  /** Everything that was appended is committed. */
  settled(): void;
  /** Nothing more can be written here. */
  lost(error: A2AError): void;
}

/** Brings a task's pending events to the store; callers wait here for a commit, or for room to append. */
export class TaskWriter implements Committable, Committed {
  isMarked = false;
  readonly log: TaskLog;
  /** The last commit, while followers are told of it. */
  records: readonly LogRecord[] = NONE;
  /** The webhooks that came with it. */
  pushConfigs: readonly PushConfigRecord[] | undefined;
  readonly #feed: Pick<Feed, 'isAwaited' | 'isFollowed' | 'fail'>;
  readonly #committer: Committer;
  readonly #limits: EngineLimits;
  readonly #owner: WriterOwner;
  readonly #waiters: CommitWaiter[] = [];
  #room: PromiseWithResolvers<void> | undefined;
  #lost = false;

  constructor(
    log: TaskLog,
    feed: Pick<Feed, 'isAwaited' | 'isFollowed' | 'fail'>,
    committer: Committer,
    limits: EngineLimits,
    owner: WriterOwner,
  ) {
    this.log = log;
    this.#feed = feed;
    this.#committer = committer;
    this.#limits = limits;
    this.#owner = owner;
  }

  get isLost(): boolean {
    return this.#lost;
  }

  get task(): TaskIdentity {
    return this.log.identity;
  }

  get seq(): number {
    return this.log.committedSeq;
  }

  /** Something was appended. */
  mark(): void {
    this.#committer.mark(this);
  }

  /** The same, for an agent: undefined unless it must wait until some of what is pending is committed. */
  markAndWait(): Promise<void> | undefined {
    this.mark();
    return this.#share < 1 ? undefined : this.#whenRoom();
  }

  /** The same after a chunk, which may wait for others as long as there is much room left. */
  markChunkAndWait(): Promise<void> | undefined {
    const share = this.#share;
    this.#committer.mark(this, share < GATHERED_SHARE);
    return share < 1 ? undefined : this.#whenRoom();
  }

  #whenRoom(): Promise<void> {
    this.#room ??= Promise.withResolvers();
    this.#room.promise.catch(() => {});
    return this.#room.promise;
  }

  /** For callers, who do not wait for longer than they may. */
  whenCommitted(seq: number): Promise<void> {
    if (!this.#lost && seq <= this.log.committedSeq) return Promise.resolve();
    return this.#committer.inTime(this.whenWritten(seq));
  }

  /** The same for those who wait for as long as it takes. */
  whenWritten(seq: number): Promise<void> {
    if (this.#lost) return Promise.reject(noLongerHeld());
    if (seq <= this.log.committedSeq) return Promise.resolve();
    return this.#committed(seq, 0, 0);
  }

  /** Resolves when a new task is committed. One that is late is withdrawn: its caller hears of none. */
  async whenCreated(seq: number): Promise<void> {
    try {
      await this.whenCommitted(seq);
    } catch (error) {
      if (this.log.committedSeq === 0) this.#lose(A2AError.from(error));
      throw error;
    }
  }

  get isWithdrawn(): boolean {
    return this.#lost;
  }

  /** Resolves when everything that is recorded by now is on disk. */
  whenRecorded(): Promise<void> {
    if (this.#lost) return Promise.reject(noLongerHeld());
    return this.#committed(0, this.log.pending.recorded, 0);
  }

  /** Marks, and resolves when everything that is pending by now is on disk. */
  flushed(): Promise<void> {
    if (this.#lost) return Promise.reject(noLongerHeld());
    const { pending } = this.log;
    // With nothing pending, only the commit under way is waited for.
    const last = pending.isEmpty ? pending.nextCommit - 1 : pending.nextCommit;
    if (last <= pending.commits) return Promise.resolve();
    this.mark();
    return this.#committed(0, 0, last);
  }

  #committed(seq: number, records: number, commits: number): Promise<void> {
    return new Promise((resolve, reject) => this.#waiters.push({ seq, records, commits, resolve, reject }));
  }

  take(): TaskCommit | undefined {
    return this.#lost || this.log.pending.isEmpty ? undefined : this.log.take(this.#owner.holds());
  }

  settled(): Committed | undefined {
    this.records = this.log.committed(this.#feed.isAwaited);
    this.pushConfigs = this.log.pending.takenPush;
    return this.records.length > 0 ? this : undefined;
  }

  told(): void {
    this.records = NONE;
    this.pushConfigs = undefined;
    while (this.#waiters[0] && this.#isCommitted(this.#waiters[0])) this.#waiters.shift()?.resolve();
    if (this.#share < 1) {
      this.#room?.resolve();
      this.#room = undefined;
    }
    if (this.log.pending.isEmpty) this.#owner.settled();
    else if (!this.isMarked) this.mark();
  }

  refused(result: Exclude<CommitResult, 'ok'>): void {
    // Another node writes the task: readers stay, and get its events from the store.
    const goesOn = result === 'conflict' && this.#feed.isFollowed && this.log.committedSeq > 0;
    this.#lose(new CommitRefused(result), goesOn);
  }

  failed(error: unknown): void {
    this.#lose(storeUnavailable(error));
  }

  #isCommitted({ seq, records, commits }: CommitWaiter): boolean {
    const { committedSeq, pending } = this.log;
    return seq <= committedSeq && records <= pending.committedRecords && commits <= pending.commits;
  }

  /** The share of what may be pending that is taken; 1 or more where there is no room. */
  get #share(): number {
    const { pendingEvents, pendingBytes } = this.#limits;
    const { uncommittedEvents, uncommittedBytes } = this.log.pending;
    return Math.max(uncommittedEvents / pendingEvents, uncommittedBytes / pendingBytes);
  }

  /** Rejects all waits; the store keeps the commits so far. `goesOn`: readers wait for what another node commits. */
  #lose(error: A2AError, goesOn = false): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#room?.reject(error);
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
    if (!goesOn) this.#feed.fail(error);
    this.#owner.lost(error);
  }
}
