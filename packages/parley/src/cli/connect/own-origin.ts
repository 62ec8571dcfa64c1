import type { ClientInterceptor } from '../../client/options.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../show/problems.ts';

/** The names of this machine: a server is the same one under each of them. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** An interface of a card, with its address as a URL. */
interface Used {
  readonly url: string;
  readonly protocolBinding: string;
}

/**
 * Refuses calls to another origin than that of the address which the user gave, unless it was allowed: a card may name any
 * address. gRPC may be at another port of the same host, where it is no less secure. `used` is the interface in use.
 */
export function refuseOtherOrigins(
  own: string,
  allowed: readonly string[],
  used: () => Used | undefined,
): ClientInterceptor {
  const known = new Set([own, ...allowed].map(placeOf));
  return (call, next) => {
    const { url, protocolBinding } = used() ?? {};
    if (url === undefined || known.has(placeOf(url))) return next(call);
    if (protocolBinding === 'GRPC' && isGrpcPlace(url, [own, ...allowed])) return next(call);
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

/** Tells whether an address of gRPC is at the host of one of these origins, and no less secure. */
export function isGrpcPlace(address: string, origins: readonly string[]): boolean {
  const { protocol, hostname } = new URL(address);
  return origins.some((origin) => {
    const own = new URL(origin);
    return hostOf(own.hostname) === hostOf(hostname) && (protocol === 'https:' || own.protocol === 'http:');
  });
}

/** The origin, with one name for this machine. */
function placeOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${protocol}//${hostOf(hostname)}:${port}`;
}

function hostOf(hostname: string): string {
  return LOOPBACK.test(hostname) ? 'localhost' : hostname;
}
