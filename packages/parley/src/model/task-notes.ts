import { isPlainObject, type JsonObject, type JsonValue } from './basics/json.ts';

/** Something that is kept with a task. */
export interface TaskNote {
  /** Added to the task's metadata, member by member. */
  readonly metadata: JsonObject;
  /** The lists in these members are added to the ends of those that the task has, which they replace otherwise. */
  readonly extends?: true | undefined;
}

/** The metadata of a task with a note. */
export function withNote(metadata: JsonObject | undefined, note: TaskNote): JsonObject {
  if (!note.extends || !metadata) return { ...metadata, ...note.metadata };
  const extended = Object.entries(note.metadata).map(([name, value]) => [name, withLists(metadata[name], value)]);
  return { ...metadata, ...Object.fromEntries(extended) };
}

function withLists(value: JsonValue | undefined, added: JsonValue | undefined): JsonValue | undefined {
  if (!isPlainObject(value) || !isPlainObject(added)) return added;
  const longer = Object.entries(added).map(([name, entries]) => {
    const before = value[name];
    return [name, Array.isArray(before) && Array.isArray(entries) ? [...before, ...entries] : entries] as const;
  });
  return { ...value, ...Object.fromEntries(longer) };
}
