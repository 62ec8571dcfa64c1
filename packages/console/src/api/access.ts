/**
 * The credential that the person pasted for this server, kept for this window alone. It goes to the server's own origin, never
 * to outside agents.
 */
export interface Access {
  /** A header's name in lower case, e.g. `authorization` or `x-api-key`. */
  readonly header: string;
  readonly value: string;
}

const KEY = 'parley.access';
/** All items of this page in `sessionStorage` begin with it. */
const PREFIX = 'parley.';
const listeners = new Set<() => void>();
let current = read();

function read(): Access | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return undefined;
    const { header, value } = stored as Partial<Access>;
    return typeof header === 'string' && typeof value === 'string' ? { header, value } : undefined;
  } catch {
    return undefined;
  }
}

export function currentAccess(): Access | undefined {
  return current;
}

/** Takes a credential, or forgets it. */
export function setAccess(access: Access | undefined): void {
  current = access;
  try {
    if (access === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(access));
  } catch {
    // Storage is off: the credential lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

/** Forgets the credential and all else that the window keeps, and loads the page anew: nothing of it stays in memory. */
export function signOut(): void {
  current = undefined;
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  } catch {
    // Storage is off: there is nothing in it.
  }
  location.assign('/console/');
}

export function onAccessChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
