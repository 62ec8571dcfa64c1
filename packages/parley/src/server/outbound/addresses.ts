/** An address in bytes: four of IPv4, sixteen of IPv6. */
export type AddressBytes = Uint8Array;

/** Reads an address as resolvers and `URL` write it; undefined for anything else, zone ids and odd spellings included. */
export function readAddress(text: string): AddressBytes | undefined {
  return text.includes(':') ? readIPv6(text) : readIPv4(text);
}

function readIPv4(text: string): AddressBytes | undefined {
  if (!/^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/.test(text)) return undefined;
  const numbers = text.split('.').map(Number);
  return numbers.every((number) => number <= 255) ? Uint8Array.from(numbers) : undefined;
}

function readIPv6(text: string): AddressBytes | undefined {
  // `URL` writes each address in one way, in which no part is an IPv4 address any more.
  if (!/^[\da-fA-F:.]+$/.test(text)) return undefined;
  const host = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return undefined;
  const [head = '', tail] = host.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const between = tail === undefined ? [] : new Array<number>(8 - before.length - after.length).fill(0);
  const groups = [...before, ...between, ...after];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** A network: the addresses that begin with the same bits. */
export interface Network {
  readonly base: AddressBytes;
  readonly bits: number;
}

/** Reads `10.0.0.0/8`, `fd00::/8` or one address. Throws a TypeError that says what is wrong, without the text itself. */
export function readNetwork(text: string): Network {
  const [address = '', length, ...more] = text.split('/');
  const base = readAddress(address);
  if (!base || more.length > 0) throw new TypeError('is not an address or a network such as 10.0.0.0/8');
  const most = base.length * 8;
  if (length === undefined) return { base, bits: most };
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(bits <= most)) throw new TypeError(`must end with a number of bits from /0 to /${most}`);
  if (!isWithin(base, { base: masked(base, bits), bits: most })) {
    throw new TypeError(`has bits beyond its first ${bits}, so it is no network`);
  }
  return { base, bits };
}

function masked(bytes: AddressBytes, bits: number): AddressBytes {
  return bytes.map((byte, index) => byte & maskOf(bits, index));
}

export function isWithin(address: AddressBytes, { base, bits }: Network): boolean {
  if (address.length !== base.length) return false;
  for (let index = 0; index * 8 < bits; index += 1) {
    if (((address[index] ?? 0) ^ (base[index] ?? 0)) & maskOf(bits, index)) return false;
  }
  return true;
}

/** The bits of a byte that belong to the network. */
function maskOf(bits: number, index: number): number {
  const within = Math.min(8, Math.max(0, bits - index * 8));
  return (0xff00 >> within) & 0xff;
}
