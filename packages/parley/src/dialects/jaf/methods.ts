import type { OperationName } from '../../model/operations.ts';
import { METHOD_NAMES as OTHER_NAMES } from '../v0_3/methods.ts';

/** The methods of the document, and resubscribing, which clients need after a lost connection. */
const OPERATIONS = ['sendMessage', 'sendStreamingMessage', 'getTask', 'cancelTask', 'subscribeToTask'] as const;

export const METHODS: ReadonlyMap<string, OperationName> = new Map(
  OPERATIONS.map((operation) => [OTHER_NAMES[operation], operation]),
);

const NAMES = new Map<OperationName, string>(OPERATIONS.map((operation) => [operation, OTHER_NAMES[operation]]));

/** Undefined where JAF has no such operation. */
export function methodOf(operation: OperationName): string | undefined {
  return NAMES.get(operation);
}
