const listeners = new Set<() => void>();

/** Notes a response of this page's server; a refusal (401, 403) may mean that the credential of the person has expired. */
export function noteStatus(status: number): void {
  if (status === 401 || status === 403) for (const listener of listeners) listener();
}

export function onRefusal(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
