import { isA2AError } from 'parley-a2a/client';
import { isOperatorError } from './operator-error.ts';

export interface ErrorWords {
  readonly sentence: string;
  /** What the person can do about it. */
  readonly advice?: string | undefined;
}

const ADVICE: Readonly<Record<string, string>> = {
  UNREACHABLE: 'Check that the server runs and try again.',
  TIMEOUT: 'The agent may still be at work. Look at its task, or try again.',
  STREAM_INTERRUPTED: 'The task may still be at work. Follow it again to get what is missing.',
  INVALID_RESPONSE: 'What came is not A2A. The wire shows it as it was sent.',
  NOT_FOUND: 'Check the address of the agent.',
  UNAUTHENTICATED: 'The agent wants to know who calls. Give it a token or a key: Wire, Agent settings.',
  PERMISSION_DENIED: 'Your credential is not enough for this. Sign in with another one.',
  TASK_NOT_FOUND: 'It may have been removed after its time, or it belongs to somebody else.',
  TASK_NOT_CANCELABLE: 'It has ended already.',
  CONTENT_TYPE_NOT_SUPPORTED: 'The card of the agent says what it takes.',
  PAYLOAD_TOO_LARGE: 'Send less at once.',
  OVERLOADED: 'Wait a moment and try again.',
  UNAVAILABLE: 'Wait a moment and try again.',
  INTERNAL: 'The log of the server says more.',
};

/** An error in words: what happened and, where it is known, what to do. */
export function describeError(error: unknown): ErrorWords {
  if (isOperatorError(error)) return { sentence: error.message, advice: error.advice };
  // The relay of this server refused the request: that says more than that nobody could be reached.
  if (error instanceof Error && isOperatorError(error.cause)) return describeError(error.cause);
  if (isA2AError(error)) return { sentence: sentenceOf(error.message), advice: ADVICE[error.code] };
  if (error instanceof TypeError && error.message.toLowerCase().includes('fetch')) {
    return { sentence: 'The server cannot be reached.', advice: ADVICE.UNREACHABLE };
  }
  return { sentence: sentenceOf(error instanceof Error ? error.message : String(error)) };
}

function sentenceOf(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
