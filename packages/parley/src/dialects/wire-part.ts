import { readPart } from './v1_0/parts.ts';

// Reached first, so that modules that are alike stand together in a bundle and pack better (decision 0015).

import type { Part } from '../model/task.ts';
import { readEitherPart as readOlderPart } from './v0_3/calling/either-form.ts';
import { decode } from './wire/members.ts';

/**
 * Reads a part as it is on a wire: users hand in messages that they have from a document or from another library. A file of
 * 0.3 is `{ kind: 'file', file }`, and 1.0 has no `kind`: the member's name tells (reference: mapping §4). Throws INVALID_PARAMS.
 */
export function decodePart(part: Readonly<Record<string, unknown>>): Part {
  return decode(part, part.kind === 'file' ? readOlderPart : readPart, 'part');
}
