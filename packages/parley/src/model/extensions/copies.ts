import { isPlainObject, type JsonObject } from '../basics/json.ts';

/** Copies: a task that was run again, or is part of a conversation that was forked, tells which task it is a copy of. */
export const COPIES_EXTENSION = 'urn:parley:ext:copies:v1';

/** The task that another one was made from. */
export interface CopySource {
  readonly taskId: string;
  /** The step from which it was run again; undefined: from its beginning, or not at all. */
  readonly fromStep?: string | undefined;
}

export function copyMark({ taskId, fromStep }: CopySource): JsonObject {
  return { [COPIES_EXTENSION]: { taskId, ...(fromStep !== undefined && { fromStep }) } };
}

/** The source of a copy, by the metadata of its first message or of the task itself; undefined if it is no copy. */
export function copySourceOf(metadata: JsonObject | undefined): CopySource | undefined {
  const value = metadata?.[COPIES_EXTENSION];
  if (!isPlainObject(value) || typeof value.taskId !== 'string') return undefined;
  return { taskId: value.taskId, fromStep: typeof value.fromStep === 'string' ? value.fromStep : undefined };
}
