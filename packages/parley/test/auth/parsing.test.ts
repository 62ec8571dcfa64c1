import { describe, expect, it } from 'vitest';
import { authorizationOf, credentialFor } from '../../src/server/auth/credentials.ts';
import { IdentityCache } from '../../src/server/auth/identity-cache.ts';
import { requestWith } from './support/requests.ts';

describe('a credential in a header', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc  ', 'abc'],
    ['Bearer a b', 'a b'],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Bearer\tabc', undefined],
    ['Bearerabc', undefined],
    ['Basic abc', undefined],
    ['', undefined],
  ])('%j is %j', (authorization, credential) => {
    expect(authorizationOf(requestWith({ authorization }), 'Bearer')).toBe(credential);
  });

  it('is found in linear time, however the header looks', () => {
    const cookie = { type: 'apiKey', in: 'cookie', name: 'k' } as const;
    const query = { type: 'apiKey', in: 'query', name: 'k' } as const;
    const bearer = { type: 'http', scheme: 'Bearer' } as const;
    // Quadratic work on a million characters would take minutes, and the test's time with it.
    const long = 1_000_000;
    for (const unit of [' ', ';', '=', 'k=', 'k;', '"', '&', '%', 'Bearer ', '\t ']) {
      const text = unit.repeat(long / unit.length);
      credentialFor(bearer, requestWith({ authorization: `Bearer ${text}` }));
      credentialFor(bearer, requestWith({ authorization: `Bearer x${text}x` }));
      credentialFor(cookie, requestWith({ cookie: text }));
      credentialFor(query, requestWith({}, { url: `/?${text}` }));
    }
  });
});

describe('the memory of identities', () => {
  const identity = { subject: 'x' };

  it('keeps what was used last, within its bounds', () => {
    const cache = new IdentityCache({ entries: 3, characters: 100 });
    for (const key of ['a', 'b', 'c']) cache.set(key, identity);
    cache.get('a', 0);
    cache.set('d', identity);
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key, 0))).toEqual(['a', 'c', 'd']);
    cache.set('e'.repeat(99), identity);
    expect(cache.size).toBe(2);
    cache.set('f'.repeat(101), identity);
    expect(cache.size).toBe(0);
  });

  it('forgets what has expired', () => {
    const cache = new IdentityCache({ entries: 3, characters: 3 });
    cache.set('a', identity, 10);
    expect(cache.get('a', 9)).toBe(identity);
    expect(cache.get('a', 10)).toBeUndefined();
    expect(cache.size).toBe(0);
  });
});
