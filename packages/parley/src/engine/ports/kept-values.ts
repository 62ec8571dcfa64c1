import type { Awaitable } from './awaitable.ts';

/** Small values that a server makes once and that last, the same for all nodes, such as the key that it signs with. */
export interface KeptValueFacet {
  keptValue(name: string): Awaitable<string | undefined>;
  /** Returns false, and writes nothing, if there is a value of that name. */
  keepValue(name: string, value: string): Awaitable<boolean>;
}
