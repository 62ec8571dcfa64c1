import type { TaskEvent } from '../../engine/log/events.ts';
import type {
  ArtifactBody,
  JournalEntry,
  LoadDetail,
  ReadLimit,
  StoredTask,
  TaskCommit,
  TaskHead,
} from '../../engine/ports.ts';
import { EventLog } from './event-log.ts';
import type { Place } from './sorted-list.ts';

const NONE: TaskEvent[] = [];
const NO_BODIES: readonly ArtifactBody[] = [];
const NO_JOURNAL: readonly JournalEntry[] = [];

function isTalk({ kind }: TaskEvent): boolean {
  return kind === 'message' || kind === 'status';
}

/** One task: its head, its whole log, and the messages and statuses once more, so that a history skips the chunks. */
export class TaskRecord implements Place {
  readonly id: string;
  head: TaskHead;
  readonly #events = new EventLog();
  #talk: TaskEvent[] = NONE;
  #bodies: readonly ArtifactBody[] = NO_BODIES;
  #journal: readonly JournalEntry[] = NO_JOURNAL;
  #keys: string[] | undefined;

  constructor(head: TaskHead) {
    this.id = head.id;
    this.head = head;
  }

  get statusTime(): number {
    return this.head.statusTime;
  }

  get journal(): readonly JournalEntry[] {
    return this.#journal;
  }

  /** The names of the idempotency keys that led to it. */
  get keys(): readonly string[] {
    return this.#keys ?? [];
  }

  addKey(name: string): void {
    this.#keys ??= [];
    this.#keys.push(name);
  }

  append({ head, events, bodies, journal }: TaskCommit): void {
    this.head = head;
    this.#events.append(events);
    // An array that never grew has no room to spare, and most tasks have one commit.
    if (this.#talk === NONE) this.#talk = events.filter(isTalk).slice();
    else for (const event of events) if (isTalk(event)) this.#talk.push(event);
    if (bodies.length > 0) this.#bodies = replaced(this.#bodies, bodies);
    if (journal) this.#journal = [...this.#journal, ...journal];
  }

  /** Drops all events but the last one; the talk stays. Returns false if they were dropped before. Only for ended tasks. */
  dropEvents(): boolean {
    return this.#events.keepLast();
  }

  /** Returns false if there was none. */
  dropJournal(): boolean {
    if (this.#journal.length === 0) return false;
    this.#journal = [];
    return true;
  }

  load(detail: LoadDetail): StoredTask {
    return { head: this.head, bodies: detail.artifacts ? this.#bodies : [], events: this.#uncovered(detail) };
  }

  read(after: number, limit: ReadLimit): TaskEvent[] {
    return this.#events.read(after, limit);
  }

  #uncovered({ history, artifacts }: LoadDetail): TaskEvent[] {
    const { openFrom } = this.head;
    if (!artifacts || openFrom === 0) return history ? this.#talk.slice() : [];
    const tail = [...this.#events.after(openFrom - 1)];
    if (!history) return tail.filter((event) => event.kind === 'artifact');
    const before = this.#talk.filter((event) => event.seq < openFrom);
    return [...before, ...tail.filter((event) => event.kind !== 'created')];
  }
}

/** In the order of their positions; a body takes the place of an earlier one of the same artifact. */
function replaced(held: readonly ArtifactBody[], bodies: readonly ArtifactBody[]): readonly ArtifactBody[] {
  if (held.length === 0 && bodies.length === 1) return bodies;
  const latest = new Map([...held, ...bodies].map((body) => [body.artifact.artifactId, body]));
  return [...latest.values()].sort((left, right) => left.position - right.position);
}
