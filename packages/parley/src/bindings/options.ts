import type { FileEncodingOptions } from '../dialects/file-encoding.ts';
import type { DialectRegistry } from '../dialects/registry.ts';
import type { A2AError, WireError } from '../model/errors/errors.ts';
import type { ExchangeRequest } from './exchange.ts';
import type { ErrorTable } from './rest/errors.ts';

/** The settings, limits and clock of a server that its bindings need. */
export interface BindingOptions {
  /** The dialects that requests may be in. Default: the built-in ones. */
  readonly dialects?: DialectRegistry | undefined;
  /** Requests without `A2A-Version` are taken for 1.0 where nothing speaks for 0.3. */
  readonly lenient: boolean;
  /** JSON-RPC batches of unary methods are answered. */
  readonly batch: boolean;
  /** The release that decides the HTTP status of errors. */
  readonly errorTable: ErrorTable;
  /** How files are read and written over HTTP+JSON of 0.3. */
  readonly fileEncoding?: FileEncodingOptions | undefined;
  /** Request bodies may be nested so deep. */
  readonly depth: number;
  /** The names of the agents that are served. */
  readonly agents?: readonly string[] | undefined;
  /** Milliseconds of silence after which a stream gets a sign of life; 0 for none. */
  readonly keepAlive: number;
  /** Milliseconds after which a stream is ended; 0 for none. */
  readonly streamTimeout: number;
  /** The clock of the server. */
  readonly now: () => number;
  /** Calls back after so many milliseconds; gives a function that prevents it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
  /** Is told of a failure that a peer only sees as an internal error. Returns the error that the peer gets, where it is another. */
  readonly onInternalError: (error: A2AError, request?: ExchangeRequest) => WireError | undefined;
}
