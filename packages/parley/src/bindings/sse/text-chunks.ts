import type { Artifact } from '../../model/task.ts';

/**
 * Nearly all events of a long stream are pieces of one text, alike but for that text. The dialect's form of one of them,
 * cut where the text stands, is a template for all the others.
 */
export class TextChunkTemplate {
  readonly artifactId: string;
  /** Before and after the text; undefined where the place of the text cannot be told. */
  readonly #around: readonly [string, string] | undefined;

  /** `encode` writes a chunk of which nothing but the artifact is exchanged. */
  constructor(artifactId: string, encode: (artifact: Artifact) => string) {
    this.artifactId = artifactId;
    const pieces = encode({ artifactId, parts: [{ kind: 'text', text: MARK }] }).split(WRITTEN_MARK);
    const [before, after] = pieces;
    this.#around = pieces.length === 2 && before !== undefined && after !== undefined ? [before, after] : undefined;
  }

  /** Returns the chunk with this text; undefined where it must be encoded in full. */
  write(text: string): string | undefined {
    return this.#around && this.#around[0] + JSON.stringify(text) + this.#around[1];
  }
}

/** A text that does not occur; ids that hold it only make the template useless. */
const MARK = '\u0000text\u0000';
const WRITTEN_MARK = JSON.stringify(MARK);
