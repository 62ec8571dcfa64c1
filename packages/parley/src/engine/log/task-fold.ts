import { amended } from '../../model/artifacts.ts';
import { isoTime } from '../../model/basics/timestamps.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { isUnspoken } from '../../model/secrets.ts';
import { canTransition } from '../../model/states.ts';
import type { Artifact, Message, Part, Task, TaskStatus } from '../../model/task.ts';
import { withNote } from '../../model/task-notes.ts';
import type { StoredTask } from '../ports.ts';
import type { ArtifactEvent, StatusEvent, TaskEvent } from './events.ts';

interface FoldedArtifact {
  readonly position: number;
  /** Seq of its first chunk. */
  openedAt: number;
  ended: boolean;
  /** The last seq that touched it. */
  seq: number;
  attributes: Omit<Artifact, 'parts'>;
  parts: Part[];
  /** Texts that continue the last part and are not joined to it yet. */
  pieces: string[];
}

/**
 * The source of `status.message`: `agent` takes the agent's message about the state; `latest` the latest message of
 * either side, which is then left out of the history.
 */
export type StatusMessageRule = 'agent' | 'latest';

interface HistoryEntry {
  readonly seq: number;
  readonly message: Message;
}

const NO_ARTIFACTS: ReadonlyMap<string, FoldedArtifact> = new Map();
const NOT_CREATED: TaskStatus = { state: 'submitted', timestamp: isoTime(0) };

/**
 * The fold of a task's events. Deterministic and free of effects beyond itself, but it owns its accumulator: applying a
 * chunk costs the same however long the task is. Events and parts are never changed, so snapshots may share them.
 */
export class TaskFold {
  readonly id: string;
  readonly contextId: string;
  #seq = 0;
  #status: TaskStatus = NOT_CREATED;
  #statusSeq = 0;
  #statusTime = 0;
  #consumed = 0;
  #asking = false;
  #queued = false;
  #metadata: Task['metadata'];
  /** By their ids; nobody's own while there are none, since lists fold many tasks without theirs. */
  #artifacts: ReadonlyMap<string, FoldedArtifact> = NO_ARTIFACTS;
  readonly #history: HistoryEntry[] = [];
  #snapshot: Task | undefined;

  readonly #statusMessage: StatusMessageRule;

  constructor(id: string, contextId: string, statusMessage: StatusMessageRule = 'agent') {
    this.id = id;
    this.contextId = contextId;
    this.#statusMessage = statusMessage;
  }

  get seq(): number {
    return this.#seq;
  }

  get status(): TaskStatus {
    return this.#status;
  }

  get statusTime(): number {
    return this.#statusTime;
  }

  get consumed(): number {
    return this.#consumed;
  }

  get asking(): boolean {
    return this.#asking;
  }

  /** See StatusEvent. */
  get queued(): boolean {
    return this.#queued;
  }

  /** The number of messages in the history; the current status message may come to it. */
  get messageCount(): number {
    return this.#history.length;
  }

  apply(event: TaskEvent): void {
    if (event.seq !== this.#seq + 1) {
      throw new Error(`Event ${event.seq} does not follow ${this.#seq} in the log of task ${this.id}`);
    }
    this.#fold(event);
    this.#seq = event.seq;
  }

