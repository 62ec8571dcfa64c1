import type { JsonObject } from '../../model/basics/json.ts';
import type { ContextChange, JournalEntry, KeyRecord, PushConfigRecord, QueuedTurn, TaskCommit } from '../ports.ts';
import type { LogRecord, TaskEvent } from './events.ts';
import { sizeOfEvent } from './sizes.ts';

/** The content of a commit, as it was appended. */
interface TakenCommit extends Pick<TaskCommit, 'journal' | 'context' | 'keys' | 'pushConfigs' | 'queue'> {
  readonly records: readonly LogRecord[];
}

/** The counts of what is appended and committed. */
export type PendingCounts = Readonly<
  Pick<
    PendingCommit,
    | 'isEmpty'
    | 'isInFlight'
    | 'keyOf'
    | 'takenPush'
    | 'commits'
    | 'nextCommit'
    | 'recorded'
    | 'committedRecords'
    | 'uncommittedEvents'
    | 'uncommittedBytes'
  >
>;

/**
 * The appended and uncommitted part of a task: events, records of the journal, changes of the context, keys and webhooks. One
 * commit at a time is on its way to the store; later appends wait for the next.
 */
export class PendingCommit {
  #records: LogRecord[] = [];
  #inFlight: LogRecord[] = [];
  #bytes = 0;
  #journal: JournalEntry[] = [];
  #journalInFlight = 0;
  #context: ContextChange[] = [];
  #keys: KeyRecord[] | undefined;
  #keysInFlight: readonly KeyRecord[] | undefined;
  #pushConfigs: PushConfigRecord[] | undefined;
  #pushInFlight: readonly PushConfigRecord[] | undefined;
  #queue: QueuedTurn | null | undefined;
  #isForced = false;
  #taken = 0;
  #commits = 0;
  #recorded: number;
  #committedRecords: number;

  /** `recorded`: the number of entries that the journal on disk has. */
  constructor(recorded: number) {
    this.#recorded = recorded;
    this.#committedRecords = recorded;
  }

  get isEmpty(): boolean {
    const isEmpty = this.#records.length === 0 && this.#journal.length === 0 && this.#context.length === 0;
    return isEmpty && this.#queue === undefined && !this.#isForced;
  }

  /** A commit is on its way to the store, which may have made it already. */
  get isInFlight(): boolean {
    return this.#taken > this.#commits;
  }

  /** The number of commits so far. */
  get commits(): number {
    return this.#commits;
  }

  /** The number of the commit that takes what is appended now. */
  get nextCommit(): number {
    return this.#taken + 1;
  }

  /** The number of journal entries, committed or not. */
  get recorded(): number {
    return this.#recorded;
  }

  get committedRecords(): number {
    return this.#committedRecords;
  }

  get uncommittedEvents(): number {
    return this.#records.length + this.#inFlight.length;
  }

  get uncommittedBytes(): number {
    return this.#bytes;
  }

  /** The events that are not committed yet, oldest first. */
  get events(): readonly TaskEvent[] {
    return [...this.#inFlight, ...this.#records].map(({ event }) => event);
  }

  append(event: TaskEvent): void {
    const size = sizeOfEvent(event);
    this.#records.push({ event, size });
    this.#bytes += size;
  }

  /** Ends an artifact on its last chunk; returns false where that is already on its way to the store. */
  endArtifact(artifactId: string): boolean {
    for (let index = this.#records.length - 1; index >= 0; index -= 1) {
      const record = this.#records[index];
      if (record?.event.kind !== 'artifact' || record.event.artifact.artifactId !== artifactId) continue;
      this.#records[index] = { event: { ...record.event, lastChunk: true }, size: record.size };
      return true;
    }
    return false;
  }

  /** Adds an entry to the journal; `seq` is the last one of the log by then. */
  record(seq: number, body: JsonObject): void {
    this.#recorded += 1;
    this.#journal.push({ number: this.#recorded, seq, body });
  }

  changeContext(change: ContextChange): void {
    this.#context.push(change);
  }

  bindKey(key: KeyRecord): void {
    this.#keys ??= [];
    this.#keys.push(key);
  }

  /** An idempotency key that is not committed yet. */
  keyOf({ scope, key }: Pick<KeyRecord, 'scope' | 'key'>): KeyRecord | undefined {
    if (!this.#keys && !this.#keysInFlight) return undefined;
    const { tenant, subject, agent } = scope;
    return [...(this.#keysInFlight ?? []), ...(this.#keys ?? [])].find(
      (bound) =>
        bound.key === key &&
        bound.scope.tenant === tenant &&
        bound.scope.subject === subject &&
        bound.scope.agent === agent,
    );
  }

  bindPush(config: PushConfigRecord): void {
    this.#pushConfigs ??= [];
    this.#pushConfigs.push(config);
  }

  /** See TaskCommit. */
  queue(turn: QueuedTurn | null): void {
    this.#queue = turn;
  }

  /** The webhooks of the last commit that was taken. */
  get takenPush(): readonly PushConfigRecord[] | undefined {
    return this.#pushInFlight;
  }

  /** Asks for a commit, although nothing waits for one. */
  force(): void {
    this.#isForced = true;
  }

  /** Takes everything that waits as one commit. */
  take(): TakenCommit {
    const taken: TakenCommit = {
      records: this.#records,
      journal: this.#journal.length > 0 ? this.#journal : undefined,
      context: this.#context.length > 0 ? this.#context : undefined,
      keys: this.#keys,
      pushConfigs: this.#pushConfigs,
      queue: this.#queue,
    };
    this.#inFlight = this.#records;
    this.#records = [];
    this.#journalInFlight = this.#journal.length;
    if (taken.journal) this.#journal = [];
    if (taken.context) this.#context = [];
    this.#keysInFlight = this.#keys;
    this.#keys = undefined;
    this.#pushInFlight = this.#pushConfigs;
    this.#pushConfigs = undefined;
    this.#queue = undefined;
    this.#isForced = false;
    this.#taken += 1;
    return taken;
  }

  /** The commit that was taken is on disk; returns its records. */
  settle(): readonly LogRecord[] {
    const records = this.#inFlight;
    this.#inFlight = [];
    this.#commits += 1;
    this.#committedRecords += this.#journalInFlight;
    this.#journalInFlight = 0;
    this.#keysInFlight = undefined;
    for (const { size } of records) this.#bytes -= size;
    return records;
  }
}
