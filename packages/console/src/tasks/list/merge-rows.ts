import type { TaskPage, TaskRow } from '../../../../parley/src/server/operator/console-api.ts';

/** Rows of a list, the latest first, and where its next page begins. */
export interface Rows {
  readonly rows: readonly TaskRow[];
  readonly next: string | undefined;
}

/** Adds the page after those that are there. The time of a task's status only grows, so none of it is there already. */
export function addPage({ rows }: Rows, page: TaskPage): Rows {
  return { rows: [...rows, ...page.tasks], next: page.next };
}

/**
 * The list with its first page as it is now: what came and what changed is at the front, what no longer belongs there is gone,
 * and the pages after it stay. Where so much is new that the page no longer reaches the rows that are there, the list begins anew.
 */
export function renewFront(old: Rows, page: TaskPage): Rows {
  const { tasks, next } = page;
  const last = tasks.at(-1);
  if (last === undefined || next === undefined || !reaches(tasks, old.rows)) return { rows: tasks, next };
  const rest = old.rows.slice(countBefore(old.rows, last));
  const inPage = new Set(tasks.map(({ id }) => id));
  return { rows: [...tasks, ...rest.filter(({ id }) => !inPage.has(id))], next: old.next };
}

/** The rows as they are now, in their old order: for a person who reads further down. The same rows where nothing changed. */
export function renewInPlace(old: Rows, page: TaskPage): Rows {
  const fresh = new Map(page.tasks.map((row) => [row.id, row]));
  const isChanged = ({ id, seq }: TaskRow) => fresh.has(id) && fresh.get(id)?.seq !== seq;
  if (!old.rows.some(isChanged)) return old;
  return { ...old, rows: old.rows.map((row) => fresh.get(row.id) ?? row) };
}

/** How many tasks of the page belong before the first row: new ones, and those that moved to the front. */
export function countNews({ rows }: Rows, page: TaskPage): number {
  const first = rows[0];
  if (first === undefined) return page.tasks.length;
  return page.tasks.filter((row) => row.id !== first.id && comesBefore(row, first)).length;
}

/** One of the rows stands in the page as it did: so nothing is missing between the page and what comes after that row. */
function reaches(page: readonly TaskRow[], rows: readonly TaskRow[]): boolean {
  const times = new Map(page.map(({ id, statusAt }) => [id, statusAt]));
  return rows.some(({ id, statusAt }) => times.get(id) === statusAt);
}

/** The number of rows up to `last`, by halving. */
function countBefore(rows: readonly TaskRow[], last: TaskRow): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row && !comesBefore(last, row)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** In the order of the list: the latest status first, then by id. */
function comesBefore(one: TaskRow, other: TaskRow): boolean {
  return one.statusAt === other.statusAt ? one.id > other.id : one.statusAt > other.statusAt;
}
