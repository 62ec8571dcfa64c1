import { isPlainObject, type JsonObject } from '../../../model/basics/json.ts';
import type { Part, Task } from '../../../model/task.ts';
import type { Abilities } from './abilities.ts';
import { askFormOf, keyOf } from './questions.ts';

/** A person's reaction to a question. */
export type Answer =
  /** Nothing for the question that is open now. */
  | { readonly kind: 'none' }
  /** No answer will come. */
  | { readonly kind: 'declined' }
  /** The question was put aside. */
  | { readonly kind: 'dismissed' }
  /** Something was done elsewhere, on a page. */
  | { readonly kind: 'done' }
  | { readonly kind: 'parts'; readonly parts: readonly Part[] };

/** Reads what a client sent for the open question of a task. Answers to earlier questions do not count. */
export function answerIn(responses: unknown, task: Task, abilities: Abilities): Answer {
  const response = isPlainObject(responses) ? responses[keyOf(task)] : undefined;
  return isPlainObject(response) ? answerOf(response, task, abilities) : { kind: 'none' };
}

/** Reads the result of one elicitation. */
export function answerOf(response: Readonly<Record<string, unknown>>, task: Task, abilities: Abilities): Answer {
  if (response.action === 'decline') return { kind: 'declined' };
  if (response.action !== 'accept') return { kind: 'dismissed' };
  const content = isPlainObject(response.content) ? response.content : {};
  const parts = askFormOf(task, abilities)?.answerOf(content as JsonObject);
  if (parts === undefined) return { kind: 'none' };
  return parts.length === 0 ? { kind: 'done' } : { kind: 'parts', parts };
}
