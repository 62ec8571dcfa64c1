import type { SentRequest, SnippetCall, SnippetTarget } from '../../../../parley/src/snippets/recorded-call.ts';

/** A frame of an event stream as it came, with the blank line that ends it. */
export interface WireFrame {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly time: number;
}

/**
 * One request and its response. The recorder adds to it while it goes on: readers look at it again when the log has told
 * them of a change.
 */
export interface WireExchange {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly request: SentRequest;
  /** The agent that the page talked to; undefined for requests of the console itself. */
  readonly target: SnippetTarget | undefined;
  /** The client's call that the request was made for; undefined for cards and for the console's own requests. */
  readonly call: SnippetCall | undefined;
  readonly response: WireResponse | undefined;
  /** The body of a response that is no stream, as far as it is kept. */
  readonly body: string;
  /** Characters of the body that are not kept. */
  readonly bodyLeftOut: number;
  readonly isStream: boolean;
  readonly frames: readonly WireFrame[];
  /** Frames that were dropped, the oldest first, because the stream is larger than what is kept of one. */
  readonly framesDropped: number;
  /** Frames that carry an event; the others are comments. */
  readonly events: number;
  /** The `id` of the last frame that had one. */
  readonly position: string | undefined;
  /** Bytes that came. */
  readonly received: number;
  readonly end: WireEnd | undefined;
}

/** How an exchange ended: properly, by the reader who left, or by a failure. */
export interface WireEnd {
  readonly kind: 'closed' | 'left' | 'failed';
  readonly time: number;
  readonly error?: string | undefined;
}
