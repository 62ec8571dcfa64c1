import type { CallingDialect } from './calling/calling.ts';
import type { Dialect } from './dialect.ts';

/**
 * A dialect as a value: what servers and clients are handed to speak it. Each half stands alone; a server needs the one,
 * a client the other.
 */
export interface DialectDefinition {
  /** The name in settings: in a server's `mounts`, in a client's `protocol`. */
  readonly name: string;
  /** Reads requests and writes responses. */
  readonly serving?: Dialect | undefined;
  /** Writes requests and reads responses. */
  readonly calling?: CallingDialect | undefined;
  /** Other forms of the same dialect, under names of their own. */
  readonly variants?: readonly Omit<DialectDefinition, 'variants'>[] | undefined;
}

/** A dialect with both halves, as the built-in ones have them. Dialects of your own may take what they share with one. */
export interface CompleteDialect extends DialectDefinition {
  readonly serving: Dialect;
  readonly calling: CallingDialect;
}

/** A definition and its variants, each by itself. */
export function withVariants(definition: DialectDefinition): readonly DialectDefinition[] {
  return [definition, ...(definition.variants ?? [])];
}
