import type { TaskState } from '../../model/states.ts';
import type { ListQuery, ListResult, LogFacet, TaskHead } from '../ports.ts';

/** A page of tasks in any of several states: stores have an index for each state, so their pages are merged. */
export async function listOfStates(
  store: LogFacet,
  query: ListQuery,
  states: readonly TaskState[] | undefined,
): Promise<ListResult> {
  if (!states || states.length === 0) return store.list(query);
  const results = await Promise.all([...new Set(states)].map(async (state) => store.list({ ...query, state })));
  const heads = results.flatMap((result) => result.heads).sort(inListOrder);
  return { heads: heads.slice(0, query.limit), total: results.reduce((sum, { total }) => sum + total, 0) };
}

/** Status time descending, then id descending. */
export function inListOrder(one: TaskHead, other: TaskHead): number {
  if (one.statusTime !== other.statusTime) return other.statusTime - one.statusTime;
  return one.id < other.id ? 1 : -1;
}
