import type { JsonObject } from '../model/basics/json.ts';
import type { TaskAuthInfo } from '../model/extensions/task-auth.ts';
import type { Part } from '../model/task.ts';

/** The content of an agent's message: text, parts, or parts with an id and metadata. */
export type MessageContent =
  | string
  | Part
  | readonly Part[]
  | {
      /** Left out: made by the server. */
      readonly messageId?: string | undefined;
      readonly parts: readonly Part[];
      readonly metadata?: JsonObject | undefined;
      readonly extensions?: readonly string[] | undefined;
      readonly referenceTaskIds?: readonly string[] | undefined;
    };

/** The end of a turn. */
export type Outcome =
  | { readonly outcome: 'reply'; readonly message: MessageContent }
  | {
      readonly outcome: 'complete' | 'input-required' | 'auth-required' | 'failed' | 'rejected' | 'canceled';
      readonly message?: MessageContent | undefined;
      /** With `auth-required`: the authorization that is needed. */
      readonly auth?: TaskAuthInfo | undefined;
      /** Metadata of the final status update. */
      readonly metadata?: JsonObject | undefined;
    };

/** The task is done; the message, if any, is its last status message. The same as returning nothing. */
export function complete(message?: MessageContent): Outcome {
  return { outcome: 'complete', message };
}

/**
 * Answers with a bare message and leaves no task behind, as long as nothing has made it a task (an output, a `status`,
 * a question, or the reply window). After that the task completes with this status message.
 */
export function reply(message: MessageContent): Outcome {
  return { outcome: 'reply', message };
}

/** Ends the turn with a question. The answer starts the next turn, with the whole talk in `task.history`. */
export function inputRequired(prompt: MessageContent): Outcome {
  return { outcome: 'input-required', message: prompt };
}

/**
 * Ends the turn until the caller has given an authorization; the message explains what is needed, and the details name it
 * for programs. The next message is the credential: it starts the next turn, and is neither stored nor shown.
 *
 * @example
 * return authRequired({ message: 'Sign in to the CRM', schemes: ['oauth2'], scopes: ['crm:read'], url });
 */
export function authRequired(
  explanation: MessageContent | ({ readonly message?: MessageContent | undefined } & TaskAuthInfo),
  details: TaskAuthInfo = {},
): Outcome {
  const isContent = typeof explanation === 'string' || 'kind' in explanation || 'length' in explanation;
  if (isContent || 'parts' in explanation) {
    return { outcome: 'auth-required', message: explanation as MessageContent, auth: details };
  }
  const { message, ...auth } = explanation;
  return { outcome: 'auth-required', message, auth: { ...auth, ...details } };
}

/**
 * Ends the task as failed, with the agent's own words. Of an error that is thrown the caller sees only that there was
 * one.
 */
export function fail(why: MessageContent): Outcome {
  return { outcome: 'failed', message: why };
}

/** Thrown where a task is to fail for a reason that its caller may read. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
}

const REJECTION = Symbol.for('parley.Rejection');

/** Thrown by `reject`. */
export class Rejection extends Error {
  readonly content: MessageContent;

  constructor(content: MessageContent) {
    super(typeof content === 'string' ? content : 'The agent rejected the task');
    this.name = 'Rejection';
    this.content = content;
    Object.defineProperty(this, REJECTION, { value: true });
  }

  static isInstance(value: unknown): value is Rejection {
    return typeof value === 'object' && value !== null && REJECTION in value;
  }
}

/** `throw reject('why')` ends the task as rejected. */
export function reject(why: MessageContent): Rejection {
  return new Rejection(why);
}

export function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'outcome' in value;
}
