import { describe, expect, it } from 'vitest';
import { OutboundGuard } from '../../src/server/outbound/guard.ts';
import { OutboundError } from '../../src/server/outbound/outbound-error.ts';
import type { OutboundOptions } from '../../src/server/outbound/settings.ts';

/** Names of a test: what they resolve to. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['93.184.216.34', '2600::1'],
  'private.test': ['10.1.2.3'],
  'mixed.test': ['93.184.216.34', '127.0.0.1'],
  'mapped.test': ['::ffff:10.0.0.1'],
  'zoned.test': ['fe80::1%eth0'],
  'odd.test': ['0x7f.1'],
  localhost: ['127.0.0.1', '::1'],
};

function resolve(host: string): readonly string[] {
  const found = NAMES[host];
  if (!found) throw new Error('ENOTFOUND');
  return found;
}

async function refusal(url: string, options: OutboundOptions = {}): Promise<string | undefined> {
  try {
    await new OutboundGuard({ resolve, ...options }).checkUrl(url);
    return undefined;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.message;
  }
}

describe('URLs that callers give', () => {
  it.each([
    'https://public.test/hook',
    'http://public.test/',
    'https://public.test:8443/x?y#z',
    'http://public.test:4000/',
    'http://8.8.8.8/',
    'https://[2600::1]/',
    'https://no-such-name.test/hook',
    'https://public.test./hook',
  ])('may be called: %s', async (url) => {
    expect(await refusal(url)).toBeUndefined();
  });

  // Every spelling of an address that is known from attacks on such guards.
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://127%2e0%2e0%2e1/',
    'http://%31%32%37.0.0.1/',
    'http://１２７.０.０.１/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http:\\\\127.0.0.1\\',
    'http:127.0.0.1',
    ' http://127.0.0.1/',
    'http://127.0.0.1\t/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://ⓛocalhost/',
  ])('may not reach the loopback interface: %j [rule:push.ssrf]', async (url) => {
    expect(await refusal(url)).toMatch(/^must not (?:lead to|have a name that leads to) a loopback address/);
  });

  it.each([
    ['http://0/', 'unspecified'],
    ['http://[::]/', 'unspecified'],
    ['http://169.254.169.254/latest/meta-data/', 'metadata'],
    ['http://[fd00:ec2::254]/', 'metadata'],
    ['http://[::ffff:169.254.169.254]/', 'IPv4 address in IPv6'],
    ['http://[::ffff:a9fe:a9fe]/', 'IPv4 address in IPv6'],
    ['http://[64:ff9b::10.0.0.1]/', 'NAT64'],
    ['http://3232235777/', 'private'],
    ['http://private.test/', 'private'],
    ['http://mapped.test/', 'IPv4 address in IPv6'],
    ['http://mixed.test/', 'loopback'],
  ])('%s is refused as %s [rule:push.ssrf]', async (url, kind) => {
    expect(await refusal(url)).toContain(kind);
  });

  it('tells of a name only the kind of its address, and nothing of what it was', async () => {
    expect(await refusal('http://private.test/')).toBe(
      'must not have a name that leads to a private address (10.0.0.0/8), which this server does not call',
    );
  });

  it.each(['http://zoned.test/', 'http://odd.test/'])('refuses answers that are no addresses: %s', async (url) => {
    expect(await refusal(url)).toContain('something else than addresses');
  });

  it.each([
    ['', 'must be an absolute URL'],
    ['/hook', 'must be an absolute URL'],
    ['http://', 'must be an absolute URL'],
    ['http://[fe80::1%25eth0]/', 'must be an absolute URL'],
    ['http://[::1', 'must be an absolute URL'],
    ['http://1.2.3.4.5/', 'must be an absolute URL'],
    ['http://256.1.1.1/', 'must be an absolute URL'],
    ['ftp://public.test/', 'must begin with https or http, and not with ftp'],
    ['file:///etc/passwd', 'must begin with https or http, and not with file'],
    ['gopher://127.0.0.1:6379/_x', 'must begin with https or http, and not with gopher'],
    ['javascript:alert(1)', 'must begin with https or http, and not with javascript'],
    ['http://user@public.test/', 'must not hold a user name or a password'],
    ['http://:secret@public.test/', 'must not hold a user name or a password'],
    ['http://public.test@127.0.0.1/', 'must not hold a user name or a password'],
    ['http://public.test:0/', 'must not lead to port 0'],
    ['http://public.test:22/', 'must not lead to port 22'],
    ['http://public.test:25/', 'must not lead to port 25'],
    ['http://public.test:6667/', 'must not lead to port 6667'],
    [`http://public.test/${'x'.repeat(5000)}`, 'must not be longer than 4096 characters'],
  ])('%j: %s', async (url, problem) => {
    expect(await refusal(url)).toContain(problem);
  });
});

describe('the settings of an operator', () => {
  it.each([
    ['http://127.0.0.1:9999/', ['127.0.0.0/8']],
    ['http://127.0.0.1:9999/', ['127.0.0.1']],
    ['http://127.0.0.1:9999/', ['127.0.0.1:9999']],
    ['http://[::1]:9999/', ['::1']],
    ['http://[::1]:9999/', ['[::1]:9999']],
    ['http://private.test/', ['10.0.0.0/8']],
    ['http://private.test/', ['private.test']],
    ['http://PRIVATE.test./', ['Private.Test']],
    ['http://private.test:8443/', ['private.test:8443']],
    ['http://private.test:25/', ['private.test:25']],
    ['http://127.0.0.1:25/', ['127.0.0.1:25']],
    ['http://mixed.test/', ['127.0.0.0/8']],
  ])('%s is open by %j', async (url, allow) => {
    expect(await refusal(url, { allow })).toBeUndefined();
  });

  it.each([
    ['http://127.0.0.1:9998/', ['127.0.0.1:9999']],
    ['http://127.0.0.2/', ['127.0.0.1']],
    ['http://[::ffff:127.0.0.1]/', ['127.0.0.0/8']],
    ['http://10.1.2.3/', ['private.test']],
    ['http://sub.private.test/', ['private.test'], { 'sub.private.test': ['10.1.1.1'] }],
    ['http://private.test:8444/', ['private.test:8443']],
    ['http://private.test:25/', ['private.test']],
    ['http://127.0.0.1:25/', ['127.0.0.0/8']],
  ])('%s is not open by %j', async (url, allow, names: Readonly<Record<string, readonly string[]>> = {}) => {
    expect(await refusal(url, { allow, resolve: (host) => names[host] ?? resolve(host) })).toMatch(/^must not /);
  });

  it.each([
    ['http://127.0.0.1:4000/', undefined],
    ['http://[::1]:4000/', undefined],
    ['http://localhost:4000/', undefined],
    ['http://10.0.0.1/', 'private'],
    ['http://169.254.169.254/', 'metadata'],
  ])('a server of this machine alone may call %s: %s', async (url, problem) => {
    const answer = await refusal(url, { allowLoopback: () => true });
    if (problem) expect(answer).toContain(problem);
    else expect(answer).toBeUndefined();
  });

  it('narrows schemes and ports', async () => {
    expect(await refusal('http://public.test/', { schemes: ['https'] })).toBe(
      'must begin with https, and not with http',
    );
    expect(await refusal('https://public.test:8443/', { ports: [443] })).toContain('port 8443');
    expect(await refusal('https://public.test/', { schemes: ['https'], ports: [443] })).toBeUndefined();
  });

  it.each([
    [{ allow: ['10.0.0.1/8'] }, 'push.allow[0]: "10.0.0.1/8" has bits beyond its first 8'],
    [{ allow: ['::1', '10.0.0.0/99'] }, 'push.allow[1]: "10.0.0.0/99" must end with a number of bits from /0 to /32'],
    [{ allow: ['*.internal'] }, 'push.allow[0]: "*.internal" is not a host'],
    [{ allow: ['http://hooks.internal'] }, 'push.allow[0]: "http://hooks.internal" is not an address'],
    [{ allow: ['hooks.internal:0'] }, 'has a port that is none'],
    [{ allow: ['hooks.internal:99999'] }, 'has a port that is none'],
    [{ allow: [''] }, 'push.allow[0]: "" is not a host'],
    [{ allow: ['0x7f000001'] }, 'push.allow[0]: "0x7f000001" is not a host'],
    [{ allow: ['bücher.example'] }, 'is not a host'],
    [{ allow: [7] }, 'push.allow[0]: 7 is not a text'],
    [{ allow: '127.0.0.1' }, 'push.allow is a list'],
    [{ schemes: ['ftp'] }, 'push.schemes: there are https and http, not "ftp"'],
    [{ schemes: [] }, 'push.schemes: there are https and http'],
    [{ ports: [0] }, 'push.ports: a port is a whole number from 1 to 65535, not 0'],
    [{ ports: [] }, 'push.ports: a port is'],
    [{ resolve: 'dns' }, 'push.resolve is a function'],
  ])('are refused at once where they are wrong: %j', (options, problem) => {
    expect(() => new OutboundGuard(options as OutboundOptions, 'push.')).toThrow(problem);
  });
});
