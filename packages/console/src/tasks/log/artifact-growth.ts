import { countUpTo } from './find-place.ts';
import { GrowingText } from './growing-text.ts';
import type { WireArtifact, WirePart } from './wire-events.ts';

/** A run of text that came in pieces, or one part of another kind. */
type Block =
  | { readonly kind: 'text'; readonly seq: number; readonly text: GrowingText }
  | { readonly kind: 'part'; readonly seq: number; readonly part: WirePart };

/** The content since the artifact was begun, or begun anew. */
interface Generation {
  readonly seq: number;
  readonly blocks: Block[];
  readonly blockSeqs: number[];
  /** The events that added to it. */
  readonly chunkSeqs: number[];
  lastSeq: number | undefined;
}

/** A block as it was at an event. */
export type BlockAt =
  | { readonly kind: 'text'; readonly key: number; readonly text: string; readonly length: number }
  | { readonly kind: 'part'; readonly key: number; readonly part: WirePart };

/** An artifact as it was at an event. */
export interface ArtifactAt {
  readonly id: string;
  readonly name: string | undefined;
  readonly chunks: number;
  /** Its last chunk has come. */
  readonly isComplete: boolean;
  /** The last ones; `hiddenBlocks` come before them. */
  readonly blocks: readonly BlockAt[];
  readonly hiddenBlocks: number;
}

/** The most of an artifact that one look at it shows; a look costs no more, however large the artifact is. */
export interface Look {
  readonly blocks: number;
  readonly characters: number;
}

/** How one artifact grew, event by event. */
export class ArtifactGrowth {
  readonly id: string;
  #name: string | undefined;
  readonly #generations: Generation[] = [];
  readonly #generationSeqs: number[] = [];

  constructor(id: string) {
    this.id = id;
  }

  /** The event with which it began. */
  get firstSeq(): number {
    return this.#generationSeqs[0] ?? 0;
  }

  add(seq: number, artifact: WireArtifact, append: boolean, isLast: boolean): void {
    this.#name = artifact.name ?? this.#name;
    const generation = append ? (this.#generations.at(-1) ?? this.#begin(seq)) : this.#begin(seq);
    generation.chunkSeqs.push(seq);
    for (const part of artifact.parts ?? []) addPart(generation, seq, part);
    if (isLast) generation.lastSeq = seq;
  }

  at(seq: number, look: Look): ArtifactAt | undefined {
    const generation = this.#generations[countUpTo(this.#generationSeqs, seq) - 1];
    if (generation === undefined) return undefined;
    const count = countUpTo(generation.blockSeqs, seq);
    const first = Math.max(0, count - look.blocks);
    return {
      id: this.id,
      name: this.#name,
      chunks: countUpTo(generation.chunkSeqs, seq),
      isComplete: generation.lastSeq !== undefined && generation.lastSeq <= seq,
      blocks: generation.blocks.slice(first, count).map((block, index) => showBlock(block, first + index, seq, look)),
      hiddenBlocks: first,
    };
  }

  #begin(seq: number): Generation {
    const generation: Generation = { seq, blocks: [], blockSeqs: [], chunkSeqs: [], lastSeq: undefined };
    this.#generations.push(generation);
    this.#generationSeqs.push(seq);
    return generation;
  }
}

/** Pieces of plain text in a row are one text. */
function addPart({ blocks, blockSeqs }: Generation, seq: number, part: WirePart): void {
  const last = blocks.at(-1);
  if (isPlainText(part) && last?.kind === 'text') {
    last.text.append(seq, part.text);
    return;
  }
  // A chunk that only says that it is the last has an empty text.
  if (isPlainText(part) && part.text === '') return;
  blocks.push(isPlainText(part) ? beginText(seq, part.text) : { kind: 'part', seq, part });
  blockSeqs.push(seq);
}

function beginText(seq: number, piece: string): Block {
  const text = new GrowingText();
  text.append(seq, piece);
  return { kind: 'text', seq, text };
}

function isPlainText(part: WirePart): part is WirePart & { readonly text: string } {
  return typeof part.text === 'string' && part.filename === undefined && part.metadata === undefined;
}

function showBlock(block: Block, key: number, seq: number, look: Look): BlockAt {
  if (block.kind === 'part') return { kind: 'part', key, part: block.part };
  const length = block.text.lengthAt(seq);
  return { kind: 'text', key, text: block.text.tailAt(seq, look.characters), length };
}
