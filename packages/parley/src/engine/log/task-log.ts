import type { JsonObject } from '../../model/json.ts';
import { isInterrupted, isTerminal, type TaskState } from '../../model/states.ts';
import type { Artifact, Message, Task, TaskStatus } from '../../model/task.ts';
import { isoTime } from '../../model/timestamps.ts';
import type {
  ArtifactBody,
  ContextChange,
  JournalEntry,
  KeyRecord,
  Lease,
  Owner,
  TaskCommit,
  TaskHead,
} from '../ports.ts';
import type { ChunkDraft } from '../turn/runner.ts';
import type { ArtifactEvent, LogRecord, TaskEvent } from './events.ts';
import { sizeOfEvent } from './sizes.ts';
import { assertTransition, type TaskFold } from './task-fold.ts';

/** What never changes about a task. */
export interface TaskIdentity {
  readonly id: string;
  readonly contextId: string;
  readonly agent: string;
  readonly owner: Owner;
  readonly createdAt: number;
}

interface OpenArtifact {
  openedAt: number;
  /** Its last part is a streamed string that the next piece continues. */
  streaming: boolean;
}

const NO_LEASE: Lease = { number: 0, node: null };

/**
 * The writing side of one task's log: events that are appended but not yet committed, and the fold of those that are.
 * Readers see only the fold. The order of calls is: append …, `take` a commit, then `committed` (or drop the log).
 */
export class TaskLog {
  readonly identity: TaskIdentity;
  readonly #fold: TaskFold;
  readonly #node: string;
  #lease: Lease;
  #nextLease: Lease;
  /** The state with everything that is appended; the fold has only what is committed. */
  #seq: number;
  #status: TaskStatus;
  #statusTime: number;
  #consumed: number;
  #asking: boolean;
  #answerBy: number | undefined;
  #metadata: JsonObject | undefined;
  /** What no status has brought to readers yet. */
  #notes: JsonObject | undefined;
  readonly #open = new Map<string, OpenArtifact>();
  readonly #positions = new Map<string, number>();
  #lastAppend = 0;
  #pending: LogRecord[] = [];
  #inFlight: LogRecord[] = [];
  #pendingBytes = 0;
  #ended = new Set<string>();
  #key: KeyRecord | undefined;
  /** Entries that are not committed yet, and those on their way. */
  #journal: JournalEntry[] = [];
  #journalInFlight: readonly JournalEntry[] = [];
  #context: ContextChange[] = [];
  #taken = 0;
  #commits = 0;
  #recorded: number;
  #recordedOnDisk: number;
  readonly #captures = new Map<number, (task: Task) => void>();

