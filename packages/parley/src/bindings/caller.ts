import type { CallingDialect } from '../dialects/calling/calling.ts';
import type { FileEncodingOptions } from '../dialects/file-encoding.ts';
import type {
  OperationInputs,
  OperationResults,
  StreamOperationName,
  UnaryOperationName,
} from '../model/operations.ts';
import type { StreamEvent } from '../model/task.ts';

/** The facts of one call beside its input: authorization, extensions, `Last-Event-ID`, `Idempotency-Key`. */
export interface BindingCallOptions {
  /** Headers of the call. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts when the call is no longer waited for. */
  readonly signal: AbortSignal | undefined;
}

/** The end of an iterator. */
export const ENDED = { done: true, value: undefined } as const;

export interface ReceivedEvent {
  /** The SSE id of the frame itself; undefined where it had none. */
  readonly id: string | undefined;
  readonly event: StreamEvent;
  /**
   * The server says that its stream ends here, whatever the state (`final` of 0.3; reference: mapping §6). The iterator
   * ends with it.
   */
  readonly final: boolean;
  /** About how much it holds: the characters of its frame. Undefined if there was none. */
  readonly size?: number | undefined;
  /** The stream ended within its frame: lines after the data, such as the id, may be missing. */
  readonly isCut?: boolean | undefined;
}

/**
 * Carries calls over one interface of a card. Whatever goes wrong is an A2AError, but for `call.signal`: its reason is
 * thrown as it is. No call is repeated, and nothing is awaited beyond the response.
 */
export interface BindingCaller {
  unary<Name extends UnaryOperationName>(
    operation: Name,
    input: OperationInputs[Name],
    call: BindingCallOptions,
  ): Promise<OperationResults[Name]>;
  /**
   * Resolves once the server has begun to answer. The iterator ends where the server ends the stream, and throws
   * UNREACHABLE where the connection is lost; its `return()` cancels the response at once.
   */
  stream<Name extends StreamOperationName>(
    operation: Name,
    input: OperationInputs[Name],
    call: BindingCallOptions,
  ): Promise<AsyncIterableIterator<ReceivedEvent>>;
}

export interface BindingCallerLimits {
  /** The largest response to read as a whole. */
  readonly bodyBytes: number;
  /** The largest event of a stream. */
  readonly eventBytes: number;
}

export interface BindingCallerOptions {
  /** The address of the interface. */
  readonly url: string;
  /** Writes requests and reads responses. */
  readonly dialect: CallingDialect;
  /** A place to keep what the binding learns about this interface, shared by all calls of a client. */
  readonly kept?: Map<string, unknown> | undefined;
  /** The client's settings for files. */
  readonly fileEncoding?: FileEncodingOptions | undefined;
  /** Returns whether the server is one of Parley's, as far as its card shows. */
  readonly isOurs?: (() => boolean) | undefined;
  /** Makes the requests, with the headers and credentials of the client. */
  readonly fetch: typeof fetch;
  /**
   * Milliseconds for the response, as the user set them; 0 or undefined if there are none. The client ends the call
   * itself.
   */
  readonly timeout?: number | undefined;
  /** The largest response and event to read. */
  readonly limits: BindingCallerLimits;
}
