import { isPlainObject, type JsonObject } from './basics/json.ts';
import { QUESTIONS_EXTENSION } from './extensions/questions.ts';
import type { TaskState } from './states.ts';
import type { Message, Part } from './task.ts';

interface Asked {
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject | undefined;
}

/**
 * Returns true if the next message to a task in this status is a secret: a credential, or the answer to a question that
 * says so in its metadata or in that of one of its parts.
 */
export function awaitsSecret({ state, message }: { readonly state: TaskState; readonly message?: Asked | undefined }) {
  if (state === 'auth-required') return true;
  return state === 'input-required' && message !== undefined && isSensitive(message);
}

function isSensitive({ parts, metadata }: Asked): boolean {
  if (metadata && [metadata, metadata[QUESTIONS_EXTENSION], metadata.inputRequest].some(saysSensitive)) return true;
  return parts.some((part) => saysSensitive(part.metadata));
}

function saysSensitive(value: unknown): boolean {
  return isPlainObject(value) && value.sensitive === true;
}

/** Replaces a secret answer. */
const NOT_SHOWN: readonly Part[] = [{ kind: 'text', text: '(not shown)' }];

/**
 * As much of a secret message as the log keeps: that it came. An answer keeps its place in the talk; a credential has
 * none, and no parts.
 */
export function withoutContent({ messageId, role, contextId, taskId }: Message, isCredential: boolean): Message {
  return { messageId, role, contextId, taskId, parts: isCredential ? [] : NOT_SHOWN };
}

/** A credential is no part of what was said: no history shows it. */
export function isUnspoken({ parts }: Message): boolean {
  return parts.length === 0;
}
