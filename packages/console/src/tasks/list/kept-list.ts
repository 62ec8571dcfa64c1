import type { TaskList } from './task-list.ts';

interface KeptList {
  readonly list: TaskList;
  readonly search: string;
  /** Tells this list from others, also from those before a reload. */
  readonly key: number;
}

/** The list that was looked at last, for a person who opens one of its tasks and comes back. */
let kept: KeptList | undefined;

/** Keeps the list, and notes it at this place in the browser's history. */
export function keepList(search: string, list: TaskList): void {
  if (kept?.list !== list || kept.search !== search) {
    kept = { list, search, key: performance.timeOrigin + performance.now() };
  }
  if (notedKey() !== kept.key) history.replaceState({ ...history.state, list: kept.key }, '');
}

/** The list as it was left, if the person came back to it; who follows a link to the list wants to see its top. */
export function keptList(search: string): TaskList | undefined {
  return kept?.search === search && kept.key === notedKey() ? kept.list : undefined;
}

function notedKey(): unknown {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'list' in state ? state.list : undefined;
}
