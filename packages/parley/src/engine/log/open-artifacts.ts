import type { Artifact } from '../../model/task.ts';
import type { ArtifactBody } from '../ports.ts';
import type { ChunkDraft } from '../turn/runner.ts';
import type { ArtifactEvent, LogRecord } from './events.ts';
import type { TaskFold } from './task-fold.ts';

/** The way in which an artifact was left: the next piece continues its last text or not, or the artifact has ended. */
export type ArtifactEnd = 'streamed' | 'separate' | 'ended';

interface OpenArtifact {
  readonly openedAt: number;
  /** Its last part is a streamed string that the next piece continues. */
  isStreaming: boolean;
}

/** The artifacts of a task that may still grow, with everything that is appended. */
export class OpenArtifacts {
  readonly #fold: TaskFold;
  /** Undefined if there are none: nearly all tasks have one artifact at a time, and a map that is emptied makes a smaller one. */
  #open: Map<string, OpenArtifact> | undefined;
  /** The places of artifacts of which the fold has nothing yet; undefined if there are none. */
  #newPositions: Map<string, number> | undefined;
  /** Artifacts that have ended since the last commit was taken; undefined if there are none. */
  #ended: Set<string> | undefined;

  constructor(fold: TaskFold) {
    this.#fold = fold;
    if (fold.artifactCount === 0) return;
    for (const { id, openedAt } of fold.openArtifacts()) this.#opened(id, { openedAt, isStreaming: false });
  }

  get ids(): readonly string[] {
    return this.#open ? [...this.#open.keys()] : NONE;
  }

  /** The seq at which the oldest of them was opened; 0 if there is none. */
  get openFrom(): number {
    let openFrom = 0;
    if (!this.#open) return openFrom;
    for (const { openedAt } of this.#open.values()) {
      if (openFrom === 0 || openedAt < openFrom) openFrom = openedAt;
    }
    return openFrom;
  }

  has(artifactId: string): boolean {
    return this.#open?.has(artifactId) === true;
  }

  /** Turns a chunk into the event to append: a chunk of an artifact that exists appends to it, unless it says else. */
  write(seq: number, time: number, draft: ChunkDraft): ArtifactEvent {
    const { artifactId } = draft;
    const open = this.#open?.get(artifactId);
    const isKnown = open !== undefined || this.#positionOf(artifactId) !== undefined;
    const append = isKnown && draft.append !== false;
    const continues = append && draft.streamed && open?.isStreaming === true;
    const lastChunk = draft.lastChunk === true;
    if (!isKnown) this.#place(artifactId);
    if (lastChunk) this.end(artifactId);
    else if (open) open.isStreaming = draft.streamed;
    else this.#opened(artifactId, { openedAt: seq, isStreaming: draft.streamed });
    const artifact = append && !draft.amends ? { artifactId, parts: draft.parts } : contentOf(draft);
    return { kind: 'artifact', seq, time, artifact, append, lastChunk, continues };
  }

  end(artifactId: string): void {
    this.#open = without(this.#open, artifactId);
    this.#ended ??= new Set();
    this.#ended.add(artifactId);
  }

  endAll(): void {
    for (const artifactId of this.ids) this.end(artifactId);
  }

  /** Says whether the next piece continues the last text of an open artifact. */
  continueText(artifactId: string, isStreaming: boolean): void {
    const open = this.#open?.get(artifactId);
    if (open) open.isStreaming = isStreaming;
  }

  /** The way in which each open artifact stands. */
  ends(): Readonly<Record<string, ArtifactEnd>> {
    const ends: Record<string, ArtifactEnd> = {};
    for (const [artifactId, { isStreaming }] of this.#open ?? [])
      ends[artifactId] = isStreaming ? 'streamed' : 'separate';
    return ends;
  }

  /** Takes the bodies of the artifacts that end with a commit; `records` are those of the commit, `seq` its last one. */
  takeBodies(records: readonly LogRecord[], seq: number): readonly ArtifactBody[] {
    if (!this.#ended) return NO_BODIES;
    const bodies = [...this.#ended].map((artifactId) => {
      const artifact = this.#fold.preview(artifactId, chunksOf(artifactId, records));
      return { artifact, position: this.#positionOf(artifactId) ?? 0, seq };
    });
    this.#ended = undefined;
    return bodies;
  }

  /** The fold has the artifact from now on. */
  commit(artifactId: string): void {
    if (this.#newPositions) this.#newPositions = without(this.#newPositions, artifactId);
  }

  #opened(artifactId: string, open: OpenArtifact): void {
    this.#open ??= new Map();
    this.#open.set(artifactId, open);
  }

  #place(artifactId: string): void {
    this.#newPositions ??= new Map();
    this.#newPositions.set(artifactId, this.#fold.artifactCount + this.#newPositions.size);
  }

  #positionOf(artifactId: string): number | undefined {
    return this.#fold.positionOf(artifactId) ?? this.#newPositions?.get(artifactId);
  }
}

const NONE: readonly string[] = [];
const NO_BODIES: readonly ArtifactBody[] = [];

/** The map without an entry; undefined where that was the last one. */
function without<Value>(map: Map<string, Value> | undefined, key: string): Map<string, Value> | undefined {
  if (map?.size === 1 && map.has(key)) return undefined;
  map?.delete(key);
  return map;
}

function contentOf({ artifactId, name, description, extensions, parts, metadata }: ChunkDraft): Artifact {
  return { artifactId, name, description, extensions, parts, metadata };
}

function chunksOf(artifactId: string, records: readonly LogRecord[]): readonly ArtifactEvent[] {
  const chunks: ArtifactEvent[] = [];
  for (const { event } of records) {
    if (event.kind === 'artifact' && event.artifact.artifactId === artifactId) chunks.push(event);
  }
  return chunks;
}
