import type { CallingDialect } from './calling/calling.ts';
import type { Dialect } from './dialect.ts';

/**
 * A dialect as a value, for servers and clients. Each half stands alone: a server needs `serving`, a client needs
 * `calling`.
 */
export interface DialectDefinition {
  /** The name in settings: in `mounts` of a server and `protocol` of a client. */
  readonly name: string;
  /** Reads requests and writes responses. */
  readonly serving?: Dialect | undefined;
  /** Writes requests and reads responses. */
  readonly calling?: CallingDialect | undefined;
  /** Other forms of the same dialect, with their own names. */
  readonly variants?: readonly Omit<DialectDefinition, 'variants'>[] | undefined;
}

/** A dialect with both halves, as the built-in ones have them. Dialects of your own may take what they share with one. */
export interface CompleteDialect extends DialectDefinition {
  readonly serving: Dialect;
  readonly calling: CallingDialect;
}

/** A definition and its variants, one by one. */
export function withVariants(definition: DialectDefinition): readonly DialectDefinition[] {
  return [definition, ...(definition.variants ?? [])];
}
