import { invalidParams } from '../../model/errors/errors.ts';
import type { InputLimits } from '../../model/input-limits.ts';

const HEADER = 'A2A-Extensions';

/** Refuses a request that names more extensions, or longer ones, than the lists and ids of a body may have. */
export function requireNameable(named: readonly string[], { listLength, idLength }: InputLimits): void {
  if (named.length > listLength) {
    const description = `must name at most ${listLength} extensions; this one names ${named.length}`;
    throw invalidParams({ field: HEADER, description });
  }
  for (const { length } of named) {
    if (length <= idLength) continue;
    const description = `must name extensions of at most ${idLength} characters; one has ${length}`;
    throw invalidParams({ field: HEADER, description });
  }
}
