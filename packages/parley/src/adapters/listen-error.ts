/** Refuses what other frameworks' `listen` takes, such as a port alone: its server would be on the usual port, without a word. */
export function requireOptions<Options extends object>(options: Options): Options {
  if (typeof options === 'object' && options !== null) return options;
  throw new TypeError(`listen takes options, such as { port: 4000 }, and not ${JSON.stringify(options)}`);
}

/** Says in a sentence why a port cannot be had. */
export function listenError(error: unknown, port: number, host: string): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} on ${host} is taken by another program`, { cause: error });
    case 'EACCES':
      return new Error(`Port ${port} on ${host} may not be used by this user`, { cause: error });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`${host} is not an address of this machine`, { cause: error });
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
}
