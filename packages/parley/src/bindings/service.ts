import type { Dialect, RpcError } from '../dialects/dialect.ts';
import type {
  OperationInputs,
  OperationName,
  OperationResults,
  StreamOperationName,
  UnaryOperationName,
} from '../model/operations.ts';
import type { Message } from '../model/task.ts';
import type { ResponseStream } from './exchange.ts';

/** What a request says beside its operation and parameters. */
export interface CallContext {
  /** Who calls; '' = anonymous. */
  readonly subject: string;
  /** `A2A-Extensions`. */
  readonly requestedExtensions: readonly string[];
  readonly lastEventId?: string | undefined;
  /** The header as it came: quoted or bare, and perhaps no key at all. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the call comes from this machine, to a server that only this machine reaches. */
  readonly isLocal?: (() => boolean) | undefined;
  /** Called where the answer is that of an earlier send with the same key. */
  readonly onReplayed?: (() => void) | undefined;
}

/** How a binding wants the events of a stream: in which dialect, and what stands around each of them as SSE data. */
export interface EventEncoding {
  readonly dialect: Dialect;
  readonly before: string;
  readonly after: string;
  /** An error in the place of an event, as SSE data. */
  readonly error?: ((error: RpcError) => string) | undefined;
}

export type StreamResult = {
  /** Those that are active: a request may ask for one in its parameters too. */
  readonly extensions: readonly string[];
} & (
  | { readonly kind: 'reply'; readonly message: Message }
  | { readonly kind: 'stream'; readonly frames: ResponseStream }
);

/** One agent's operations, as a binding needs them: in model types, whatever carries them. */
export interface Service {
  /** Refuses what the card does not offer; to be called before parameters are read. Gives the active extensions. */
  admit(operation: OperationName, call: CallContext): readonly string[];
  unary<Name extends UnaryOperationName>(
    operation: Name,
    input: OperationInputs[Name],
    call: CallContext,
  ): Promise<OperationResults[Name]>;
  stream<Name extends StreamOperationName>(
    operation: Name,
    input: OperationInputs[Name],
    call: CallContext,
    encoding: EventEncoding,
  ): Promise<StreamResult>;
}
