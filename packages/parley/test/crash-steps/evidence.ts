import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** How often each side effect happened, by the step's key. */
export function effectsIn(path: string): Map<string, number> {
  const counts = new Map<string, number>();
  if (!existsSync(path)) return counts;
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean))
    counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

interface Row {
  readonly id: string;
  readonly kind: string;
  /** Of a turn. */
  readonly message: number;
  /** Of a step. */
  readonly step: string;
}

/** The keys of all steps that are finished, as the file says that a dead process has left. */
export function finishedIn(file: string, copy = `${file}.evidence`): Set<string> {
  if (!existsSync(file)) return new Set();
  for (const suffix of ['', '-wal']) {
    rmSync(copy + suffix, { force: true });
    if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix);
  }
  const database = new DatabaseSync(copy);
  try {
    if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'journal'").get()) return new Set();
    const rows = database
      .prepare(`SELECT id, body ->> 'kind' AS kind, body ->> 'messageSeq' AS message, body ->> 'step' AS step
        FROM journal JOIN tasks ON tasks.key = journal.task ORDER BY task, number`)
      .all();
    const keys = new Set<string>();
    let turn = '';
    for (const { id, kind, message, step } of rows as unknown as readonly Row[]) {
      if (kind === 'turn') turn = `${id}/${message}`;
      if (kind === 'step') keys.add(`${turn}/${encodeURIComponent(step)}`);
    }
    return keys;
  } finally {
    database.close();
  }
}

/** Holds side effects against the records of steps, from one kill to the next. */
export class Ledger {
  readonly #file: string;
  readonly #effects: string;
  /** Finished steps, with how often their effect had happened when that was first seen. */
  readonly #finished = new Map<string, number>();
  readonly problems: string[] = [];

  constructor(file: string, effects: string) {
    this.#file = file;
    this.#effects = effects;
  }

  get finished(): ReadonlyMap<string, number> {
    return this.#finished;
  }

  /** To be called while no process runs. Gives how many steps were done and not recorded: they may be done again. */
  check(): number {
    const effects = effectsIn(this.#effects);
    const finished = finishedIn(this.#file);
    for (const [key, before] of this.#finished) {
      const now = effects.get(key) ?? 0;
      if (now !== before) this.problems.push(`${key} was finished and done ${now - before} times more`);
      if (!finished.has(key)) this.problems.push(`The record of ${key} is gone`);
    }
    for (const key of finished) {
      // Calls are steps without an effect of their own.
      if (/\/call%20/.test(key) || this.#finished.has(key)) continue;
      const count = effects.get(key) ?? 0;
      if (count === 0) this.problems.push(`${key} is finished and was never done`);
      this.#finished.set(key, count);
    }
    return [...effects.keys()].filter((key) => !finished.has(key)).length;
  }

  /** How many effects happened more than once. */
  get repeated(): number {
    return [...effectsIn(this.#effects).values()].filter((count) => count > 1).length;
  }
}
