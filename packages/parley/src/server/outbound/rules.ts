import { type AddressBytes, readAddress } from './addresses.ts';
import type { Place } from './allow-list.ts';
import { OutboundError } from './outbound-error.ts';
import { isUsualPort } from './ports.ts';
import type { OutboundSettings } from './settings.ts';
import { specialKindOf } from './special-addresses.ts';

/** The longest URL that is called, in characters. */
const LONGEST_URL = 4_096;

/** A URL whose scheme, port and literal address the rules allow. */
export interface Target extends Place {
  readonly url: URL;
  /** The address, if the host is one and not a name. */
  readonly address: AddressBytes | undefined;
}

/** Reads a URL and checks all that can be seen without asking for the addresses of a name. Throws an `OutboundError`. */
export function readTarget(text: string, settings: OutboundSettings): Target {
  const url = readUrl(text);
  const scheme = url.protocol.slice(0, -1);
  if (!settings.schemes.has(scheme)) {
    const open = [...settings.schemes].join(' or ');
    throw new OutboundError('REFUSED', `must begin with ${open}, and not with ${scheme.slice(0, 20)}`);
  }
  // `URL` has undone odd spellings: octal and hexadecimal digits, percent signs, full-width letters.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
  const target = { url, host, port, address: readAddress(host) };
  if (host === '') throw new OutboundError('INVALID', 'must name a host');
  checkPort(target, settings);
  if (target.address) checkAddress(target.address, target, settings);
  return target;
}

function readUrl(text: string): URL {
  if (text.length > LONGEST_URL)
    throw new OutboundError('INVALID', `must not be longer than ${LONGEST_URL} characters`);
  const url = URL.parse(text);
  if (!url) throw new OutboundError('INVALID', 'must be an absolute URL');
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('REFUSED', 'must not hold a user name or a password; credentials have fields of their own');
  }
  return url;
}

function checkPort(target: Target, { allow, ports }: OutboundSettings): void {
  const { port, address } = target;
  const isOpen = ports ? ports.has(port) : isUsualPort(port);
  if (isOpen || allow.opensPort(target, address)) return;
  throw new OutboundError('REFUSED', `must not lead to port ${port}, which this server does not call`);
}

/** Refuses an address that is neither public nor opened by the operator. */
function checkAddress(address: AddressBytes, target: Target, settings: OutboundSettings): void {
  const kind = specialKindOf(address);
  if (kind === undefined) return;
  const { allow, loopback, allowsLoopback } = settings;
  if (allow.opensAddress(address, target.port) || allow.opensHost(target)) return;
  if (loopback.opensAddress(address, target.port) && allowsLoopback()) return;
  // For a name only the kind is told: callers must not learn the addresses of a private network.
  const what = target.address ? `lead to ${kind}` : `have a name that leads to ${kind}`;
  throw new OutboundError('REFUSED', `must not ${what}, which this server does not call`);
}

/** Checks every address of a name; an answer that is no address is refused too. */
export function checkAddresses(answers: readonly string[], target: Target, settings: OutboundSettings): void {
  for (const answer of answers) {
    const address = readAddress(answer);
    if (!address)
      throw new OutboundError('REFUSED', 'must not have a name that leads to something else than addresses');
    checkAddress(address, target, settings);
  }
}
