import { type Caller, isAgentCaller } from '../../model/call.ts';
import { A2AError } from '../../model/errors/errors.ts';
import type { OperationName } from '../../model/operations.ts';

/** Milliseconds: the shortest and the longest time after which a refused client is asked to come back. */
const SOONEST = 1000;
const LATEST = 10_000;

/** Operations that begin work. All others read, or end what was begun. */
const BEGINS_WORK: ReadonlySet<OperationName> = new Set<OperationName>(['sendMessage', 'sendStreamingMessage']);

/** The last time of a server: it takes no new work on, while its runs finish and reads are still answered. */
export class Draining {
  /** Milliseconds that runs have left; undefined where nothing runs yet. */
  readonly #left: () => number | undefined;
  #isOn = false;

  constructor(left: () => number | undefined) {
    this.#left = left;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(): void {
    this.#isOn = true;
  }

  /** The server is closed; one that was never open may be opened still. */
  end(): void {
    this.#isOn = false;
  }

  /** Throws for an operation that begins new work. What a run asks of other agents is part of its own. */
  admit(operation: OperationName, caller: Caller): void {
    if (this.#isOn && BEGINS_WORK.has(operation) && !isAgentCaller(caller)) throw this.refusal();
  }

  /** The next server is there when the runs of this one are over, at the latest. */
  refusal(): A2AError {
    const retryAfter = Math.max(SOONEST, Math.min(this.#left() ?? 0, LATEST));
    return new A2AError('UNAVAILABLE', 'The server is shutting down; try again', { retryAfter });
  }
}
