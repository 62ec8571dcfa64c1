/** A place in the log of a task: a seq, and how many frames of the event after it were read. */
export type Position = readonly [seq: number, frames: number];

const POSITION = /^(\d{1,15})(?:\.(\d{1,9}))?$/;

/** The position that the id of a frame stands for; undefined for other ids. */
export function positionOf(id: string): Position | undefined {
  const found = POSITION.exec(id);
  return found ? [Number(found[1]), Number(found[2] ?? 0)] : undefined;
}

/** Negative where the first one is earlier, 0 where both are the same. */
export function comparePositions(one: Position, other: Position): number {
  return one[0] - other[0] || one[1] - other[1];
}

export function showPosition([seq, frames]: Position): string {
  return frames === 0 ? String(seq) : `${seq}.${frames}`;
}
