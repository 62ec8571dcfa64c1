import type { JsonObject } from '../../model/basics/json.ts';
import { isoTime } from '../../model/basics/timestamps.ts';
import { isUnspoken, withoutContent } from '../../model/secrets.ts';
import { endsTurn, isTerminal } from '../../model/states.ts';
import type { Artifact, Message, Task, TaskStatus } from '../../model/task.ts';
import type { TaskNote } from '../../model/task-notes.ts';
import type { ContextChange, KeyRecord, Owner, PushConfigDraft, QueuedTurn, TaskCommit, TaskHead } from '../ports.ts';
import type { ChunkDraft } from '../turn/runner.ts';
import type { LogRecord, StatusDetails, TaskEvent } from './events.ts';
import { type ArtifactEnd, OpenArtifacts } from './open-artifacts.ts';
import { PendingCommit, type PendingCounts } from './pending-commit.ts';
import { assertTransition, type TaskFold } from './task-fold.ts';
import { TaskLease } from './task-lease.ts';
import { TaskNotes } from './task-notes.ts';

/** The facts of a task that never change. */
export interface TaskIdentity {
  readonly id: string;
  readonly contextId: string;
  readonly agent: string;
  readonly owner: Owner;
  readonly createdAt: number;
}

/**
 * The writing side of one task's log: events that are appended but not yet committed, and the fold of those that are.
 * Readers see only the fold. The order of calls is: append …, `take` a commit, then `committed` (or drop the log).
 */
export class TaskLog {
  readonly identity: TaskIdentity;
  /** The size of what is appended and not committed. */
  readonly pending: PendingCounts;
  readonly #fold: TaskFold;
  readonly #lease: TaskLease;
  /** The state with everything that is appended; the fold has only what is committed. */
  #seq: number;
  #status: TaskStatus;
  #statusTime: number;
  #consumed: number;
  #asking: boolean;
  #queued: boolean;
  /** See TaskHead. */
  answerBy: number | undefined;
  readonly #notes: TaskNotes;
  readonly #artifacts: OpenArtifacts;
  readonly #pending: PendingCommit;
  #lastAppend = 0;
  #size: number | undefined;
  #captures: Map<number, (task: Task) => void> | undefined;

  /** `size`: of the fold, roughly, in bytes; undefined where it is not known. */
  constructor(identity: TaskIdentity, node: string, fold: TaskFold, head?: TaskHead, recorded = 0, size?: number) {
    this.identity = identity;
    this.#fold = fold;
    this.#lease = new TaskLease(node, head?.lease);
    this.#seq = this.#fold.seq;
    this.#status = this.#fold.status;
    this.#statusTime = this.#fold.statusTime;
    this.#consumed = this.#fold.consumed;
    this.#asking = this.#fold.asking;
    this.#queued = this.#fold.queued;
    this.answerBy = head?.answerBy;
    // It is not known which notes of a turn that was lost a status has brought.
    this.#notes = new TaskNotes(head?.metadata, head && !endsTurn(head.status.state) ? head.metadata : undefined);
    this.#artifacts = new OpenArtifacts(fold);
    this.#pending = new PendingCommit(recorded);
    this.pending = this.#pending;
    this.#size = head ? size : 0;
  }

  /** The committed events, folded. */
  get fold(): TaskFold {
    return this.#fold;
  }

  /** The size of what is committed, roughly, in bytes; undefined where it is not known. */
  get size(): number | undefined {
    return this.#size;
  }

  /** The last appended seq. */
  get seq(): number {
    return this.#seq;
  }

  /** With everything that is appended. */
  get status(): TaskStatus {
    return this.#status;
  }

  /** When something was appended last; 0 if nothing was since the log is held here. */
  get lastAppend(): number {
    return this.#lastAppend;
  }

  /** The task's metadata with everything that is appended. */
  get metadata(): JsonObject | undefined {
    return this.#notes.metadata;
  }

  get asking(): boolean {
    return this.#asking;
  }

  /** The status says `working` of a turn that still waits for a slot. */
  get queued(): boolean {
    return this.#queued;
  }

  get consumed(): number {
    return this.#consumed;
  }

