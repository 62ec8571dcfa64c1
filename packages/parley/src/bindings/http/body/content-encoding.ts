import { A2AError, quoted } from '../../../model/errors/errors.ts';
import { unknownEncoding } from '../http-refusals.ts';

/** A body that unpacks to more than this is looked at more closely. */
const HARMLESS_BYTES = 1024 * 1024;

/** JSON unpacks to a few dozen times its packed size; a bomb to a thousand times. */
const MOST_UNPACKED = 200;

/**
 * The encoding that a body must be unpacked from; undefined where it is plain. Throws the refusal of one that is not among
 * `known`, and of several.
 */
export function packingOf<Known extends string>(value: string | undefined, known: readonly Known[]): Known | undefined {
  const named = value?.trim().toLowerCase().replace(/^x-/, '') ?? '';
  if (named === '' || named === 'identity') return undefined;
  const found = known.find((encoding) => encoding === named);
  if (found !== undefined) return found;
  throw unknownEncoding(`The Content-Encoding of the body must be ${known.join(', ')} or none, not "${quoted(named)}"`);
}

/** The error of a body that unpacks to so much more than it is that nobody sends it in earnest. */
export function bombIn(unpacked: number, packed: number): A2AError | undefined {
  if (unpacked <= HARMLESS_BYTES || unpacked <= packed * MOST_UNPACKED) return undefined;
  return new A2AError('PAYLOAD_TOO_LARGE', `The body unpacks to more than ${MOST_UNPACKED} times its size`);
}

/** The error of a body that cannot be unpacked. */
export function notPacked(encoding: string, cause: unknown): A2AError {
  return new A2AError(
    'PARSE_ERROR',
    `Invalid JSON payload: the body is not ${encoding}, as its Content-Encoding says`,
    {
      cause,
    },
  );
}
