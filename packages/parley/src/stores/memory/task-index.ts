import type { ListQuery, ListResult, TaskHead } from '../../engine/ports.ts';
import type { TaskState } from '../../model/states.ts';
import { comparePlaces, SortedList } from './sorted-list.ts';
import type { TaskRecord } from './task-record.ts';

type ListsByState = Map<TaskState, SortedList<TaskRecord>>;

/** The tasks of one agent and owner. */
interface Scope {
  readonly states: ListsByState;
  readonly contexts: Map<string, ListsByState>;
}

/**
 * The order of every list. A task stands in two lists: that of its state, and that of its state inside its context. A
 * query without a state reads the lists of all states side by side, so a page costs the same wherever it starts.
 */
export class TaskIndex {
  readonly #scopes: Map<string, Scope> = new Map();

  add(record: TaskRecord): void {
    const { head } = record;
    const key = scopeKey(head);
    const scope = getOrMake(this.#scopes, key, () => ({ states: new Map(), contexts: new Map() }));
    const inContext = getOrMake(scope.contexts, head.contextId, (): ListsByState => new Map());
    getOrMake(scope.states, head.status.state, () => new SortedList<TaskRecord>()).add(record);
    getOrMake(inContext, head.status.state, () => new SortedList<TaskRecord>()).add(record);
  }

  /** To be called while the record still has the head that it was added with. */
  delete(record: TaskRecord): void {
    const { head } = record;
    const scope = this.#scopes.get(scopeKey(head));
    if (!scope) return;
    scope.states.get(head.status.state)?.delete(record);
    const inContext = scope.contexts.get(head.contextId);
    const list = inContext?.get(head.status.state);
    list?.delete(record);
    if (list?.size === 0) inContext?.delete(head.status.state);
    if (inContext?.size === 0) scope.contexts.delete(head.contextId);
  }

  list(query: ListQuery): ListResult {
    const lists = this.#listsFor(query);
    const { statusSince } = query;
    let total = 0;
    for (const list of lists) total += statusSince === undefined ? list.size : list.countSince(statusSince);
    return { heads: firstOf(lists, query), total };
  }

  #listsFor({ agent, owner, contextId, state }: ListQuery): readonly SortedList<TaskRecord>[] {
    const scope = this.#scopes.get(scopeKey({ agent, owner }));
    const byState = contextId === undefined ? scope?.states : scope?.contexts.get(contextId);
    if (!byState) return [];
    if (state === undefined) return [...byState.values()];
    const list = byState.get(state);
    return list ? [list] : [];
  }
}

function firstOf(lists: readonly SortedList<TaskRecord>[], { after, limit, statusSince }: ListQuery): TaskHead[] {
  const heads: TaskHead[] = [];
  const sources = lists.map((list) => {
    const items = list.after(after);
    return { items, next: items.next().value };
  });
  while (heads.length < limit) {
    let first: (typeof sources)[number] | undefined;
    for (const source of sources) {
      if (source.next && (!first?.next || comparePlaces(source.next, first.next) < 0)) first = source;
    }
    if (!first?.next || (statusSince !== undefined && first.next.statusTime < statusSince)) break;
    heads.push(first.next.head);
    first.next = first.items.next().value;
  }
  return heads;
}

function scopeKey({ agent, owner }: Pick<TaskHead, 'agent' | 'owner'>): string {
  return JSON.stringify([agent, owner.tenant, owner.subject]);
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
