import type { Dialect, RpcError } from '../dialects/dialect.ts';
import type { Call } from '../model/call.ts';
import type {
  OperationInputs,
  OperationResults,
  StreamOperationName,
  UnaryOperationName,
} from '../model/operations.ts';
import type { Message } from '../model/task.ts';
import type { ResponseStream } from './exchange.ts';

/** How a binding wants the events of a stream: in which dialect, and what stands around each of them as SSE data. */
export interface EventEncoding {
  readonly dialect: Dialect;
  readonly before: string;
  readonly after: string;
  /** An error in the place of an event, as SSE data. */
  readonly error?: ((error: RpcError) => string) | undefined;
}

export interface UnaryResult<Name extends UnaryOperationName = UnaryOperationName> {
  readonly result: OperationResults[Name];
  /** It is the result of an earlier send with the same idempotency key. */
  readonly isReplayed?: boolean | undefined;
}

export type StreamResult = {
  /** Those that are active: a request may ask for one in its parameters too. */
  readonly extensions: readonly string[];
  /** It is the response to an earlier send with the same idempotency key. */
  readonly isReplayed?: boolean | undefined;
} & (
  | { readonly kind: 'reply'; readonly message: Message }
  | { readonly kind: 'stream'; readonly frames: ResponseStream }
);

/** One agent's operations, as a binding needs them: in model types, whatever carries them. */
export interface Service {
  /** Refuses what the card does not offer; bindings call it before they read parameters. Returns the active extensions. */
  admit(call: Call): readonly string[];
  unary<Name extends UnaryOperationName>(call: Call<Name>, input: OperationInputs[Name]): Promise<UnaryResult<Name>>;
  stream<Name extends StreamOperationName>(
    call: Call<Name>,
    input: OperationInputs[Name],
    encoding: EventEncoding,
  ): Promise<StreamResult>;
}
