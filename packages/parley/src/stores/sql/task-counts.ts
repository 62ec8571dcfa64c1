/** Changes a number by something. */
export const COUNT_TASKS = `INSERT INTO counts (agent, tenant, subject, state, tasks) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (agent, tenant, subject, state) DO UPDATE SET tasks = counts.tasks + excluded.tasks`;

/** The group in which a task is counted, beside its state. */
export interface CountedTask {
  readonly agent: string;
  readonly tenant: string;
  readonly subject: string;
}

/** The changes of one commit to the counts of tasks; each count that changes is written once. */
export class TaskCounts {
  readonly #changes: Map<string, { readonly cells: readonly string[]; by: number }> = new Map();

  add({ agent, tenant, subject }: CountedTask, state: string, by: number): void {
    const cells = [agent, tenant, subject, state];
    const name = JSON.stringify(cells);
    const change = this.#changes.get(name);
    if (change) change.by += by;
    else this.#changes.set(name, { cells, by });
  }

  /** The cells of `COUNT_TASKS` for each number that changes. */
  *rows(): Generator<readonly (string | number)[], void, undefined> {
    for (const { cells, by } of this.#changes.values()) if (by !== 0) yield [...cells, by];
  }

  /** Agent, tenant and subject of each number that was changed. */
  get owners(): readonly (readonly string[])[] {
    return [...this.#changes.values()].map(({ cells }) => cells.slice(0, 3));
  }
}
