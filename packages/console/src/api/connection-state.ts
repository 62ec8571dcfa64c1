import { useSyncExternalStore } from 'react';

/** Whether the last request reached this page's server. */
let isReachable = true;
const listeners = new Set<() => void>();

export function noteReachable(value: boolean): void {
  if (value === isReachable) return;
  isReachable = value;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useReachable(): boolean {
  return useSyncExternalStore(subscribe, () => isReachable);
}