  /** The task as it is now. Cheap to ask for again until the next event. */
  snapshot(): Task {
    if (this.#snapshot) return this.#snapshot;
    const { id, contextId } = this;
    const { status, history } = this.#statusAndHistory();
    const artifacts = this.#artifacts.size === 0 ? [] : [...this.#artifacts.values()].map(toArtifact);
    this.#snapshot = { id, contextId, status, history, artifacts, metadata: this.#metadata };
    return this.#snapshot;
  }

  #statusAndHistory(): Pick<Task, 'status' | 'history'> {
    if (this.#statusMessage === 'agent') {
      return { status: this.#status, history: this.#history.map((entry) => entry.message) };
    }
    const talk = this.talk().map((entry) => entry.message);
    return { status: { ...this.#status, message: talk.at(-1) }, history: talk.slice(0, -1) };
  }

  /** An artifact as it will be after these further events of it. */
  preview(artifactId: string, events: readonly ArtifactEvent[]): Artifact {
    const current = this.#artifacts.get(artifactId);
    const draft: FoldedArtifact = current
      ? { ...current, parts: [...current.parts], pieces: [...current.pieces] }
      : emptyArtifact(artifactId, 0);
    for (const event of events) applyChunk(draft, event);
    return toArtifact(draft);
  }

  /** All that was said so far in its order, with the seq at which it was, the current status message included. */
  talk(): readonly HistoryEntry[] {
    const current = this.#status.message;
    return current
      ? this.#history.toSpliced(this.#placeOfStatus(), 0, { seq: this.#statusSeq, message: current })
      : this.#history;
  }

  positionOf(artifactId: string): number | undefined {
    return this.#artifacts.get(artifactId)?.position;
  }

  /** Artifacts that have not ended, with the seq of their first chunk. */
  *openArtifacts(): Iterable<{ readonly id: string; readonly openedAt: number }> {
    for (const [id, artifact] of this.#artifacts) {
      if (!artifact.ended) yield { id, openedAt: artifact.openedAt };
    }
  }

  get artifactCount(): number {
    return this.#artifacts.size;
  }

  /** Rebuilds the fold from a store: the head and the bodies, and the events that they do not cover. */
  static restore(stored: StoredTask, statusMessage?: StatusMessageRule): TaskFold {
    const { head } = stored;
    const fold = new TaskFold(head.id, head.contextId, statusMessage);
    fold.#layOut(stored);
    for (const event of stored.events) {
      const covered =
        event.kind === 'artifact' && event.seq <= (fold.#artifacts.get(event.artifact.artifactId)?.seq ?? 0);
      if (!covered) fold.#fold(event);
    }
    fold.#seq = head.seq;
    fold.#status = head.status;
    fold.#statusTime = head.statusTime;
    fold.#consumed = head.consumed;
    fold.#asking = head.asking;
    fold.#metadata = head.metadata;
    return fold;
  }

  /** Puts the artifacts in their order: those with a body where it says, the open ones into the places left over. */
  #layOut({ bodies, events }: StoredTask): void {
    // Lists show most tasks without their artifacts.
    if (bodies.length === 0 && !hasArtifacts(events)) return;
    const order: FoldedArtifact[] = [];
    for (const { artifact, position, seq } of bodies) {
      const { parts, ...attributes } = artifact;
      order[position] = { position, openedAt: seq, ended: true, seq, attributes, parts: [...parts], pieces: [] };
    }
    const known = new Set(bodies.map((body) => body.artifact.artifactId));
    let position = 0;
    for (const event of events) {
      if (event.kind !== 'artifact' || known.has(event.artifact.artifactId)) continue;
      const { artifactId } = event.artifact;
      known.add(artifactId);
      while (order[position]) position += 1;
      order[position] = emptyArtifact(artifactId, position);
    }
    for (const artifact of order) if (artifact) this.#add(artifact);
  }

  #fold(event: TaskEvent): void {
    this.#snapshot = undefined;
    switch (event.kind) {
      case 'created':
        this.#status = { state: 'submitted', timestamp: isoTime(event.time) };
        this.#statusTime = event.time;
        this.#metadata = event.metadata;
        return;
      case 'message':
        if (!event.secret || !isUnspoken(event.message)) this.#history.push({ seq: event.seq, message: event.message });
        return;
      case 'status':
        this.#replaceStatus(event);
        return;
      case 'artifact':
        this.#applyArtifact(event);
        return;
      case 'noted':
        this.#metadata = withNote(this.#metadata, event);
        return;
    }
  }

  /**
   * An agent's status message enters the history when the next status replaces it, at the place where it was said:
   * before messages that came after it.
   */
  #replaceStatus(event: StatusEvent): void {
    const said = this.#status.message;
    if (said) this.#history.splice(this.#placeOfStatus(), 0, { seq: this.#statusSeq, message: said });
    if (event.metadata) this.#metadata = { ...this.#metadata, ...event.metadata };
    this.#status = event.status;
    this.#statusSeq = event.seq;
    this.#statusTime = event.time;
    this.#consumed = event.consumed;
    this.#asking = event.asking === true;
    this.#queued = event.queued === true;
  }

  /** The place of the current status message in the history, which is near its end. */
  #placeOfStatus(): number {
    let place = this.#history.length;
    while (place > 0 && (this.#history[place - 1]?.seq ?? 0) > this.#statusSeq) place -= 1;
    return place;
  }

  #applyArtifact(event: ArtifactEvent): void {
    const { artifactId } = event.artifact;
    let folded = this.#artifacts.get(artifactId);
    if (!folded) {
      folded = emptyArtifact(artifactId, this.#artifacts.size);
      this.#add(folded);
    }
    // Kept when an open artifact is replaced: the order of first chunks is the order of artifacts.
    if (folded.ended || folded.openedAt === 0) folded.openedAt = event.seq;
    applyChunk(folded, event);
  }

  #add(artifact: FoldedArtifact): void {
    const { artifactId } = artifact.attributes;
    if (this.#artifacts === NO_ARTIFACTS) this.#artifacts = new Map([[artifactId, artifact]]);
    else (this.#artifacts as Map<string, FoldedArtifact>).set(artifactId, artifact);
  }
}

function hasArtifacts(events: readonly TaskEvent[]): boolean {
  for (const { kind } of events) if (kind === 'artifact') return true;
  return false;
}

/** Refuses what the life of a task does not allow (`canTransition`). */
export function assertTransition(from: TaskStatus['state'], to: TaskStatus['state']): void {
  if (!canTransition(from, to)) {
    throw new A2AError('UNSUPPORTED_OPERATION', `A task cannot go from ${from} to ${to}`);
  }
}

function applyChunk(folded: FoldedArtifact, event: ArtifactEvent): void {
  folded.seq = event.seq;
  folded.ended = event.lastChunk;
  if (event.closing) return;
  const { parts } = event.artifact;
  if (!event.append) {
    const { parts: _, ...attributes } = event.artifact;
    folded.attributes = attributes;
    folded.parts = [...parts];
    folded.pieces = [];
    return;
  }
  folded.attributes = amended(folded.attributes, event.artifact);
  const first = parts[0];
  const continues = event.continues && first?.kind === 'text' && folded.parts.at(-1)?.kind === 'text';
  if (continues) folded.pieces.push(first.text);
  if (continues && parts.length === 1) return;
  join(folded);
  for (let index = continues ? 1 : 0; index < parts.length; index += 1) folded.parts.push(parts[index] as Part);
}

/** Joins the pieces to the part that they continue: once for many of them, so that a chunk costs the same always. */
function join(folded: FoldedArtifact): void {
  if (folded.pieces.length === 0) return;
  const last = folded.parts.at(-1);
  if (last?.kind !== 'text') return;
  folded.parts[folded.parts.length - 1] = { ...last, text: last.text + folded.pieces.join('') };
  folded.pieces = [];
}

function emptyArtifact(artifactId: string, position: number): FoldedArtifact {
  return { position, openedAt: 0, ended: false, seq: 0, attributes: { artifactId }, parts: [], pieces: [] };
}

function toArtifact(folded: FoldedArtifact): Artifact {
  join(folded);
  return { ...folded.attributes, parts: [...folded.parts] };
}
