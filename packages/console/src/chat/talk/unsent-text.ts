/** The longest text that is kept; what is longer is lost with a reload. */
const LONGEST = 100_000;
const KEY = 'parley.unsent';

/** What a person has written to an agent and not sent yet, kept for this window alone, so that a reload leaves it there. */
export function readUnsent(agent: string): string {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return '';
    const { agent: to, text } = kept as { readonly agent?: unknown; readonly text?: unknown };
    return to === agent && typeof text === 'string' ? text : '';
  } catch {
    return '';
  }
}

/** Keeps the text in the place of the one before, or forgets that where there is none. */
export function keepUnsent(agent: string, text: string): void {
  try {
    if (text.trim() === '' || text.length > LONGEST) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ agent, text }));
  } catch {
    // Storage is off or full: the text lasts until the page is left.
  }
}
