export type Settings = ReturnType<typeof readSettings>;

/** What the environment asks for. An empty variable is as good as none. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const { PARLEY_PORT, PORT, PARLEY_HOST, HOST, PARLEY_STORE, PARLEY_DB, PARLEY_MODEL } = env;
  return {
    port: PARLEY_PORT ? readPort('PARLEY_PORT', PARLEY_PORT) : readPort('PORT', PORT || '4000'),
    host: PARLEY_HOST || HOST || '127.0.0.1',
    database: PARLEY_STORE || PARLEY_DB || 'parley.db',
    model: PARLEY_MODEL?.trim() || undefined, // brings the writer
  };
}

/** The console of the demo is for this machine alone: nobody is asked for a password. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function readPort(name: string, value: string): number {
  if (/^\d+$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new Error(`${name} must be a number from 0 (any free port) to 65535, not "${value}".`);
}
