import { isPlainObject, type JsonObject, type JsonValue } from '../../model/basics/json.ts';
import { type TaskNote, withNote } from '../../model/task-notes.ts';

/** A list with more entries reaches readers with the status that ends the turn: each other status would repeat all of it. */
export const SHORT_LIST = 20;

/** The metadata of a task, and what of it readers are to get with the next status. */
export class TaskNotes {
  #metadata: JsonObject | undefined;
  /** Notes that no status has brought to readers yet. */
  #untold: JsonObject | undefined;
  /** Members whose lists are longer than readers know. */
  #extended: Set<string> | undefined;

  /** `untold`: what a turn that was lost may have noted and not told. */
  constructor(metadata: JsonObject | undefined, untold: JsonObject | undefined) {
    this.#metadata = metadata;
    this.#untold = untold;
  }

  /** The metadata with everything that is appended. */
  get metadata(): JsonObject | undefined {
    return this.#metadata;
  }

  note(note: TaskNote): void {
    this.#metadata = withNote(this.#metadata, note);
    const { metadata } = note;
    if (note.extends) this.#extended = new Set([...(this.#extended ?? []), ...Object.keys(metadata)]);
    else this.#untold = { ...this.#untold, ...metadata };
  }

  /** Adds what a status, or the beginning of the task, tells by itself. */
  add(metadata: JsonObject | undefined): void {
    if (metadata) this.#metadata = { ...this.#metadata, ...metadata };
  }

  /** Takes what the next status brings to readers; undefined where that is nothing. */
  take(endsTurn: boolean): JsonObject | undefined {
    let told = this.#untold;
    this.#untold = undefined;
    for (const name of this.#extended ?? []) {
      const value = this.#metadata?.[name];
      if (value === undefined || (!endsTurn && hasLongList(value))) continue;
      told = { ...told, [name]: value };
      this.#extended?.delete(name);
    }
    return told;
  }
}

function hasLongList(value: JsonValue): boolean {
  return isPlainObject(value) && Object.values(value).some((list) => Array.isArray(list) && list.length > SHORT_LIST);
}
