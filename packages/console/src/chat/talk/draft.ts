import type { Part } from 'parley-a2a/client';

/** What another page wants the next conversation to begin with. */
export interface Draft {
  readonly skill?: string | undefined;
  /** Words to put into the field, to be sent by the person. */
  readonly text?: string | undefined;
  /** Parts to send at once: the person has filled in a form already. */
  readonly send?: readonly Part[] | undefined;
}

let left: Draft | undefined;

export function leaveDraft(draft: Draft): void {
  left = draft;
}

export function currentDraft(): Draft | undefined {
  return left;
}

/** The draft was taken: the next conversation begins without it. */
export function forgetDraft(): void {
  left = undefined;
}
