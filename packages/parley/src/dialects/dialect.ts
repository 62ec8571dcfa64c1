import type { AgentCard } from '../model/card.ts';
import type { A2AError } from '../model/errors.ts';
import type { OperationInputs, OperationName, OperationResults, UnaryOperationName } from '../model/operations.ts';
import type { StreamEvent } from '../model/task.ts';

/** A value that `JSON.stringify` writes as it is meant. */
export type WireValue = unknown;

/**
 * One vocabulary of the protocol: how requests are read and answers are written. Pure, without I/O, and without any
 * knowledge of the binding that carries it.
 */
export interface Dialect {
  /** The name of its folder. */
  readonly name: string;
  /** What `A2A-Version` calls it. */
  readonly version: string;
  /** JSON-RPC method names. */
  readonly methods: ReadonlyMap<string, OperationName>;
  /** Read a request's parameters; throw INVALID_PARAMS with the fields that are wrong. */
  readonly decode: { readonly [Name in OperationName]: (params: unknown) => OperationInputs[Name] };
  readonly encode: { readonly [Name in UnaryOperationName]: (result: OperationResults[Name]) => WireValue };
  /** One event of a stream. */
  readonly encodeEvent: (event: StreamEvent) => WireValue;
  readonly encodeCard: (card: AgentCard) => WireValue;
  /** What goes beside code and message of an error; undefined where there is nothing to add. */
  readonly errorDetails: (error: A2AError) => WireValue;
}
