import { isPlainObject, type JsonObject, type JsonValue } from '../../../model/basics/json.ts';

/** The member of metadata, in messages and parts, for facts that only JAF has a place for. */
const JAF_NOTES = 'urn:parley:jaf:v1';

type Notes = Readonly<Record<string, JsonValue | undefined>>;

/** The facts that were kept for JAF; empty if there are none. */
export function notesOf(metadata: JsonObject | undefined): Notes {
  const notes = metadata?.[JAF_NOTES];
  return isPlainObject(notes) ? (notes as JsonObject) : {};
}

/** The metadata with something kept for JAF, where there is something to keep. */
export function withNotes(metadata: JsonObject | undefined, notes: Notes): JsonObject | undefined {
  const kept = Object.entries(notes).filter(([, value]) => value !== undefined);
  return kept.length === 0 ? metadata : { ...metadata, [JAF_NOTES]: Object.fromEntries(kept) };
}

/** The metadata as its sender wrote it. */
export function withoutNotes(metadata: JsonObject | undefined): JsonObject | undefined {
  if (metadata?.[JAF_NOTES] === undefined) return metadata;
  const { [JAF_NOTES]: _, ...rest } = metadata;
  return Object.keys(rest).length > 0 ? rest : undefined;
}
