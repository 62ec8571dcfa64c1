import type { OperationInputs, OperationName } from '../model/operations.ts';

/** A request as it went out. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | undefined;
}

/** The agent as the client was told to reach it. */
export interface SnippetTarget {
  /** The address that the client was made with. */
  readonly url: string;
  /** A protocol that was chosen instead of what the card says. */
  readonly protocol?: string | undefined;
  /** A binding that was chosen instead of the agent's first, as cards name it. */
  readonly binding?: string | undefined;
}

/** The operation that a client called, before a dialect and a binding made a request of it. */
export interface SnippetCall<Name extends OperationName = OperationName> {
  readonly operation: Name;
  readonly input: OperationInputs[Name];
}

/** One call with everything that texts about it are made of. */
export interface SnippetSource {
  readonly target: SnippetTarget;
  readonly call: SnippetCall;
  readonly request: SentRequest;
}

/** A text that can be run, and what it leaves out. */
export interface Snippet {
  readonly text: string;
  /** Sentences for the reader: differences from the request that was recorded. */
  readonly notes: readonly string[];
}

/** The input of a call whose operation is known. */
export function inputOf<Name extends OperationName>(call: SnippetCall, _operation: Name): OperationInputs[Name] {
  return call.input as OperationInputs[Name];
}
