import { type AddressBytes, isWithin, type Network, readNetwork } from './addresses.ts';

/** Networks that are not the public internet (the IANA registries of special-purpose addresses), the narrower ones first. */
const SPECIAL: readonly (readonly [kind: string, ...networks: string[]])[] = [
  // Clouds tell their machines' credentials there; one of them at a public address.
  ['a metadata address', '169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
  ['an unspecified address', '0.0.0.0/8', '::'],
  ['a loopback address', '127.0.0.0/8', '::1'],
  ['a private address', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  ['a shared address of a provider', '100.64.0.0/10'],
  ['a link-local address', '169.254.0.0/16', 'fe80::/10'],
  ['a site-local address', 'fec0::/10'],
  ['a documentation address', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ['a benchmark address', '198.18.0.0/15', '2001:2::/48'],
  ['a multicast address', '224.0.0.0/4', 'ff00::/8'],
  ['a broadcast address', '255.255.255.255'],
  ['a reserved address', '240.0.0.0/4', '192.0.0.0/24', '100::/64'],
  ['an IPv4 address in IPv6', '::ffff:0:0/96', '::ffff:0:0:0/96', '::/96'],
  ['an IPv4 address behind NAT64', '64:ff9b::/96', '64:ff9b:1::/48'],
  ['an IPv4 address in a 6to4 tunnel', '2002::/16', '192.88.99.0/24'],
  ['an IPv4 address in a Teredo tunnel', '2001::/32'],
  ['a reserved address', '2001::/23'],
];

const NETWORKS: readonly (readonly [kind: string, network: Network, text: string])[] = SPECIAL.flatMap(
  ([kind, ...texts]) => texts.map((text) => [kind, readNetwork(text), text] as const),
);
/** All that is global unicast in IPv6 is in here. */
const GLOBAL_IPV6 = readNetwork('2000::/3');
/** The beginnings of interface ids that end with an IPv4 address (ISATAP, RFC 5214 §6.1). */
const ISATAP: readonly string[] = ['0,0,94,254', '2,0,94,254'];

/** Says which special kind of address it is, with its network; undefined for public unicast addresses. */
export function specialKindOf(address: AddressBytes): string | undefined {
  const found = NETWORKS.find(([, network]) => isWithin(address, network));
  if (found) return `${found[0]} (${found[2]})`;
  if (address.length === 4) return undefined;
  if (!isWithin(address, GLOBAL_IPV6)) return 'no public address (outside 2000::/3)';
  return ISATAP.includes(String(address.slice(8, 12))) ? 'an IPv4 address in an ISATAP tunnel' : undefined;
}

/** The networks of the loopback interface. */
export const LOOPBACK: readonly string[] = ['127.0.0.0/8', '::1'];
