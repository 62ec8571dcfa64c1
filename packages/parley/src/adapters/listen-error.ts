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
