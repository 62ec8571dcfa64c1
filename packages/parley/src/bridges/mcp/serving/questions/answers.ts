import { isPlainObject, type JsonObject } from '../../../../model/basics/json.ts';
import type { Part, Task } from '../../../../model/task.ts';
import type { Abilities } from '../calls/abilities.ts';
import { askFormsOf } from './ask-forms.ts';

/** A person's reaction to a question. */
type Answer =
  /** Nothing for the questions that are open now. */
  | { readonly kind: 'none' }
  /** No answer will come. */
  | { readonly kind: 'declined' }
  /** The question was put aside. */
  | { readonly kind: 'dismissed' }
  /** Something was done elsewhere, on a page. */
  | { readonly kind: 'done' }
  /** Answers. `leavesSome`: another question was put aside. */
  | { readonly kind: 'parts'; readonly parts: readonly Part[]; readonly leavesSome: boolean };

/**
 * Reads what a client sent for the open questions of a task, by their keys. Answers to earlier questions do not count. Of
 * several questions, one that is declined declines them all: the agent waits for each.
 */
export function answerIn(responses: unknown, task: Task, abilities: Abilities): Answer {
  const parts: Part[] = [];
  const actions = new Set<unknown>();
  for (const form of askFormsOf(task, abilities)) {
    const response = isPlainObject(responses) ? responses[form.key] : undefined;
    if (!isPlainObject(response)) continue;
    const { action, content } = response;
    actions.add(action === 'accept' || action === 'decline' ? action : 'cancel');
    if (action === 'accept') parts.push(...form.answerOf((isPlainObject(content) ? content : {}) as JsonObject));
  }
  if (actions.has('decline')) return { kind: 'declined' };
  if (parts.length > 0) return { kind: 'parts', parts, leavesSome: actions.has('cancel') };
  if (actions.has('accept')) return { kind: 'done' };
  return { kind: actions.has('cancel') ? 'dismissed' : 'none' };
}
