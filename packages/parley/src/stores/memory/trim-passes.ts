import type { TrimmedPart, TrimQuery, TrimResult } from '../../engine/ports.ts';
import type { TaskRecord } from './task-record.ts';

/** Tasks that one call looks at. */
const LOOKED_AT = 1000;

/** `next` of a pass that is not over. */
const GOES_ON = 'on';

/** Passes over all tasks, one for each part that is trimmed: a call goes on where the last one stopped. */
export class TrimPasses {
  readonly #tasks: ReadonlyMap<string, TaskRecord>;
  readonly #trim: (record: TaskRecord, query: TrimQuery) => boolean;
  /** An iterator of a map goes on behind entries that were removed meanwhile, and comes to those that were added. */
  readonly #passes: Map<TrimmedPart, Iterator<TaskRecord>> = new Map();

  constructor(tasks: ReadonlyMap<string, TaskRecord>, trim: (record: TaskRecord, query: TrimQuery) => boolean) {
    this.#tasks = tasks;
    this.#trim = trim;
  }

  run(query: TrimQuery): TrimResult {
    const begun = query.after === undefined ? undefined : this.#passes.get(query.part);
    const pass = begun ?? this.#tasks.values();
    const tasks: string[] = [];
    for (let looked = 0; looked < LOOKED_AT && tasks.length < query.limit; looked += 1) {
      const { value: record, done } = pass.next();
      if (done || !record) {
        this.#passes.delete(query.part);
        return { tasks, next: undefined };
      }
      if (this.#trim(record, query)) tasks.push(record.id);
    }
    this.#passes.set(query.part, pass);
    return { tasks, next: GOES_ON };
  }
}
