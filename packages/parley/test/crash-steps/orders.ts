/** What a server process is told. */
export interface Orders {
  readonly file: string;
  /** Where each side effect is a line. */
  readonly effects: string;
  /** It kills itself at the first point that is not in this file yet, and adds it; left out: it never does. */
  readonly points?: string | undefined;
  /** The longest pause at a point, in milliseconds. */
  readonly slowness: number;
  readonly resumes?: number | undefined;
}
