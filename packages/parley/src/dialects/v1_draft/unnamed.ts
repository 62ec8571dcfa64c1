import { isPlainObject, type JsonObject } from '../../model/basics/json.ts';
import type { PartAttributes } from '../../model/task.ts';

/** The member of a part's metadata for what the draft has no name for, so that nothing of it is lost. */
const DRAFT_METADATA = 'urn:parley:dialect:v1_draft';

/**
 * `mediaType` and `filename` of parts that cannot say them otherwise. `mimeType`: that of a file's content, where it is
 * not the one that stands beside it.
 */
export interface Unnamed {
  readonly mediaType?: string | undefined;
  readonly filename?: string | undefined;
  readonly mimeType?: string | undefined;
}

/** The part's metadata, with what has no other place. */
export function withUnnamed(metadata: JsonObject | undefined, { mediaType, filename, mimeType }: Unnamed) {
  if (!mediaType && !filename && !mimeType) return metadata;
  const unnamed = { ...(mediaType && { mediaType }), ...(filename && { filename }), ...(mimeType && { mimeType }) };
  return { ...metadata, [DRAFT_METADATA]: unnamed };
}

/** Takes it out again. */
export function splitUnnamed(metadata: JsonObject | undefined): Unnamed & Pick<PartAttributes, 'metadata'> {
  const unnamed = metadata?.[DRAFT_METADATA];
  if (!isPlainObject(unnamed)) return { metadata };
  const { [DRAFT_METADATA]: _, ...rest } = metadata ?? {};
  return {
    mediaType: textOf(unnamed.mediaType),
    filename: textOf(unnamed.filename),
    mimeType: textOf(unnamed.mimeType),
    metadata: Object.keys(rest).length > 0 ? rest : undefined,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
