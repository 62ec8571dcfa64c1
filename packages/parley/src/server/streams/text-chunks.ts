import type { ArtifactEvent } from '../../engine/log/events.ts';
import { bareTextOf } from '../../model/parts.ts';
import type { Artifact } from '../../model/task.ts';

/**
 * Nearly all events of a long stream are pieces of one text, alike but for that text. What a dialect makes of one of
 * them, cut where the text stands, is a form for all the others.
 */
export class TextChunkTemplate {
  readonly artifactId: string;
  /** Before and behind the text; undefined where it cannot be told where the text stands. */
  readonly #around: readonly [string, string] | undefined;

  /** `encode` writes a chunk of which nothing but the artifact is exchanged. */
  constructor(artifactId: string, encode: (artifact: Artifact) => string) {
    this.artifactId = artifactId;
    const pieces = encode({ artifactId, parts: [{ kind: 'text', text: MARK }] }).split(WRITTEN_MARK);
    const [before, after] = pieces;
    this.#around = pieces.length === 2 && before !== undefined && after !== undefined ? [before, after] : undefined;
  }

  /** Undefined if this text must be encoded in full. */
  write(text: string): string | undefined {
    return this.#around && this.#around[0] + JSON.stringify(text) + this.#around[1];
  }
}

/** A text that nobody writes; ids that hold it all the same only make the template useless. */
const MARK = '\u0000text\u0000';
const WRITTEN_MARK = JSON.stringify(MARK);

/** The text of a chunk that is nothing but the next piece of a streamed text; undefined for all others. */
export function textPieceOf({ continues, lastChunk, metadata, artifact }: ArtifactEvent): string | undefined {
  return continues && !lastChunk && !metadata ? bareTextOf(artifact.parts) : undefined;
}
