import { isLoopbackAddress } from '../server/routing/locality.ts';

/** A socket of Node, or of what stands in for it elsewhere; `server` is not in Node's documents, but always there. */
interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly server?: { readonly address?: (() => unknown) | undefined } | undefined;
}

/**
 * True where only this machine reaches the server of a connection, and the peer is on it. False where that is unknown,
 * and for HTTP 1.0: programs of today do not speak it, but a common proxy does by default and leaves no other trace.
 */
export function isLocalConnection(connection: Connection, httpVersion: string | undefined): boolean {
  if (httpVersion === '1.0') return false;
  const known = LOCAL.get(connection);
  if (known !== undefined) return known;
  const { remoteAddress, server } = connection;
  const isLocal = isLoopbackAddress(remoteAddress) && isLoopbackAddress(addressOf(server?.address?.()));
  LOCAL.set(connection, isLocal);
  return isLocal;
}

/** The connections that were asked about: both of their ends stay, and to ask for them costs calls of the system. */
const LOCAL = new WeakMap<Connection, boolean>();

/** The second argument of `fetch`, by runtime: Bun passes its server, Deno the address, Hono on Node the request of Node. */
interface Surroundings {
  readonly incoming?:
    | { readonly socket?: Connection | undefined; readonly httpVersion?: string | undefined }
    | undefined;
  readonly requestIP?: ((request: Request) => unknown) | undefined;
  readonly address?: unknown;
  /** Deno's. */
  readonly remoteAddr?: { readonly hostname?: unknown } | undefined;
}

/** The same for a web request. Where the runtime says nothing about the socket, it is not local. */
export function isLocalRequest(request: Request, surroundings: unknown): boolean {
  if (typeof surroundings !== 'object' || surroundings === null) return false;
  const { incoming, requestIP, address } = surroundings as Surroundings;
  if (incoming?.socket) return isLocalConnection(incoming.socket, incoming.httpVersion);
  if (typeof requestIP !== 'function') return false;
  const peer = requestIP.call(surroundings, request);
  return isLoopbackAddress(addressOf(address)) && isLoopbackAddress(addressOf(peer));
}

/** The address that a web request came from, where the runtime tells it: Bun, Deno, and Hono on Node. */
export function addressOfRequest(request: Request, surroundings: unknown): string | undefined {
  if (typeof surroundings !== 'object' || surroundings === null) return undefined;
  const { incoming, requestIP, remoteAddr } = surroundings as Surroundings;
  if (incoming?.socket) return incoming.socket.remoteAddress;
  if (typeof requestIP === 'function') return addressOf(requestIP.call(surroundings, request));
  return typeof remoteAddr?.hostname === 'string' ? remoteAddr.hostname : undefined;
}

function addressOf(place: unknown): string | undefined {
  const address = typeof place === 'object' && place !== null && 'address' in place ? place.address : undefined;
  return typeof address === 'string' ? address : undefined;
}
