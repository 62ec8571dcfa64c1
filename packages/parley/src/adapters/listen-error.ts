import { isPlainObject } from '../model/basics/json.ts';
import { type Checks, checkOptions, isPort, object, shown, takes, text } from '../model/options/checks.ts';

/** The options of `listen`, as far as they are looked at here. */
interface ListenedOptions {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly tls?: object | undefined;
}

/** Variables of the environment are texts: a port of digits alone is one as well. */
const CHECKS: Checks<ListenedOptions> = {
  port: takes('a whole number from 0 to 65535', (value) => isPort(portOf(value))),
  host: text,
  tls: object,
};

/**
 * Refuses wrong names and values. Node would take a port that is no number for the path of a socket, and listen there. What
 * other frameworks' `listen` takes, such as a port alone, would be a server on the usual port, without a word.
 */
export function requireOptions<Options extends ListenedOptions>(
  options: Options & { readonly [Name in Exclude<keyof Options, keyof ListenedOptions>]: never },
): Options {
  if (!isPlainObject(options)) {
    throw new TypeError(`listen takes options, such as { port: 4000 }, and not ${shown(options)}`);
  }
  checkOptions('listen', options, CHECKS);
  return { ...options, port: portOf(options.port) };
}

function portOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : (value as number | undefined);
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