  constructor(identity: TaskIdentity, node: string, fold: TaskFold, head?: TaskHead, recorded = 0) {
    this.identity = identity;
    this.#node = node;
    this.#fold = fold;
    this.#lease = head?.lease ?? NO_LEASE;
    this.#nextLease = this.#lease;
    this.#seq = this.#fold.seq;
    this.#status = this.#fold.status;
    this.#statusTime = this.#fold.statusTime;
    this.#consumed = this.#fold.consumed;
    this.#asking = this.#fold.asking;
    this.#answerBy = head?.answerBy;
    this.#metadata = head?.metadata;
    // Of a turn that was lost nobody knows which of its notes a status has brought.
    this.#notes = head && !endsTurn(head.status.state) ? head.metadata : undefined;
    this.#recorded = recorded;
    this.#recordedOnDisk = recorded;
    for (const { id, openedAt } of this.#fold.openArtifacts()) this.#open.set(id, { openedAt, streaming: false });
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
    return this.#metadata;
  }

  get asking(): boolean {
    return this.#asking;
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

  /** What was said so far, oldest first, whether committed or not, but for the messages at these seqs. */
  talkWithout(seqs: ReadonlySet<number>): readonly Message[] {
    const entries = [...this.#fold.talk()];
    for (const { event } of [...this.#inFlight, ...this.#pending]) {
      if (event.kind === 'message') entries.push({ seq: event.seq, message: event.message });
      if (event.kind === 'status' && event.status.message) {
        entries.push({ seq: event.seq, message: event.status.message });
      }
    }
    return entries
      .filter((entry) => !seqs.has(entry.seq))
      .sort((one, other) => one.seq - other.seq)
      .map((entry) => entry.message);
  }

  /** What a turn knew that began at a seq with a message: what was said by then, but for messages that were unread. */
  talkBefore(beginSeq: number, messageSeq: number): readonly Message[] {
    const before = this.#fold.talk().filter(({ seq, message }) => {
      return message.role === 'user' ? seq < messageSeq : seq <= beginSeq;
    });
    return before.map((entry) => entry.message);
  }

  get hasPending(): boolean {
    return this.#pending.length > 0 || this.#journal.length > 0 || this.#context.length > 0;
  }

  /** How many commits there have been. */
  get commits(): number {
    return this.#commits;
  }

  /** The number of the commit that takes what is appended now. */
  get nextCommit(): number {
    return this.#taken + 1;
  }

  /** How many entries the journal has, committed or not. */
  get recorded(): number {
    return this.#recorded;
  }

  get committedRecords(): number {
    return this.#recordedOnDisk;
  }

  get uncommittedEvents(): number {
    return this.#pending.length + this.#inFlight.length;
  }

  get uncommittedBytes(): number {
    return this.#pendingBytes;
  }

  appendCreated(time: number, metadata?: JsonObject): void {
    this.#metadata = metadata;
    this.#status = { state: 'submitted', timestamp: isoTime(time) };
    this.#statusTime = time;
    this.#push({ kind: 'created', seq: this.#seq + 1, time, metadata });
  }

  appendNote(time: number, metadata: JsonObject): void {
    this.#metadata = { ...this.#metadata, ...metadata };
    this.#notes = { ...this.#notes, ...metadata };
    this.#push({ kind: 'noted', seq: this.#seq + 1, time, metadata });
  }

  appendMessage(time: number, message: Message): number {
    this.#push({ kind: 'message', seq: this.#seq + 1, time, message });
    return this.#seq;
  }

  appendStatus(
    time: number,
    change: Omit<TaskStatus, 'timestamp'> & {
      readonly metadata?: JsonObject;
      readonly asking?: boolean;
      readonly answerBy?: number | undefined;
    },
    consumed: number,
  ): void {
    assertTransition(this.#status.state, change.state);
    // Status times of one task never go back, whatever the clock does: lists are ordered by them.
    const at = Math.max(time, this.#statusTime);
    const status: TaskStatus = { state: change.state, message: change.message, timestamp: isoTime(at) };
    this.#status = status;
    this.#statusTime = at;
    this.#consumed = consumed;
    this.#asking = change.asking === true;
    this.#answerBy = change.answerBy;
    const { metadata, asking } = change;
    if (metadata) this.#metadata = { ...this.#metadata, ...metadata };
    const noted = this.#notes;
    this.#notes = undefined;
    this.#push({ kind: 'status', seq: this.#seq + 1, time: at, status, metadata, noted, consumed, asking });
  }

  appendChunk(time: number, draft: ChunkDraft): void {
    const { artifactId } = draft;
    const open = this.#open.get(artifactId);
    const known = open !== undefined || this.#positionOf(artifactId) !== undefined;
    const append = known && draft.append !== false;
    const continues = append && draft.streamed && open?.streaming === true;
    const lastChunk = draft.lastChunk === true;
    const artifact: Artifact =
      append && !draft.amends
        ? { artifactId, parts: draft.parts }
        : {
            artifactId,
            name: draft.name,
            description: draft.description,
            extensions: draft.extensions,
            parts: draft.parts,
            metadata: draft.metadata,
          };
    if (!known) this.#positions.set(artifactId, this.#fold.artifactCount + this.#positions.size);
    const seq = this.#seq + 1;
    this.#push({ kind: 'artifact', seq, time, artifact, append, lastChunk, continues });
    if (lastChunk) {
      this.#end(artifactId);
    } else if (open) {
      open.streaming = draft.streamed;
    } else {
      this.#open.set(artifactId, { openedAt: seq, streaming: draft.streamed });
    }
  }

  /**
   * Ends an open artifact: on its last chunk if that is not yet on its way to the store, else by a closing chunk, whose
   * one empty text part is there because the protocol wants at least one.
   */
  endArtifact(time: number, artifactId: string): void {
    if (!this.#open.has(artifactId)) return;
    for (let index = this.#pending.length - 1; index >= 0; index -= 1) {
      const record = this.#pending[index];
      if (record?.event.kind !== 'artifact' || record.event.artifact.artifactId !== artifactId) continue;
      this.#pending[index] = { event: { ...record.event, lastChunk: true }, size: record.size };
      this.#end(artifactId);
      return;
    }
    const artifact: Artifact = { artifactId, parts: [{ kind: 'text', text: '' }] };
    const shape = { append: true, lastChunk: true, continues: true, closing: true } as const;
    this.#push({ kind: 'artifact', seq: this.#seq + 1, time, artifact, ...shape });
    this.#end(artifactId);
  }

  endArtifacts(time: number): void {
    for (const artifactId of [...this.#open.keys()]) this.endArtifact(time, artifactId);
  }

  /** Adds an entry to the journal with the next commit. */
  record(body: JsonObject): void {
    this.#recorded += 1;
    this.#journal.push({ number: this.#recorded, seq: this.#seq, body });
  }

  /** Whether an open artifact's last text goes on where it is, as if this run had streamed it. */
  continueText(artifactId: string, streaming: boolean): void {
    const open = this.#open.get(artifactId);
    if (open) open.streaming = streaming;
  }

  /** Changes what the context keeps, with the next commit. */
  changeContext(change: ContextChange): void {
    this.#context.push(change);
  }

  /** Writes an idempotency key with the next commit. */
  bindKey(key: KeyRecord): void {
    this.#key = key;
  }

  /** Gives the task as it is right after this event, which must not be committed yet. */
  captureAt(seq: number, receive: (task: Task) => void): void {
    this.#captures.set(seq, receive);
  }

  /**
   * Everything pending as one commit. `hold` says whether this node goes on holding the lease afterwards.
   */
  take(hold: boolean): TaskCommit {
    this.#inFlight = this.#pending;
    this.#pending = [];
    const held = this.#lease.node === this.#node;
    const node = hold ? this.#node : null;
    this.#nextLease = { number: held ? this.#lease.number : this.#lease.number + 1, node };
    const bodies = this.#takeBodies();
    const key = this.#key;
    this.#key = undefined;
    this.#journalInFlight = this.#journal;
    this.#journal = [];
    const context = this.#context;
    this.#context = [];
    this.#taken += 1;
    return {
      kind: 'task',
      head: this.#head(),
      expectedSeq: this.#fold.seq,
      expectedLease: this.#lease.number,
      events: this.#inFlight.map((record) => record.event),
      bodies,
      journal: this.#journalInFlight.length > 0 ? this.#journalInFlight : undefined,
      context: context.length > 0 ? context : undefined,
      key,
    };
  }

  /**
   * The commit that was taken is on disk: readers may see it. `isAwaited`: somebody waits for the task as it is at the
   * end of a turn, which costs as much as the task is large.
   */
  committed(isAwaited: boolean): readonly LogRecord[] {
    const records = this.#inFlight;
    this.#inFlight = [];
    this.#lease = this.#nextLease;
    this.#commits += 1;
    this.#recordedOnDisk += this.#journalInFlight.length;
    this.#journalInFlight = [];
    for (const record of records) {
      const { event } = record;
      this.#fold.apply(event);
      this.#pendingBytes -= record.size;
      this.#capture(event.seq);
      if (isAwaited && event.kind === 'status' && endsTurn(event.status.state)) record.task = this.#fold.snapshot();
      if (event.kind === 'artifact') this.#positions.delete(event.artifact.artifactId);
    }
    return records;
  }

  #push(event: TaskEvent): void {
    const size = sizeOfEvent(event);
    this.#seq = event.seq;
    this.#lastAppend = event.time;
    this.#pending.push({ event, size });
    this.#pendingBytes += size;
  }

  #end(artifactId: string): void {
    this.#open.delete(artifactId);
    this.#ended.add(artifactId);
  }

  #positionOf(artifactId: string): number | undefined {
    return this.#fold.positionOf(artifactId) ?? this.#positions.get(artifactId);
  }

  #capture(seq: number): void {
    const receive = this.#captures.get(seq);
    if (!receive) return;
    this.#captures.delete(seq);
    receive(this.#fold.snapshot());
  }

  /** Bodies of the artifacts that end with this commit; when the task ends, of those that are still open as well. */
  #takeBodies(): readonly ArtifactBody[] {
    if (isTerminal(this.#status.state)) {
      for (const artifactId of [...this.#open.keys()]) this.#end(artifactId);
    }
    if (this.#ended.size === 0) return [];
    const bodies = [...this.#ended].map((artifactId): ArtifactBody => {
      const events = this.#inFlight
        .map((record) => record.event)
        .filter(
          (event): event is ArtifactEvent => event.kind === 'artifact' && event.artifact.artifactId === artifactId,
        );
      const position = this.#positionOf(artifactId) ?? 0;
      return { artifact: this.#fold.preview(artifactId, events), position, seq: this.#seq };
    });
    this.#ended = new Set();
    return bodies;
  }

  #head(): TaskHead {
    let openFrom = 0;
    for (const { openedAt } of this.#open.values()) {
      if (openFrom === 0 || openedAt < openFrom) openFrom = openedAt;
    }
    return {
      ...this.identity,
      status: this.#status,
      statusTime: this.#statusTime,
      seq: this.#seq,
      lease: this.#nextLease,
      consumed: this.#consumed,
      asking: this.#asking,
      answerBy: this.#answerBy,
      openFrom,
      metadata: this.#metadata,
    };
  }
}

function endsTurn(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}
