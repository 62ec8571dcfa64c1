import type { JsonObject } from '../basics/json.ts';
import { RESUME_EXTENSION } from '../card.ts';
import type { Task } from '../task.ts';

/**
 * Reasons why a stream cannot begin at a position: its events are gone, the log is not that long, or it is no position.
 */
export type GapKind = 'too-old' | 'ahead' | 'malformed';

/** A position that could not be honoured. The Task that such a stream begins with says so in its metadata. */
export interface ResumeGap {
  readonly gap: GapKind;
  /** The position as it was given, shortened. */
  readonly asked: string;
}

/** The task as one stream begins with it. The note is for the reader of that stream alone and is never stored. */
export function withGap(task: Task, { gap, asked }: ResumeGap): Task {
  return { ...task, metadata: { ...task.metadata, [RESUME_EXTENSION]: { gap, asked } } };
}

/** The task as it is stored. */
export function withoutGap<Noted extends { readonly metadata?: JsonObject | undefined }>(noted: Noted): Noted {
  if (noted.metadata?.[RESUME_EXTENSION] === undefined) return noted;
  const { [RESUME_EXTENSION]: _, ...metadata } = noted.metadata;
  const { metadata: __, ...rest } = noted;
  return (Object.keys(metadata).length > 0 ? { ...rest, metadata } : rest) as Noted;
}
