import { A2AError } from '../../model/errors/errors.ts';
import type { CommitResult } from '../ports.ts';

type Refusal = Exclude<CommitResult, 'ok'>;

/** Milliseconds after which a client may try again, if it is not known how long it takes. */
const SOON_MS = 1000;

/** A commit that the store refused. Peers see a reason to ask again. */
export class CommitRefused extends A2AError {
  readonly result: Refusal;

  constructor(result: Refusal) {
    super('UNAVAILABLE', 'Another server writes this task; ask again', { retryAfter: SOON_MS });
    this.result = result;
  }
}

/** The error of callers that wait for a task which this node no longer holds. */
export function noLongerHeld(): A2AError {
  return new A2AError('UNAVAILABLE', 'The task is no longer held by this server; ask again', { retryAfter: SOON_MS });
}

/** The error of callers whose commit failed after all retries. */
export function storeUnavailable(cause: unknown): A2AError {
  return new A2AError('UNAVAILABLE', 'The task store cannot be written at the moment', { cause, retryAfter: SOON_MS });
}

/** The error of callers whose request needs a store that does not respond, or fails. */
export function storeUnreachable(cause?: unknown): A2AError {
  return new A2AError('UNAVAILABLE', 'The task store cannot be reached at the moment; try again', {
    cause,
    retryAfter: SOON_MS,
  });
}

/** The error of callers of a closed engine. */
export function closedError(): A2AError {
  return new A2AError('UNAVAILABLE', 'The server is shutting down; try again');
}
