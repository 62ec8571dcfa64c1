import { type ExchangeRequest, header } from '../../bindings/exchange.ts';
import type { Caller } from '../../model/call.ts';

/** The callers whom no address tells apart are one caller: none of them can evade a limit. */
const UNKNOWN = 'address:unknown';

/** Names the one whose requests are counted together: who a caller is or, where that is not known, where it calls from. */
export function callerKey(request: ExchangeRequest, { subject, tenant, scheme }: Caller, trustProxy: boolean): string {
  // The length tells where the tenant ends: both may have colons.
  if (subject !== '') return `subject:${scheme ?? ''}:${tenant.length}:${tenant}:${subject}`;
  const address = addressOf(request, trustProxy);
  return address === undefined ? UNKNOWN : `address:${networkOf(address)}`;
}

/** The address that a request comes from; undefined where the runtime does not tell it. */
export function addressOf(request: ExchangeRequest, trustProxy: boolean): string | undefined {
  return (trustProxy ? forwardedAddress(request) : undefined) ?? request.peer.address;
}

/**
 * The address that the nearest proxy saw, which is the last of the list: clients can write whatever they like before it
 * (RFC 7239 §8.1).
 */
function forwardedAddress({ headers }: ExchangeRequest): string | undefined {
  const last = header(headers, 'x-forwarded-for')?.split(',').at(-1)?.trim();
  return last === undefined || last === '' || last.length > LONGEST_ADDRESS ? undefined : withoutPort(last);
}

/** An IPv6 address with a zone and a port in brackets is shorter. */
const LONGEST_ADDRESS = 64;

function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(address);
  if (bracketed) return bracketed[1] as string;
  return /^[^:]*:\d+$/.test(address) ? address.slice(0, address.indexOf(':')) : address;
}

/** A subscriber has a whole /64 of IPv6, and could call from another address of it each time. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase();
  if (!plain.includes(':')) return plain;
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(plain);
  if (mapped) return mapped[1] as string;
  const [bare = ''] = plain.split('%');
  const [before = '', after] = bare.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const missing = after === undefined ? 0 : Math.max(0, GROUPS - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

const GROUPS = 8;
const NETWORK_GROUPS = 4;
