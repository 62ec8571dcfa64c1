/** The place in a task's log at which a reader begins. */
export type ReadFrom =
  /** The task as it is now, then what happens to it. A task that has ended is refused. */
  | 'now'
  /** The same, also for a task that has ended. */
  | 'snapshot'
  /**
   * Exactly the events after this seq, 0 or more. `fromStart`: the reader gets the events up to it as well, because it
   * cannot understand the others without them.
   */
  | { readonly after: number; readonly fromStart?: boolean | undefined }
  /** A position that cannot be read: the same as `snapshot`, and the subscription says why. */
  | { readonly gap: 'malformed' };

/** The seq after which a reader wants the events; undefined where it wants the task first. */
export function afterOf(from: ReadFrom): number | undefined {
  return typeof from === 'object' && 'after' in from ? from.after : undefined;
}
