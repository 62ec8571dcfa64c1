import type { Outgoing } from './exchange.ts';

/** A response that has begun. */
export interface CarriedResponse {
  readonly status: number;
  /** Names in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes as they come. Throws where they break off. It is read once. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Lets go of the response, whether it is at its end or not. */
  readonly close: () => void;
}

/** The way of a request to the server under check: over the network, through a guard, or within one process. */
export interface Carrier {
  /**
   * Sends the request exactly as it is given, once, and resolves when its response has begun. Redirects are not followed. Rejects
   * with an error whose message says why there is no response. The signal ends all of it, the body of the response included.
   */
  readonly open: (sent: Outgoing, signal: AbortSignal) => Promise<CarriedResponse>;
  readonly close: () => void;
}
