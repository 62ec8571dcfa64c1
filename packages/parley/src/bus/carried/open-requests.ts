import type { BusReply } from '../../engine/ports.ts';
import { readResponse } from './responses.ts';

/** Milliseconds until a command without a response is sent again; the node carries it out once. */
const SEND_AGAIN_AFTER = 2_000;

/** Milliseconds until an absent node is looked for once more: it may be about to connect again. */
const LOOK_AGAIN_AFTER = 200;
/** Milliseconds in which all nodes are back after an outage of what connects them. */
const SETTLING_TIME = 4_000;

interface OpenRequest {
  readonly resolve: (reply: BusReply) => void;
  readonly reject: (error: unknown) => void;
  readonly send: () => void;
  /** The number of times that the node was not there. */
  absences: number;
  /** A second look is to come. */
  isLookedForAgain: boolean;
}

interface SentCommand {
  readonly signal: AbortSignal;
  /** Resolves with false where the node is not there now. */
  readonly send: (id: string) => Promise<boolean>;
}

/** Commands of one node that wait for their responses. */
export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>();
  /** Until then a node that is not there may just be late. */
  #settledAt = 0;

  async request({ signal, send }: SentCommand): Promise<BusReply> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<BusReply>();
    const id = crypto.randomUUID();
    // While the connection is down nothing can be sent; the next attempt comes when it is back, or after a while.
    const attempt = () => {
      send(id).then(
        (isThere) => !isThere && this.absent(id),
        () => {},
      );
    };
    const abort = () => reject(signal.reason);
    const timer = setInterval(attempt, SEND_AGAIN_AFTER);
    timer.unref();
    signal.addEventListener('abort', abort);
    this.#open.set(id, { resolve, reject, send: attempt, absences: 0, isLookedForAgain: false });
    attempt();
    try {
      return await promise;
    } finally {
      this.#open.delete(id);
      clearInterval(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  respond(id: string, text: string): void {
    const request = this.#open.get(id);
    if (!request) return;
    try {
      request.resolve(readResponse(text));
    } catch (error) {
      request.reject(error);
    }
  }

  /** The node of a request is not there now. */
  absent(id: string): void {
    const request = this.#open.get(id);
    if (!request) return;
    // Each part of a long command may be reported as undeliverable.
    if (request.isLookedForAgain) return;
    request.absences += 1;
    if (request.absences > 1 && performance.now() >= this.#settledAt) {
      request.resolve({ kind: 'gone' });
      return;
    }
    request.isLookedForAgain = true;
    setTimeout(() => {
      request.isLookedForAgain = false;
      if (this.#open.has(id)) request.send();
    }, LOOK_AGAIN_AFTER).unref();
  }

  /** The connection is back after an outage, which other nodes may have had, too. */
  resume(): void {
    this.#settledAt = performance.now() + SETTLING_TIME;
    for (const { send } of this.#open.values()) send();
  }

  end(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
  }
}
