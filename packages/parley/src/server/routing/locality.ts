import { type ExchangeRequest, header, type RequestHeaders } from '../../bindings/exchange.ts';

export interface LocalitySettings {
  readonly url?: string | undefined;
  readonly trustProxy?: boolean | undefined;
}

/**
 * True for a request from a program on this machine, to a socket that no other machine reaches. A proxy on this machine
 * looks the same at the socket, so any sign of one makes the request a stranger's: the settings, a `Host` that is not
 * this machine (which a page gets by rebinding its name, too), or a header that proxies add. Headers can only take
 * trust away.
 */
export function isLocalCall(request: ExchangeRequest, { url, trustProxy = false }: LocalitySettings): boolean {
  if (request.peer.isLocal !== true || trustProxy) return false;
  if (url !== undefined && !isLoopbackHost(URL.parse(url)?.host)) return false;
  const { headers } = request;
  return isLoopbackHost(header(headers, 'host') ?? header(headers, ':authority')) && !wasForwarded(headers);
}

/** An address of the loopback interface, also as IPv6 writes those of IPv4. */
export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false;
  const plain = address.toLowerCase().replace(/^::ffff:/, '');
  return plain === '::1' || /^127(?:\.\d{1,3}){3}$/.test(plain);
}

/** A name or an address of this machine as in a `Host` header, with or without a port. */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? [];
  return /^(?:.+\.)?localhost\.?$/.test(name) || isLoopbackAddress(name.replace(/^\[(.*)\]$/, '$1'));
}

const FORWARDING: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-host',
  'x-original-for',
  'true-client-ip',
  'fastly-client-ip',
]);

const FORWARDING_FAMILY = /^(?:x-forwarded|x-envoy|x-amzn|cf)-/;

function wasForwarded(headers: RequestHeaders): boolean {
  return Object.keys(headers).some(isForwardingHeader);
}

/** A header that a proxy adds; the name in lower case. */
export function isForwardingHeader(name: string): boolean {
  return FORWARDING.has(name) || FORWARDING_FAMILY.test(name);
}
