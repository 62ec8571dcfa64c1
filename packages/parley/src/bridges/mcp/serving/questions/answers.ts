import { isPlainObject, type JsonObject } from '../../../../model/basics/json.ts';
import type { Part, Task } from '../../../../model/task.ts';
import type { Abilities } from '../calls/abilities.ts';
import { askFormsOf } from './ask-forms.ts';

/** A person's reaction to a question. */
export type Answer =
  /** Nothing for the questions that are open now. */
  | { readonly kind: 'none' }
  /** No answer will come. */
  | { readonly kind: 'declined' }
  /** The question was put aside. */
  | { readonly kind: 'dismissed' }
  /** Something was done elsewhere, on a page. */
  | { readonly kind: 'done' }
  | { readonly kind: 'parts'; readonly parts: readonly Part[] };

/** Reads what a client sent for the open questions of a task, by their keys. Answers to earlier questions do not count. */
export function answerIn(responses: unknown, task: Task, abilities: Abilities): Answer {
  const parts: Part[] = [];
  let strongest: Answer = { kind: 'none' };
  for (const form of askFormsOf(task, abilities)) {
    const response = isPlainObject(responses) ? responses[form.key] : undefined;
    if (!isPlainObject(response)) continue;
    const { action, content } = response;
    if (action === 'accept') {
      parts.push(...form.answerOf((isPlainObject(content) ? content : {}) as JsonObject));
      strongest = { kind: 'done' };
    } else if (strongest.kind !== 'done') {
      const isDeclined: boolean = action === 'decline' || strongest.kind === 'declined';
      strongest = { kind: isDeclined ? 'declined' : 'dismissed' };
    }
  }
  return parts.length > 0 ? { kind: 'parts', parts } : strongest;
}
