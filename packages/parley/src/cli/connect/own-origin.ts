import type { ClientInterceptor } from '../../client/options.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';

/** The names of this machine: a server is the same one under each of them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Refuses calls to another origin than that of the address which the user gave, unless it was allowed: a card may name any
 * address. `address` is that of the interface in use.
 */
export function refuseOtherOrigins(
  own: string,
  allowed: readonly string[],
  address: () => string | undefined,
): ClientInterceptor {
  const known = new Set([own, ...allowed].map(placeOf));
  return (call, next) => {
    const url = address();
    if (url === undefined || known.has(placeOf(url))) return next(call);
    const { origin } = new URL(url);
    const advice = `--allow-origin ${origin} allows it`;
    const text = `The card of ${own} leads to another origin, ${origin}: nothing was sent there. ${advice}`;
    throw new CommandError(text, EXIT.unauthorized, 'FOREIGN_ORIGIN');
  };
}

/** Tells whether an address is at one of these origins. */
export function isAllowedPlace(address: string, origins: readonly string[]): boolean {
  return origins.some((origin) => placeOf(origin) === placeOf(address));
}

/** The origin, with one name for this machine. */
function placeOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${protocol}//${LOOPBACK.test(hostname) ? 'localhost' : hostname}:${port}`;
}
