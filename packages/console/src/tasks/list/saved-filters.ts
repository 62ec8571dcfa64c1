import { readFilter, type TaskFilter, writeFilter } from './task-filter.ts';

/** A filter under a name that the person gave. */
export interface SavedFilter {
  readonly name: string;
  readonly filter: TaskFilter;
}

/** A place that keeps texts: `localStorage` of the page. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

const KEY = 'parley.task-filters';
const MOST_FILTERS = 30;
const LONGEST_NAME = 60;

/** What is not readable, or not ours, is left out: others write to the same storage. */
export function readSavedFilters(storage: Storage): readonly SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(savedFilterOf).slice(0, MOST_FILTERS) : [];
  } catch {
    return [];
  }
}

/** Keeps a filter, in place of one of the same name. The oldest goes where there are too many. */
export function saveFilter(storage: Storage, name: string, filter: TaskFilter): readonly SavedFilter[] {
  const others = readSavedFilters(storage).filter((saved) => saved.name !== name);
  const short = name.trim().slice(0, LONGEST_NAME);
  return write(storage, [...others, { name: short, filter }].slice(-MOST_FILTERS));
}

export function removeFilter(storage: Storage, name: string): readonly SavedFilter[] {
  return write(
    storage,
    readSavedFilters(storage).filter((saved) => saved.name !== name),
  );
}

function write(storage: Storage, filters: readonly SavedFilter[]): readonly SavedFilter[] {
  try {
    storage.setItem(KEY, JSON.stringify(filters.map(({ name, filter }) => ({ name, search: writeFilter(filter) }))));
  } catch {
    // Storage is full or off: the filters last until the page is left.
  }
  return filters;
}

function savedFilterOf(value: unknown): SavedFilter[] {
  if (typeof value !== 'object' || value === null) return [];
  const { name, search } = value as { readonly name?: unknown; readonly search?: unknown };
  if (typeof name !== 'string' || name === '' || typeof search !== 'string') return [];
  return [{ name: name.slice(0, LONGEST_NAME), filter: readFilter(search) }];
}
