import type { TaskState } from '../../model/states.ts';
import type { ContextFacet, ListQuery, ListResult, LogFacet, Owner } from '../ports.ts';
import { inListOrder, listOfStates } from './list-of-states.ts';

/** The most shared contexts that a list without a context looks into: each costs a query. */
const MOST_SHARED = 1000;

/** A page of a caller's own tasks and of those in contexts that others share with it. Without an owner, of all. */
export async function listVisible(
  store: LogFacet & ContextFacet,
  query: ListQuery,
  states: readonly TaskState[] | undefined,
): Promise<ListResult> {
  const { owner, contextId } = query;
  if (!owner) return listOfStates(store, query, states);
  if (contextId !== undefined) {
    const holder = (await store.contextOwner(owner, contextId)) ?? owner;
    return listOfStates(store, { ...query, owner: holder }, states);
  }
  const shared = await store.sharedContexts(owner, MOST_SHARED);
  if (shared.length === 0) return listOfStates(store, query, states);
  const queries = [query, ...shared.map((context) => ({ ...query, ...context }))];
  const results = await Promise.all(queries.map((one) => listOfStates(store, one, states)));
  const heads = results.flatMap((result) => result.heads).sort(inListOrder);
  return { heads: heads.slice(0, query.limit), total: results.reduce((sum, { total }) => sum + total, 0) };
}

/** True where a context of this owner is shared with the caller. */
export async function isSharedWith(
  store: ContextFacet,
  caller: Owner,
  { owner, contextId }: { readonly owner: Owner; readonly contextId: string },
): Promise<boolean> {
  const holder = await store.contextOwner(caller, contextId);
  return owner.tenant === caller.tenant && holder?.subject === owner.subject;
}
