import type { Logger } from '../../engine/ports.ts';
import { A2AError, type WireError } from '../../model/errors/errors.ts';

/** The text of every failure that was not meant for a peer. */
export const INTERNAL_TEXT = 'Internal error';

/** Logs failures inside of the server, each under a reference that the peer is told in place of the cause. */
export class InternalErrors {
  readonly #log: Logger;
  readonly #newId: () => string;
  readonly #reported = new WeakSet<A2AError>();

  constructor(log: Logger, newId: () => string) {
    this.#log = log;
    this.#newId = newId;
  }

  /** The same for anything that was thrown where nobody expected it. */
  failed(thrown: unknown, caller?: string): WireError {
    return this.report(new A2AError('INTERNAL', INTERNAL_TEXT, { cause: thrown }), caller);
  }

  /** Returns the error for the peer; the same for one that was returned before. A text that was written for peers stays as it is. */
  report(error: A2AError, caller?: string, requestId?: string): WireError {
    if (this.#reported.has(error)) return error as WireError;
    const reference = this.#newId();
    const named = {
      ...(caller !== undefined && caller !== '' && { caller }),
      ...(requestId !== undefined && { requestId }),
    };
    this.#log.error('A request failed', { reference, error: error.cause ?? error, ...named });
    const { message, metadata, violations, cause } = error;
    const text = message === INTERNAL_TEXT ? `${INTERNAL_TEXT}. Reference: ${reference}` : message;
    const told = new A2AError('INTERNAL', text, {
      metadata: { ...metadata, reference },
      violations,
      cause,
    }) as WireError;
    this.#reported.add(told);
    return told;
  }
}
