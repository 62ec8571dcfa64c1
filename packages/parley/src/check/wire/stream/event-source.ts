import type { WireError } from '../errors.ts';
import type { Incoming } from '../exchange.ts';

/** One event of a stream as it was written. */
export interface Frame {
  /** The lines of the frame without the empty line that ends it; one line of JSON where the binding has no lines. */
  readonly lines: readonly string[];
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  /** The text of the `data:` lines. */
  readonly data: string;
  /** The same as JSON; undefined if it is not JSON. */
  readonly json: unknown;
}

/** Is told what comes on a stream. */
export interface StreamListener {
  /** The received text, as evidence shows it, and its size. */
  readonly took: (text: string, bytes: number) => void;
  readonly frame: (frame: Frame) => void;
  /** The number of comments, such as those that keep a connection alive. */
  readonly comments: (count: number) => void;
  /** `failure`: the error with which the server ended it. */
  readonly end: (end: 'ended' | 'cut', failure?: WireError) => void;
}

/** The source of the events of a stream. */
export interface EventSource {
  readonly head: () => Omit<Incoming, 'text'>;
  /** Tells from now on what comes. */
  readonly listen: (listener: StreamListener) => void;
  readonly destroy: () => void;
}
