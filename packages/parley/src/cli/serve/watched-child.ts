import type { Surroundings } from '../surroundings.ts';

/** Set for a server that runs below `serve --watch`: `first` for the first one, `again` for those after it. */
export const RUN_VARIABLE = 'PARLEY_WATCHED_RUN';

export type WatchedRun = 'first' | 'again';

/** What a server tells whoever watches over it. */
export interface Report {
  /** Where it listens; undefined where it could not start. */
  readonly url: string | undefined;
  /** The files whose changes matter. */
  readonly files: readonly string[];
}

export function watchedRun(env: Surroundings['env']): WatchedRun | undefined {
  const value = process.send ? env[RUN_VARIABLE] : undefined;
  return value === 'first' || value === 'again' ? value : undefined;
}

export function reportReady(url: string, files: Iterable<string>): void {
  send({ url, files: [...files] });
}

export function reportFailure(files: Iterable<string>): void {
  send({ url: undefined, files: [...files] });
}

function send(report: Report): void {
  if (process.connected) process.send?.(report);
}

export function isReport(message: unknown): message is Report {
  return typeof message === 'object' && message !== null && 'files' in message && Array.isArray(message.files);
}
