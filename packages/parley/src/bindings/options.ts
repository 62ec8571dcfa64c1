import type { FileEncodingOptions } from '../dialects/file-encoding.ts';
import type { DialectRegistry } from '../dialects/registry.ts';
import type { A2AError, WireError } from '../model/errors/errors.ts';
import type { ExchangeRequest } from './exchange.ts';
import type { ErrorTable } from './rest/errors.ts';

/** The settings, limits and clock of a server that its bindings need. */
export interface BindingOptions {
  /** The dialects that requests may be in. Default: the built-in ones. */
  readonly dialects?: DialectRegistry | undefined;
  /** Treats requests without `A2A-Version` as 1.0, unless something in them speaks for 0.3. */
  readonly lenient: boolean;
  /** Accepts JSON-RPC batches of unary methods. */
  readonly batch: boolean;
  /** The release that decides the HTTP status of errors. */
  readonly errorTable: ErrorTable;
  /** Encoding of files over HTTP+JSON of 0.3. */
  readonly fileEncoding?: FileEncodingOptions | undefined;
  /** The deepest nesting of a request body. */
  readonly depth: number;
  /** The names of the agents on the server. */
  readonly agents?: readonly string[] | undefined;
  /** Milliseconds of silence after which a stream gets a sign of life; 0 for none. */
  readonly keepAlive: number;
  /** Milliseconds after which the server ends a stream; 0 for no limit. */
  readonly streamTimeout: number;
  /** The clock of the server. */
  readonly now: () => number;
  /** Calls back after `milliseconds`; returns a function that cancels it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
  /**
   * Called with a failure that a peer sees only as an internal error. Returns the error for the peer, if it is another
   * one.
   */
  readonly onInternalError: (error: A2AError, request?: ExchangeRequest) => WireError | undefined;
}
