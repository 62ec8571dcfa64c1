import type { Call } from '../model/call.ts';
import type {
  OperationInputs,
  OperationResults,
  StreamOperationName,
  UnaryOperationName,
} from '../model/operations.ts';
import type { Message } from '../model/task.ts';
import type { EventStream, StreamForm } from './event-stream.ts';

export interface UnaryResult<Name extends UnaryOperationName = UnaryOperationName> {
  readonly result: OperationResults[Name];
  /** It is the result of an earlier send with the same idempotency key. */
  readonly isReplayed?: boolean | undefined;
}

export type StreamResult = {
  /** The active extensions: a request may ask for one in its parameters too. */
  readonly extensions: readonly string[];
  /** It is the response to an earlier send with the same idempotency key. */
  readonly isReplayed?: boolean | undefined;
} & (
  | { readonly kind: 'reply'; readonly message: Message }
  | { readonly kind: 'stream'; readonly taskId?: string | undefined; readonly events: EventStream }
);

/** One agent's operations, as a binding needs them: model types in, model types or events out. */
export interface Service {
  /** Refuses what the card does not offer; bindings call it before they read parameters. Returns the active extensions. */
  admit(call: Call): readonly string[];
  unary<Name extends UnaryOperationName>(call: Call<Name>, input: OperationInputs[Name]): Promise<UnaryResult<Name>>;
  stream<Name extends StreamOperationName>(
    call: Call<Name>,
    input: OperationInputs[Name],
    form?: StreamForm,
  ): Promise<StreamResult>;
}
