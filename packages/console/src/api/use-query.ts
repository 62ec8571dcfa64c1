import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { onAccessChange } from './access.ts';

export interface QueryState<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  /** A request is on its way; `data` may be there from an earlier one. */
  readonly isLoading: boolean;
}

export interface QueryResult<T> extends QueryState<T> {
  readonly reload: () => void;
}

interface Entry {
  state: QueryState<unknown>;
  readonly listeners: Set<() => void>;
  load: (signal: AbortSignal) => Promise<unknown>;
  running: AbortController | undefined;
  refreshMs: number | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Responses that are kept for pages that come back to them; the oldest goes first. */
const KEPT_ENTRIES = 200;
const entries = new Map<string, Entry>();

onAccessChange(() => {
  for (const entry of entries.values()) if (entry.listeners.size > 0) start(entry);
});

/**
 * What `load` gives, under a key that all who want the same share. What was there before is shown at once while it is asked
 * for anew. With `refreshMs` it is asked for again and again while somebody looks and the page is visible.
 */
export function useQuery<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  options: { readonly refreshMs?: number | undefined } = {},
): QueryResult<T> {
  const [entry, setEntry] = useState(() => entryOf(key, load));
  const current = entries.get(key) === entry ? entry : entryOf(key, load);
  if (current !== entry) setEntry(current);
  current.load = load;
  current.refreshMs = options.refreshMs;
  const subscribe = useCallback(
    (listener: () => void) => {
      current.listeners.add(listener);
      return () => {
        current.listeners.delete(listener);
        if (current.listeners.size === 0) stop(current);
      };
    },
    [current],
  );
  const state = useSyncExternalStore(subscribe, () => current.state) as QueryState<T>;
  useEffect(() => {
    if (current.running === undefined) start(current);
  }, [current]);
  const reload = useCallback(() => start(current), [current]);
  return { ...state, reload };
}

function entryOf(key: string, load: (signal: AbortSignal) => Promise<unknown>): Entry {
  const known = entries.get(key);
  if (known !== undefined) return known;
  for (const [oldKey, old] of entries) {
    if (entries.size < KEPT_ENTRIES) break;
    if (old.listeners.size === 0) entries.delete(oldKey);
  }
  const entry: Entry = {
    state: { isLoading: true },
    listeners: new Set(),
    load,
    running: undefined,
    refreshMs: undefined,
    timer: undefined,
  };
  entries.set(key, entry);
  return entry;
}

function start(entry: Entry): void {
  entry.running?.abort();
  clearTimeout(entry.timer);
  const running = new AbortController();
  entry.running = running;
  set(entry, { ...entry.state, isLoading: true });
  entry.load(running.signal).then(
    (data) => finish(entry, running, { data, isLoading: false }),
    (error: unknown) => finish(entry, running, { data: entry.state.data, error, isLoading: false }),
  );
}

function finish(entry: Entry, running: AbortController, state: QueryState<unknown>): void {
  if (entry.running !== running) return;
  entry.running = undefined;
  set(entry, state);
  if (entry.refreshMs !== undefined && entry.listeners.size > 0) {
    entry.timer = setTimeout(() => refresh(entry), entry.refreshMs);
  }
}

function refresh(entry: Entry): void {
  if (document.visibilityState === 'visible') start(entry);
  else document.addEventListener('visibilitychange', () => entry.listeners.size > 0 && start(entry), { once: true });
}

function stop(entry: Entry): void {
  clearTimeout(entry.timer);
  entry.running?.abort();
  entry.running = undefined;
}

function set(entry: Entry, state: QueryState<unknown>): void {
  entry.state = state;
  for (const listener of entry.listeners) listener();
}
