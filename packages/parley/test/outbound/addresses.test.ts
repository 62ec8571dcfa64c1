import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithin, readAddress, readNetwork } from '../../src/server/outbound/addresses.ts';
import { specialKindOf } from '../../src/server/outbound/special-addresses.ts';

function kindOf(text: string): string | undefined {
  const address = readAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return specialKindOf(address);
}

describe('addresses that are not public', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'shared'],
    ['100.127.255.255', 'shared'],
    ['100.100.100.200', 'metadata'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'metadata'],
    ['169.254.0.1', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.8', 'reserved'],
    ['192.0.0.192', 'metadata'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4'],
    ['192.168.255.255', 'private'],
    ['198.18.0.1', 'benchmark'],
    ['198.19.255.255', 'benchmark'],
    ['198.51.100.7', 'documentation'],
    ['203.0.113.7', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::2', 'IPv4 address in IPv6'],
    ['::7f00:1', 'IPv4 address in IPv6'],
    ['::ffff:127.0.0.1', 'IPv4 address in IPv6'],
    ['::ffff:8.8.8.8', 'IPv4 address in IPv6'],
    ['::ffff:0:127.0.0.1', 'IPv4 address in IPv6'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::1', 'NAT64'],
    ['100::1', 'reserved'],
    ['1::1', 'outside 2000::/3'],
    ['2001::1', 'Teredo'],
    ['2001:2::1', 'benchmark'],
    ['2001:10::1', 'reserved'],
    ['2001:20::1', 'reserved'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['3fff::1', 'documentation'],
    ['4000::1', 'outside 2000::/3'],
    ['5f00::1', 'outside 2000::/3'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'metadata'],
    ['fd12:3456::1', 'private'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['2600::5efe:10.0.0.1', 'ISATAP'],
    ['2600::200:5efe:10.0.0.1', 'ISATAP'],
  ])('%s is %s', (address, kind) => {
    expect(kindOf(address)).toContain(kind);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '168.63.129.17',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2600::1',
    '2a00:1450:4001:800::200e',
    '3ffe::1',
  ])('%s is public', (address) => {
    expect(kindOf(address)).toBeUndefined();
  });
});

describe('reading addresses', () => {
  it.each([
    '',
    '1',
    '127.1',
    '0177.0.0.1',
    '127.0.0.01',
    '127.0.0.256',
    '1.2.3.4.',
    '1.2.3.4.5',
    '127.0.0.1 ',
    '0x7f.0.0.1',
  ])('takes no odd spelling of IPv4: %j', (text) => {
    expect(readAddress(text)).toBeUndefined();
  });

  it.each([
    ':',
    ':::',
    '1::2::3',
    'fe80::1%eth0',
    '::1%25lo',
    '[::1]',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::g',
    '::1]/@x',
  ])('takes nothing that is no IPv6: %j', (text) => {
    expect(readAddress(text)).toBeUndefined();
  });

  it('agrees with Node on which addresses are in which networks', () => {
    const ipv4 = fc.ipV4();
    fc.assert(
      fc.property(ipv4, ipv4, fc.integer({ min: 0, max: 32 }), (address, other, bits) => {
        const mask = bits === 0 ? 0 : (-1 << (32 - bits)) >>> 0;
        const number = (other.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) & mask) >>> 0;
        const base = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
        const theirs = new BlockList();
        theirs.addSubnet(base, bits);
        const ours = readNetwork(`${base}/${bits}`);
        expect(isWithin(readAddress(address) ?? new Uint8Array(), ours)).toBe(theirs.check(address));
        expect(isWithin(readAddress(base) ?? new Uint8Array(), ours)).toBe(true);
      }),
    );
  });

  it('reads every IPv6 address as Node does', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const theirs = new BlockList();
        theirs.addAddress(text, 'ipv6');
        const bytes = readAddress(text);
        expect(bytes).toHaveLength(16);
        const groups = Array.from({ length: 8 }, (_, index) =>
          (((bytes?.[2 * index] ?? 0) << 8) | (bytes?.[2 * index + 1] ?? 0)).toString(16),
        );
        expect(theirs.check(groups.join(':'), 'ipv6')).toBe(true);
      }),
    );
  });

  it.each([
    ['10.0.0.1/8', 'has bits beyond its first 8'],
    ['10.0.0.0/33', 'from /0 to /32'],
    ['::1/129', 'from /0 to /128'],
    ['10.0.0.0/', 'from /0 to /32'],
    ['10.0.0.0/8/8', 'is not an address'],
    ['10.0.0', 'is not an address'],
  ])('says what is wrong with the network %s', (text, problem) => {
    expect(() => readNetwork(text)).toThrow(problem);
  });
});
