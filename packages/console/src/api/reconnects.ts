import type { ReconnectInfo } from 'parley-a2a/client';

/** Those who want to know when a stream lost its connection and is taken up again. */
const listeners = new Set<(info: ReconnectInfo) => void>();

export function onReconnect(listener: (info: ReconnectInfo) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For the clients of this page. */
export function noteReconnect(info: ReconnectInfo): void {
  for (const listener of listeners) listener(info);
}
