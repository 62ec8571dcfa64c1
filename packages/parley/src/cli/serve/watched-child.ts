import type { Surroundings } from '../surroundings.ts';

/** Set for a server that runs below `serve --watch`: `first` for the first one, `again` for those after it. */
export const RUN_VARIABLE = 'PARLEY_WATCHED_RUN';

export type WatchedRun = 'first' | 'again';

/** A server's report to the process that watches it. */
export interface Report {
  /** `loaded`: it waits for the word to serve. `failed`: it could not be loaded, or could not listen. */
  readonly state: 'loaded' | 'serving' | 'failed';
  /** The address, once the server listens. */
  readonly url?: string | undefined;
  /** The files whose changes matter. */
  readonly files: readonly string[];
}

/** The one word that the watching process says: the server before has ended, and this one takes its place. */
export const SERVE = 'serve';

export function watchedRun(env: Surroundings['env']): WatchedRun | undefined {
  const value = process.send ? env[RUN_VARIABLE] : undefined;
  return value === 'first' || value === 'again' ? value : undefined;
}

export function report(message: Report): void {
  if (process.connected) process.send?.(message);
}

/** Resolves when the watching process says so; with false where it is gone. */
export function wordToServe(): Promise<boolean> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === SERVE) resolve(true);
    });
    process.once('disconnect', () => resolve(false));
    if (!process.connected) resolve(false);
  });
}

export function isReport(message: unknown): message is Report {
  return typeof message === 'object' && message !== null && 'files' in message && Array.isArray(message.files);
}
