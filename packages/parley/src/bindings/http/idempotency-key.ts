import { invalidParams } from '../../model/errors/errors.ts';

/** Characters that a key may have. Longer ones are refused. */
export const LONGEST_IDEMPOTENCY_KEY = 255;

const FIELD = 'Idempotency-Key';

/** A structured string (RFC 9651 §3.3.3), perhaps with parameters, of which none means anything here. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"(?: *;.*)?$/;
const PRINTABLE = /^[ -~]*$/;

/**
 * Reads the header `Idempotency-Key`. Its draft wants a structured string in quotes, most clients send the bare text;
 * both are the same key. Throws INVALID_PARAMS where it is no key.
 */
export function readIdempotencyKey(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const key = text.startsWith('"') ? unquoted(text) : bare(text);
  if (key === '') throw refused('must not be empty');
  if (key.length > LONGEST_IDEMPOTENCY_KEY) {
    throw refused(`must have at most ${LONGEST_IDEMPOTENCY_KEY} characters; this one has ${key.length}`);
  }
  return key;
}

/** Writes a key for the header: bare, as most servers expect it, unless it would be read as something else. */
export function writeIdempotencyKey(key: string): string {
  if (key === '') throw refused('must not be empty');
  if (!PRINTABLE.test(key)) throw refused(NOT_PRINTABLE);
  return /^ | $|[,"]/.test(key) ? `"${key.replaceAll(/["\\]/g, '\\$&')}"` : key;
}

const NOT_PRINTABLE = 'must be printable ASCII';

function unquoted(text: string): string {
  const [, inner] = QUOTED.exec(text) ?? [];
  if (inner === undefined)
    throw refused('must be one key: a text in quotes with \\" and \\\\ for those two, or a bare text');
  return inner.replaceAll(/\\(["\\])/g, '$1');
}

/** A comma is where several headers were joined; a key that has one itself needs quotes. */
function bare(text: string): string {
  if (!PRINTABLE.test(text)) throw refused(NOT_PRINTABLE);
  if (/[,"]/.test(text)) throw refused('must be one key; a key with a comma or a quotation mark must stand in quotes');
  return text;
}

function refused(description: string): Error {
  return invalidParams({ field: FIELD, description });
}
