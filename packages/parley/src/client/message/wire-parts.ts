import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';
import type { Part, PartAttributes } from '../../model/task.ts';

/**
 * A part as it is on a wire, as the model has it: users hand in messages that they have from a document or from another
 * library. A file of 0.3 is `{ kind: 'file', file }`, and 1.0 has no `kind`: the member's name tells (reference: mapping §4).
 * Undefined for what is none.
 */
export function partOfWire(part: Readonly<Record<string, unknown>>): Part | undefined {
  const { kind, file, mediaType, filename, metadata, text, raw, url, data } = part;
  if (kind === 'file' && isPlainObject(file)) {
    const { bytes, uri, mimeType, name } = file;
    return withAttributes({ bytes, url: uri }, { mediaType: mimeType, filename: name, metadata });
  }
  if (kind !== undefined) return undefined;
  return withAttributes({ text, bytes: raw, url, data }, { mediaType, filename, metadata });
}

type Unchecked<Name extends string> = Readonly<Partial<Record<Name, unknown>>>;

/** The part of the content that is there. */
function withAttributes(
  { text, bytes, url, data }: Unchecked<'text' | 'bytes' | 'url' | 'data'>,
  { mediaType, filename, metadata }: Unchecked<keyof PartAttributes>,
): Part | undefined {
  const attributes = {
    ...(typeof mediaType === 'string' && { mediaType }),
    ...(typeof filename === 'string' && { filename }),
    ...(typeof metadata === 'object' && metadata !== null && { metadata: metadata as JsonObject }),
  };
  if (typeof text === 'string') return { kind: 'text', text, ...attributes };
  if (typeof bytes === 'string') return { kind: 'bytes', bytes, ...attributes };
  if (typeof url === 'string') return { kind: 'link', url, ...attributes };
  return data === undefined ? undefined : { kind: 'data', data: data as JsonValue, ...attributes };
}
