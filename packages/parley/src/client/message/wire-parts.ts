import type { Part, PartAttributes } from '../../model/task.ts';

/**
 * A part as it is on a wire, as the model has it: users hand in messages that they have from a document or from another
 * library. A file of 0.3 is `{ kind: 'file', file }`, and 1.0 has no `kind`: the member's name tells (reference: mapping §4).
 * Undefined for what is none.
 */
export function partOfWire(part: Readonly<Record<string, unknown>>): Part | undefined {
  const { kind, file } = part;
  if (kind === 'file' && typeof file === 'object' && file !== null) return fileOf(file, attributesOf(part));
  if (kind !== undefined) return undefined;
  const attributes = attributesOf(part);
  if (typeof part.text === 'string') return { kind: 'text', text: part.text, ...attributes };
  if (typeof part.raw === 'string') return { kind: 'bytes', bytes: part.raw, ...attributes };
  if (typeof part.url === 'string') return { kind: 'link', url: part.url, ...attributes };
  if ('data' in part && part.data !== undefined) {
    return { kind: 'data', data: part.data, ...attributes } as Part;
  }
  return undefined;
}

function fileOf(file: object, { metadata }: PartAttributes): Part | undefined {
  const { bytes, uri, mimeType, name } = file as Readonly<Record<string, unknown>>;
  const attributes = attributesOf({ mediaType: mimeType, filename: name, metadata });
  if (typeof bytes === 'string') return { kind: 'bytes', bytes, ...attributes };
  return typeof uri === 'string' ? { kind: 'link', url: uri, ...attributes } : undefined;
}

function attributesOf({ mediaType, filename, metadata }: Readonly<Record<string, unknown>>): PartAttributes {
  return {
    ...(typeof mediaType === 'string' && { mediaType }),
    ...(typeof filename === 'string' && { filename }),
    ...(typeof metadata === 'object' && metadata !== null && { metadata: metadata as PartAttributes['metadata'] }),
  };
}