  get committedSeq(): number {
    return this.#fold.seq;
  }

  get committedStatus(): TaskStatus {
    return this.#fold.status;
  }

  get committedConsumed(): number {
    return this.#fold.consumed;
  }

  /** The committed task. */
  snapshot(): Task {
    return this.#fold.snapshot();
  }

  /** The number of messages that are committed. */
  get messageCount(): number {
    return this.#fold.messageCount;
  }

  /** All messages so far, oldest first, committed or not, except those at these seqs. */
  talkWithout(seqs: ReadonlySet<number>): readonly Message[] {
    const messages: Message[] = [];
    for (const { seq, message } of this.#fold.talk()) if (!seqs.has(seq)) messages.push(message);
    // Pending events are later than all committed ones.
    for (const event of this.#pending.events) {
      if (seqs.has(event.seq)) continue;
      if (event.kind === 'message' && !(event.secret && isUnspoken(event.message))) messages.push(event.message);
      if (event.kind === 'status' && event.status.message) messages.push(event.status.message);
    }
    return messages;
  }

  /** The history of a turn that began at a seq with a message: all messages by then, except unread ones. */
  talkBefore(beginSeq: number, messageSeq: number): readonly Message[] {
    const before = this.#fold.talk().filter(({ seq, message }) => {
      return message.role === 'user' ? seq < messageSeq : seq <= beginSeq;
    });
    return before.map((entry) => entry.message);
  }

  appendCreated(time: number, metadata?: JsonObject): void {
    this.#notes.add(metadata);
    this.#status = { state: 'submitted', timestamp: isoTime(time) };
    this.#statusTime = time;
    this.#push({ kind: 'created', seq: this.#seq + 1, time, metadata });
  }

  appendNote(time: number, note: TaskNote): void {
    this.#notes.note(note);
    this.#push({ kind: 'noted', seq: this.#seq + 1, time, ...note });
  }

  appendMessage(time: number, message: Message): number {
    this.#push({ kind: 'message', seq: this.#seq + 1, time, message });
    return this.#seq;
  }

  /** Appends that a message came, without its content. */
  appendSecret(time: number, message: Message): number {
    const isCredential = this.#status.state !== 'input-required';
    const bare = withoutContent(message, isCredential);
    this.#push({ kind: 'message', seq: this.#seq + 1, time, message: bare, secret: true });
    return this.#seq;
  }

  appendStatus(time: number, change: Omit<TaskStatus, 'timestamp'> & StatusDetails, consumed: number): void {
    assertTransition(this.#status.state, change.state);
    // Status times of one task never go back, whatever the clock does: lists are ordered by them.
    const at = Math.max(time, this.#statusTime);
    const status: TaskStatus = { state: change.state, message: change.message, timestamp: isoTime(at) };
    this.#status = status;
    this.#statusTime = at;
    this.#consumed = consumed;
    this.#asking = change.asking === true;
    this.#queued = change.queued === true;
    this.answerBy = change.answerBy;
    const { metadata, asking, queued } = change;
    this.#notes.add(metadata);
    const noted = this.#notes.take(endsTurn(change.state));
    this.#push({ kind: 'status', seq: this.#seq + 1, time: at, status, metadata, noted, consumed, asking, queued });
  }

  appendChunk(time: number, draft: ChunkDraft): void {
    this.#push(this.#artifacts.write(this.#seq + 1, time, draft));
  }

  /**
   * Ends an open artifact: on its last chunk if that is not yet on its way to the store, else by a closing chunk, whose
   * one empty text part is there because the protocol wants at least one.
   */
  endArtifact(time: number, artifactId: string): void {
    if (!this.#artifacts.has(artifactId)) return;
    this.#artifacts.end(artifactId);
    if (this.#pending.endArtifact(artifactId)) return;
    const artifact: Artifact = { artifactId, parts: [{ kind: 'text', text: '' }] };
    const shape = { append: true, lastChunk: true, continues: true, closing: true } as const;
    this.#push({ kind: 'artifact', seq: this.#seq + 1, time, artifact, ...shape });
  }

  endArtifacts(time: number): void {
    for (const artifactId of this.#artifacts.ids) this.endArtifact(time, artifactId);
  }

  /** Says whether the next piece continues the last text of an open artifact. */
  continueText(artifactId: string, isStreaming: boolean): void {
    this.#artifacts.continueText(artifactId, isStreaming);
  }

  /** The way in which each open artifact stands, with everything that is appended. */
  openArtifactEnds(): Readonly<Record<string, ArtifactEnd>> {
    return this.#artifacts.ends();
  }

  /** Adds an entry to the journal with the next commit. */
  record(body: JsonObject): void {
    this.#pending.record(this.#seq, body);
  }

  /** Changes the values that the context keeps, with the next commit. */
  changeContext(change: ContextChange): void {
    this.#pending.changeContext(change);
  }

  /** Writes an idempotency key with the next commit. */
  bindKey(key: KeyRecord): void {
    this.#pending.bindKey(key);
  }

  /** Writes a webhook with the next commit: it is told of what comes after `since`, unless it has a place of its own. */
  bindPush(config: PushConfigDraft, since: number): void {
    this.#pending.bindPush({ since, ...config, taskId: this.identity.id });
  }

  /** Lets the task's next turn wait for any node, from the next commit on; null: it waits no longer. */
  queue(turn: QueuedTurn | null): void {
    this.#pending.queue(turn);
  }

  /** Calls back with the task as it is right after this event, which must not be committed yet. */
  captureAt(seq: number, receive: (task: Task) => void): void {
    this.#captures ??= new Map();
    this.#captures.set(seq, receive);
  }

  /** Takes the lease again with the next commit, under its next number: no other node can take this one then. */
  retake(): void {
    this.#lease.retake();
    this.#pending.force();
  }

  /** Some node has the lease. */
  get isHeld(): boolean {
    return this.#lease.isHeld;
  }

  /** This node has the lease. */
  get isHeldHere(): boolean {
    return this.#lease.isHeldHere;
  }

  /** Takes everything pending as one commit. `holds`: this node goes on holding the lease after it. */
  take(holds: boolean): TaskCommit {
    const { records, journal, context, keys, pushConfigs, queue } = this.#pending.take();
    this.#lease.take(holds);
    // Artifacts that are still open end with the task.
    if (isTerminal(this.#status.state)) this.#artifacts.endAll();
    const bodies = this.#artifacts.takeBodies(records, this.#seq);
    return {
      kind: 'task',
      head: this.#head(),
      expectedSeq: this.#fold.seq,
      expectedLease: this.#lease.expected,
      events: records.map((record) => record.event),
      bodies,
      journal,
      context,
      keys,
      pushConfigs,
      queue,
    };
  }

  /**
   * The commit that was taken is on disk: readers may see it. `isAwaited`: a caller waits for the task as it is at the
   * end of a turn; folding it costs as much as the task is large.
   */
  committed(isAwaited: boolean): readonly LogRecord[] {
    const records = this.#pending.settle();
    this.#lease.settle();
    for (const record of records) {
      const { event } = record;
      if (this.#size !== undefined) this.#size += record.size;
      this.#fold.apply(event);
      if (this.#captures) this.#capture(event.seq);
      if (isAwaited && event.kind === 'status' && endsTurn(event.status.state)) record.task = this.#fold.snapshot();
      if (event.kind === 'artifact') this.#artifacts.commit(event.artifact.artifactId);
    }
    return records;
  }

  #push(event: TaskEvent): void {
    this.#seq = event.seq;
    this.#lastAppend = event.time;
    this.#pending.append(event);
  }

  #capture(seq: number): void {
    const receive = this.#captures?.get(seq);
    if (!receive) return;
    this.#captures?.delete(seq);
    if (this.#captures?.size === 0) this.#captures = undefined;
    receive(this.#fold.snapshot());
  }

  #head(): TaskHead {
    return {
      ...this.identity,
      status: this.#status,
      statusTime: this.#statusTime,
      seq: this.#seq,
      lease: this.#lease.next,
      consumed: this.#consumed,
      asking: this.#asking,
      answerBy: this.answerBy,
      openFrom: this.#artifacts.openFrom,
      metadata: this.#notes.metadata,
    };
  }
}
