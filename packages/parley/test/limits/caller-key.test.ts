import { describe, expect, it } from 'vitest';
import { ANONYMOUS } from '../../src/model/call.ts';
import { callerKey, networkOf } from '../../src/server/limits/caller-key.ts';

const from = (address: string | undefined, forwarded?: string) => ({
  method: 'POST',
  url: '/a2a',
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  body: undefined,
  peer: { address },
});

describe('callers are told apart', () => {
  it('by who they are, wherever they call from', () => {
    const alice = { ...ANONYMOUS, subject: 'alice', scheme: 'jwt' };
    const key = callerKey(from('192.0.2.1'), alice, false);
    expect(callerKey(from('192.0.2.2'), alice, false)).toBe(key);
    expect(callerKey(from('192.0.2.1'), { ...alice, subject: 'bob' }, false)).not.toBe(key);
    expect(callerKey(from('192.0.2.1'), { ...alice, tenant: 'acme' }, false)).not.toBe(key);
    expect(callerKey(from('192.0.2.1'), ANONYMOUS, false)).not.toBe(key);
    const [one, other] = [
      { ...alice, tenant: 'a', subject: 'b:c' },
      { ...alice, tenant: 'a:b', subject: 'c' },
    ].map((caller) => callerKey(from('192.0.2.1'), caller, false));
    expect(one).not.toBe(other);
    // A name that looks like an address is a name.
    expect(callerKey(from('192.0.2.1'), { ...alice, subject: 'address:192.0.2.1' }, false)).not.toBe(
      callerKey(from('192.0.2.1'), ANONYMOUS, false),
    );
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['192.0.2.7', '192.0.2.7'],
  ])('by their network: %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('behind a proxy that is trusted, by the address that it saw, and never by what a client wrote', () => {
    const key = callerKey(from('10.0.0.1', '198.51.100.7'), ANONYMOUS, true);
    expect(key).toContain('198.51.100.7');
    expect(callerKey(from('10.0.0.1', 'made up, 203.0.113.9, 198.51.100.7'), ANONYMOUS, true)).toBe(key);
    expect(callerKey(from('10.0.0.1', '198.51.100.7:4711'), ANONYMOUS, true)).toBe(key);
    expect(callerKey(from('10.0.0.1', '[2001:db8:1:2::9]:443'), ANONYMOUS, true)).toContain('2001:db8:1:2::/64');
    // Where the proxy says nothing, it is the caller.
    const proxy = callerKey(from('10.0.0.1'), ANONYMOUS, true);
    expect(callerKey(from('10.0.0.1', ''), ANONYMOUS, true)).toBe(proxy);
    expect(callerKey(from('10.0.0.1', 'x'.repeat(1000)), ANONYMOUS, true)).toBe(proxy);
    expect(callerKey(from('10.0.0.1', '198.51.100.7'), ANONYMOUS, false)).toBe(proxy);
  });

  it('are one where nothing tells them apart', () => {
    expect(callerKey(from(undefined), ANONYMOUS, false)).toBe(callerKey(from(undefined), ANONYMOUS, true));
  });
});
