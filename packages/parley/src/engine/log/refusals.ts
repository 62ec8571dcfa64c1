import { A2AError } from '../../model/errors/errors.ts';
import type { CommitResult } from '../ports.ts';

export type Refusal = Exclude<CommitResult, 'ok'>;

/** A commit that the store refused. Peers see a reason to ask again. */
export class CommitRefused extends A2AError {
  readonly result: Refusal;

  constructor(result: Refusal) {
    super('UNAVAILABLE', 'Another server writes this task; ask again');
    this.result = result;
  }
}

/** The error of callers that wait for a task which this node no longer holds. */
export function noLongerHeld(): A2AError {
  return new A2AError('UNAVAILABLE', 'The task is no longer held by this server; ask again');
}

/** The error of callers whose commit failed after all retries. */
export function storeUnavailable(cause: unknown): A2AError {
  return new A2AError('UNAVAILABLE', 'The task store cannot be written at the moment', { cause });
}
