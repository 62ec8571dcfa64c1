import type { ListQuery, ListResult, Owner, TaskHead } from '../../engine/ports.ts';
import { type TaskState, TERMINAL_STATES } from '../../model/states.ts';
import { comparePlaces, SortedList } from './sorted-list.ts';
import type { TaskRecord } from './task-record.ts';

type ListsByState = Map<TaskState, SortedList<TaskRecord>>;

/** The tasks of one agent and owner. Most contexts have one task, which then stands for the lists. */
interface Scope {
  readonly agent: string;
  readonly owner: Owner;
  readonly states: ListsByState;
  readonly contexts: Map<string, TaskRecord | ListsByState>;
}

/**
 * The order of every list. A task stands in two lists: that of its state, and that of its state inside its context. A
 * query without a state reads the lists of all states side by side, so a page costs the same wherever it starts.
 */
export class TaskIndex {
  readonly #scopes: Map<string, Scope> = new Map();
  /** The one that was asked for last, which is nearly always the next one. */
  #lastScope: Scope | undefined;
  /** The tasks of all owners, by agent. Made when an operator first lists those of an agent: without one it costs nothing. */
  readonly #everyone: Map<string, ListsByState> = new Map();

  add(record: TaskRecord): void {
    const { agent, owner, contextId } = record.head;
    if (this.#everyone.size > 0) this.#addToEveryone(record);
    const scope = this.#scopeOf(agent, owner) ?? this.#newScope(agent, owner);
    addTo(scope.states, record);
    const held = scope.contexts.get(contextId);
    if (held === undefined) {
      scope.contexts.set(contextId, record);
      return;
    }
    const lists: ListsByState = held instanceof Map ? held : new Map();
    if (!(held instanceof Map)) {
      addTo(lists, held);
      scope.contexts.set(contextId, lists);
    }
    addTo(lists, record);
  }

  /** To be called while the record still has the head that it was added with. */
  delete(record: TaskRecord): void {
    const { agent, owner, contextId, status } = record.head;
    if (this.#everyone.size > 0) this.#everyone.get(agent)?.get(status.state)?.delete(record);
    const scope = this.#scopeOf(agent, owner);
    if (!scope) return;
    scope.states.get(status.state)?.delete(record);
    const inContext = scope.contexts.get(contextId);
    if (inContext === record) scope.contexts.delete(contextId);
    if (!(inContext instanceof Map)) return;
    const list = inContext.get(status.state);
    list?.delete(record);
    if (list?.size === 0) inContext.delete(status.state);
    if (inContext.size === 0) scope.contexts.delete(contextId);
  }

  /** For a task that will not come back: keeps nothing of callers without another. */
  remove(record: TaskRecord): void {
    this.delete(record);
    const { agent, owner } = record.head;
    const scope = this.#scopeOf(agent, owner);
    if (!scope || scope.contexts.size > 0) return;
    this.#scopes.delete(scopeKey(agent, owner));
    this.#lastScope = undefined;
  }

  /** Tasks that have ended before, those of one agent and owner after the other. */
  *endedBefore(time: number): Generator<TaskRecord, void, undefined> {
    for (const { states } of this.#scopes.values()) {
      for (const state of TERMINAL_STATES) yield* states.get(state)?.before(time) ?? [];
    }
  }

  list(query: ListQuery): ListResult {
    const lists = this.#listsFor(query);
    const { statusSince } = query;
    let total = 0;
    for (const list of lists) total += statusSince === undefined ? list.size : list.countSince(statusSince);
    return { heads: firstOf(lists, query), total };
  }

  #listsFor(query: ListQuery): readonly SortedList<TaskRecord>[] {
    const { agent, owner, tenant, contextId } = query;
    if (owner) return listsOf(this.#scopeOf(agent, owner), query);
    if (tenant === undefined && contextId === undefined) return listsOfState(this.#listsOfEveryone(agent), query);
    return this.#scopesOf(agent)
      .filter((scope) => tenant === undefined || scope.owner.tenant === tenant)
      .flatMap((scope) => listsOf(scope, query));
  }

  #scopesOf(agent: string): readonly Scope[] {
    return [...this.#scopes.values()].filter((scope) => scope.agent === agent);
  }

  #listsOfEveryone(agent: string): ListsByState {
    const known = this.#everyone.get(agent);
    if (known) return known;
    const lists: ListsByState = new Map();
    this.#everyone.set(agent, lists);
    const records = this.#scopesOf(agent).flatMap(({ states }) =>
      [...states.values()].flatMap((list) => [...list.after()]),
    );
    // Added in their order, each is the last one of its list, which is fast.
    for (const record of records.sort((left, right) => comparePlaces(right, left))) addTo(lists, record);
    return lists;
  }

  #addToEveryone(record: TaskRecord): void {
    const lists = this.#everyone.get(record.head.agent);
    if (lists) addTo(lists, record);
  }

  #scopeOf(agent: string, owner: Owner): Scope | undefined {
    const last = this.#lastScope;
    if (last?.agent === agent && last.owner.tenant === owner.tenant && last.owner.subject === owner.subject) {
      return last;
    }
    const scope = this.#scopes.get(scopeKey(agent, owner));
    this.#lastScope = scope ?? last;
    return scope;
  }

  #newScope(agent: string, owner: Owner): Scope {
    const scope: Scope = { agent, owner, states: new Map(), contexts: new Map() };
    this.#scopes.set(scopeKey(agent, owner), scope);
    return scope;
  }
}

/** The lists of one agent and owner that a query reads. */
function listsOf(scope: Scope | undefined, query: ListQuery): readonly SortedList<TaskRecord>[] {
  const { contextId } = query;
  const held = contextId === undefined ? scope?.states : scope?.contexts.get(contextId);
  if (!held) return [];
  return listsOfState(held instanceof Map ? held : addTo(new Map(), held), query);
}

function listsOfState(byState: ListsByState, { state }: ListQuery): readonly SortedList<TaskRecord>[] {
  if (state === undefined) return [...byState.values()];
  const list = byState.get(state);
  return list ? [list] : [];
}

function addTo(lists: ListsByState, record: TaskRecord): ListsByState {
  const { state } = record.head.status;
  let list = lists.get(state);
  if (!list) {
    list = new SortedList();
    lists.set(state, list);
  }
  list.add(record);
  return lists;
}

function firstOf(lists: readonly SortedList<TaskRecord>[], { after, limit, statusSince }: ListQuery): TaskHead[] {
  const heads: TaskHead[] = [];
  const all = lists.map((list) => {
    const items = list.after(after);
    return { items, next: items.next().value };
  });
  // A page has tasks of as many lists as it has tasks, at most: those whose first one comes first.
  const sources =
    all.length > limit ? all.sort((left, right) => compareFirst(left.next, right.next)).slice(0, limit) : all;
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

/** Lists that have no more come last. */
function compareFirst(left: TaskRecord | void, right: TaskRecord | void): number {
  if (!left || !right) return left ? -1 : right ? 1 : 0;
  return comparePlaces(left, right);
}

function scopeKey(agent: string, { tenant, subject }: Owner): string {
  return JSON.stringify([agent, tenant, subject]);
}
