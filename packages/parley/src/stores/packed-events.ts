import type { ArtifactEvent, TaskEvent } from '../engine/log/events.ts';
import { bareTextOf } from '../model/parts.ts';
import type { TextPart } from '../model/task.ts';

/**
 * Pieces of one streamed text, each an event of its own in the log, which differ in nothing but their text and time.
 * Nearly all events of a long stream are such; kept like this they take a fraction of the room.
 */
interface TextRun {
  readonly kind: 'texts';
  readonly artifactId: string;
  /** The seq of the first piece. */
  readonly seq: number;
  readonly time: number;
  /** All pieces, joined. */
  readonly text: string;
  /** The length of each piece. */
  readonly lengths: readonly number[];
  /** For each piece, milliseconds after the first; absent where all have the same time. */
  readonly later?: readonly number[] | undefined;
}

export type PackedEvent = TaskEvent | TextRun;

/** Events that follow each other in a log. */
export function pack(events: readonly TaskEvent[]): PackedEvent[] {
  let packed: PackedEvent[] | undefined;
  let index = 0;
  while (index < events.length) {
    const length = runLength(events, index);
    // An array that never grew has no room to spare, and most tasks have nothing to pack.
    if (length > 1) packed ??= events.slice(0, index);
    packed?.push(length > 1 ? textRun(events, index, length) : (events[index] as TaskEvent));
    index += Math.max(length, 1);
  }
  return packed ?? events.slice();
}

/** The events after a seq. */
export function* unpack(packed: PackedEvent, after = 0): Generator<TaskEvent, void, undefined> {
  if (packed.kind !== 'texts') {
    if (packed.seq > after) yield packed;
    return;
  }
  const { artifactId, seq, time, text, lengths, later } = packed;
  let start = 0;
  for (const [index, length] of lengths.entries()) {
    const end = start + length;
    if (seq + index > after) {
      yield {
        kind: 'artifact',
        seq: seq + index,
        time: time + (later?.[index] ?? 0),
        artifact: { artifactId, parts: [{ kind: 'text', text: text.slice(start, end) }] },
        append: true,
        lastChunk: false,
        continues: true,
      };
    }
    start = end;
  }
}

export function lastSeqOf(packed: PackedEvent): number {
  return packed.kind === 'texts' ? packed.seq + packed.lengths.length - 1 : packed.seq;
}

/** Counts the events from here on that are pieces of the same text. */
function runLength(events: readonly TaskEvent[], from: number): number {
  const first = events[from];
  if (first?.kind !== 'artifact') return 0;
  let length = 0;
  for (let event = events[from]; event?.kind === 'artifact'; event = events[from + length]) {
    if (event.artifact.artifactId !== first.artifact.artifactId || pieceOf(event) === undefined) break;
    length += 1;
  }
  return length;
}

/** Without a callback for each piece: nearly all events that a store writes are pieces. */
function textRun(events: readonly TaskEvent[], from: number, count: number): TextRun {
  const { seq, time, artifact } = events[from] as ArtifactEvent;
  const texts: string[] = [];
  const lengths: number[] = [];
  const later: number[] = [];
  for (let index = from; index < from + count; index += 1) {
    const piece = events[index] as ArtifactEvent;
    const { text } = piece.artifact.parts[0] as TextPart;
    texts.push(text);
    lengths.push(text.length);
    later.push(piece.time - time);
  }
  const isLater = later.some((offset) => offset !== 0);
  return {
    kind: 'texts',
    artifactId: artifact.artifactId,
    seq,
    time,
    text: texts.join(''),
    lengths,
    later: isLater ? later : undefined,
  };
}

/** The text of an event that is nothing but the next piece of a streamed text; undefined for all others. */
function pieceOf({ artifact, continues, lastChunk, metadata }: ArtifactEvent): string | undefined {
  return continues && !lastChunk && !metadata ? bareTextOf(artifact.parts) : undefined;
}
