import type { AgentCard } from '../../model/card.ts';
import type { A2AError } from '../../model/errors/errors.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  PushOperationName,
  UnaryOperationName,
} from '../../model/operations.ts';
import type { StreamEvent } from '../../model/task.ts';
import type { WireValue } from '../dialect.ts';
import type { FileEncodingOptions, FileHabits } from '../file-encoding.ts';

/** A card as it was published. */
export type WireCard = Readonly<Record<string, unknown>>;

/** Reads the result of an operation; throws INVALID_RESPONSE that names the members that are wrong. */
export type ResultDecoders = {
  readonly [Name in UnaryOperationName]: (result: unknown, input: OperationInputs[Name]) => OperationResults[Name];
};

/**
 * The calling half of a dialect: it writes requests and reads responses. Pure, without I/O. An operation that
 * the version does not have throws UNSUPPORTED_OPERATION when its request is to be written.
 */
export interface CallingDialect {
  /** The name of its folder. */
  readonly name: string;
  /** Its name in `A2A-Version`. */
  readonly version: string;
  /** Recognises a published card, as parsed, whose agent speaks this dialect. Undefined: no card shows it. */
  readonly isCard?: ((card: WireCard) => boolean) | undefined;
  /** Adds what only cards of such agents have to a card, in whatever dialect it is. */
  readonly completeCard?: ((published: WireCard, card: AgentCard) => AgentCard) | undefined;
  /** The header, in lower case, in which requests name extensions. */
  readonly extensionsHeader: string;
  /** The headers of every JSON-RPC request. Default: the version, in `A2A-Version`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** JSON-RPC method names; undefined where the version has no such operation. */
  readonly methodOf: Readonly<Record<OperationName, string | undefined>>;
  /** The address for streams; if a server does not have it, the client uses the usual one. */
  readonly streamAddress?: ((url: string) => string) | undefined;
  /** Streams begin with the ids and the status of the task instead of all of it. */
  readonly beginsWithHead?: boolean | undefined;
  /** The parameters of a JSON-RPC request. */
  readonly encodeRequest: { readonly [Name in OperationName]: (input: OperationInputs[Name]) => WireValue };
  readonly decodeResult: ResultDecoders;
  /** One event of a stream; throws INVALID_RESPONSE. */
  readonly decodeEvent: (event: unknown) => StreamEvent;
  /** For streams whose events depend on those before: a reader of results for each stream, instead of `decodeEvent`. */
  readonly streamDecoder?: (() => (result: unknown) => readonly StreamEvent[]) | undefined;
  /** The event says of itself that its stream ends there (`final` of 0.3; reference: mapping §6). */
  readonly isFinal: (event: unknown) => boolean;
  /** Events may stand in their frames without an envelope of JSON-RPC. */
  readonly bareEvents?: boolean | undefined;
  /** A JSON-RPC error object. */
  readonly decodeError: (error: unknown, operation: OperationName) => A2AError;
  /** Over HTTP+JSON, where the dialect is spoken over it; servers send its errors over JSON-RPC too. */
  readonly rest: CallingRest | Pick<CallingRest, 'decodeError'>;
}

/** A dialect that is spoken over HTTP+JSON as well. */
export interface RestCallingDialect extends CallingDialect {
  readonly rest: CallingRest;
}

/** A dialect without the operations on webhooks. */
export interface PlainCallingDialect
  extends Omit<CallingDialect, 'methodOf' | 'encodeRequest' | 'decodeResult' | 'rest'> {
  readonly methodOf: Omit<CallingDialect['methodOf'], PushOperationName>;
  readonly encodeRequest: Omit<CallingDialect['encodeRequest'], PushOperationName>;
  readonly decodeResult: Omit<ResultDecoders, PushOperationName>;
  readonly rest: PlainCallingRest | Pick<CallingRest, 'decodeError'>;
}

/** The same over HTTP+JSON. */
export interface PlainCallingRest extends Omit<CallingRest, 'withFiles' | 'encodeRequest' | 'decodeResult'> {
  readonly withFiles?: ((files: FileEncodingOptions | FileHabits) => PlainCallingRest) | undefined;
  readonly encodeRequest: Omit<CallingRest['encodeRequest'], PushOperationName>;
  readonly decodeResult: Omit<ResultDecoders, PushOperationName>;
}

/** A dialect over HTTP+JSON, whose forms may differ from those of JSON-RPC. */
export interface CallingRest {
  /** The same with another encoding of files; servers differ in it. */
  readonly withFiles?: ((files: FileEncodingOptions | FileHabits) => CallingRest) | undefined;
  /** The type of request bodies. */
  readonly mediaType: string;
  /** The media types of responses that are not streams. */
  readonly accept: string;
  readonly encodeRequest: { readonly [Name in OperationName]: (input: OperationInputs[Name]) => RestCallRequest };
  readonly decodeResult: ResultDecoders;
  readonly decodeEvent: (event: unknown) => StreamEvent;
  /** Reads the parsed body of a response with an error status, or of an error event; undefined where it is no error. */
  readonly decodeError: (body: unknown, operation: OperationName) => A2AError | undefined;
}

export interface RestCallRequest {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  /** Below the interface's address, beginning with a slash; its segments are percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined: no body. */
  readonly body: WireValue;
  /** The verb to try, without a body, where the server does not know this one here (404, 405). */
  readonly otherVerb?: 'GET';
  /** The body to try where the server says that this one is not valid. */
  readonly otherBody?: WireValue;
}
