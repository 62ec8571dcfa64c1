import type { AgentInterface } from '../../../model/card.ts';

/** A host and a port, as cards of 1.0.1 write it (reference: v1-bindings §7); the port may be missing. */
const BARE = /^(?:\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::\d{1,5})?$/i;
const WITH_SCHEME = /^(https?|grpcs?):\/\/(.+)$/i;

/**
 * Returns the http(s) address that stands for one of gRPC: `https` where it is called over TLS. An address with a scheme says
 * so itself. One without is called over TLS at port 443, which is the default, and where all other interfaces of the card are.
 *
 * @param tls what the user says of addresses without a scheme
 */
export function grpcAddress(url: string, all: readonly AgentInterface[], tls: boolean | undefined): string | undefined {
  const given = url.trim();
  const [, scheme, rest = ''] = WITH_SCHEME.exec(given) ?? [];
  if (scheme !== undefined) return originOf(`${/s$/i.test(scheme) ? 'https' : 'http'}://${rest}`);
  if (!BARE.test(given)) return undefined;
  const place = /:\d+$/.test(given) ? given : `${given}:443`;
  const isTls = tls ?? (place.endsWith(':443') || areSecure(all));
  return originOf(`${isTls ? 'https' : 'http'}://${place}`);
}

function areSecure(all: readonly AgentInterface[]): boolean {
  const others = all.map(({ url }) => url.toLowerCase()).filter((url) => /^https?:/.test(url));
  return others.length > 0 && others.every((url) => url.startsWith('https:'));
}

/** No address has a name or a password in it. */
function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  return url && url.username === '' && url.password === '' ? url.origin : undefined;
}

/** The target of a channel: the host with its port. */
export function targetOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `dns:${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/**
 * Tells whether an address may see what is meant for an origin: gRPC has a port of its own, so the host is what must be the same.
 * What is meant for TLS does not go out without.
 */
export function isOfSameHost(address: URL, origin: string): boolean {
  const trusted = new URL(origin);
  return address.hostname === trusted.hostname && (address.protocol === 'https:' || trusted.protocol === 'http:');
}
