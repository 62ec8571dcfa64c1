export interface Settings {
  readonly port: number;
  readonly host: string;
  /** A file, or `memory` to keep nothing. */
  readonly database: string;
}

/** What the environment asks for. An empty variable is as good as none. */
export function readSettings({ PORT, HOST, PARLEY_DB }: NodeJS.ProcessEnv): Settings {
  return { port: readPort(PORT || '4000'), host: HOST || '127.0.0.1', database: PARLEY_DB || 'parley.db' };
}

function readPort(value: string): number {
  if (/^\d+$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new Error(`PORT must be a number from 0 (any free port) to 65535, not "${value}".`);
}
