import { AgentCard, generateAgentCardSignature } from '@a2a-js/sdk';
import { A2AClient } from 'parley-a2a';
import { type CardJson, cardPayload, type Jwk, signCard, type TrustSettings, verifyCard } from 'parley-a2a/cards';
import { describe, expect, it } from 'vitest';
import { PLAIN } from './support/plain-card.ts';
import { newKey } from './support/signed.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A card whose only signature has another header, signed or not. */
function withHeader(header: unknown, signature = 'AAAA'): CardJson {
  return { ...PLAIN, signatures: [{ protected: encoded(header), signature }] };
}

describe('a signature is refused', () => {
  it.each<[string, unknown, string]>([
    ['that is not there', PLAIN, 'it is not signed'],
    ['in an empty list', { ...PLAIN, signatures: [] }, 'it is not signed'],
    ['of a list of cards', [PLAIN], 'it is not a JSON object'],
    ['without an algorithm', withHeader({ kid: 'a' }), 'signature 1: its protected header has no alg'],
    ['with alg none', withHeader({ alg: 'none', kid: 'a' }, ''), 'alg "none" is not one of ES256, ES384'],
    ['with a shared secret', withHeader({ alg: 'HS256', kid: 'a' }), 'alg "HS256" is not one of'],
    [
      'with an algorithm of another kind',
      withHeader({ alg: 'constructor', kid: 'a' }),
      'alg "constructor" is not one of',
    ],
    ['without the name of a key', withHeader({ alg: 'ES256' }), 'its protected header has no kid'],
    [
      'with extensions',
      withHeader({ alg: 'ES256', kid: 'a', crit: ['b64'], b64: false }),
      'extensions that must be understood (crit)',
    ],
    [
      'without a header',
      { ...PLAIN, signatures: [{ signature: 'AAAA', header: { alg: 'ES256', kid: 'a' } }] },
      'it has no protected header',
    ],
    [
      'whose header is no JSON',
      { ...PLAIN, signatures: [{ protected: 'AAAA', signature: 'AAAA' }] },
      'its protected header is not JSON',
    ],
    [
      'whose header is no base64url',
      { ...PLAIN, signatures: [{ protected: '{"alg"', signature: 'AAAA' }] },
      'its protected header is not base64url',
    ],
    [
      'whose header is endless',
      { ...PLAIN, signatures: [{ protected: 'A'.repeat(10_000), signature: '' }] },
      'longer than 8192 characters',
    ],
    ['that is no object', { ...PLAIN, signatures: ['x'] }, 'signature 1: it is not a JSON object'],
    ['that is no base64url', withHeader({ alg: 'ES256', kid: 'a' }, '+/=='), 'of key "a": it is not base64url'],
    ['that is too short', withHeader({ alg: 'ES256', kid: 'a' }, 'AA'), 'it does not fit the card'],
    [
      'of a key that nobody trusts',
      withHeader({ alg: 'ES256', kid: 'b\u001b[31m' }),
      'of key "b?[31m": no key of that name is trusted',
    ],
    [
      'of a card without end',
      {
        ...PLAIN,
        skills: [JSON.parse('['.repeat(5000) + ']'.repeat(5000))],
        signatures: withHeader({ alg: 'ES256', kid: 'a' }).signatures,
      },
      'deeper than 100 levels',
    ],
  ])('%s [rule:card.verify-bad-key]', async (_, card, message) => {
    const key = await newKey();
    const failing = verifyCard(card, { keys: { ...key, kid: 'a' } });
    await expect(failing).rejects.toMatchObject({ code: 'UNTRUSTED_CARD', message: expect.stringContaining(message) });
  });

  const now = () => Date.now() / 1000;
  it.each<[string, object, string]>([
    ['has expired', { exp: now() - 1 }, 'its key has expired'],
    ['is not valid yet', { nbf: now() + 1000 }, 'its key is not valid yet'],
    ['was revoked', { revoked: { revoked_at: 1 } }, 'its key was revoked'],
    ['is for encryption', { use: 'enc' }, 'its key is not for signatures'],
    ['is for signing alone', { key_ops: ['sign'] }, 'its key is not for verifying'],
    ['is for another algorithm', { alg: 'ES384' }, 'its key is not one for ES256'],
  ])('where its key %s [rule:card.verify-bad-key]', async (_, members, message) => {
    const key = await newKey();
    const card = await signCard(PLAIN, { key, kid: 'a' });
    const { key_ops: _ops, d: _d, ...bare } = key;
    await expect(verifyCard(card, { keys: { ...bare, kid: 'a', ...members } as Jwk })).rejects.toThrow(message);
    expect(
      await verifyCard(card, { keys: { ...bare, kid: 'a', exp: now() + 1000, nbf: now() - 1000 } as Jwk }),
    ).toMatchObject({ kid: 'a' });
  });

  it('where a member was changed, added or taken away, whichever it is [rule:card.verify]', async () => {
    const key = await newKey();
    const card = await signCard(PLAIN, { key, kid: 'a' });
    const changes: CardJson[] = [
      ...Object.keys(PLAIN).map((name) => ({ ...card, [name]: 'other' })),
      ...Object.keys(PLAIN).map((name) => ({ ...card, [name]: undefined })),
      { ...card, url: 'https://evil.example' },
      { ...card, securitySchemes: { x: { httpAuthSecurityScheme: { scheme: 'Basic' } } } },
      { ...card, capabilities: { ...(card.capabilities as object), extensions: [{ uri: 'urn:x', params: { a: 1 } }] } },
    ];
    for (const changed of changes) {
      const published: unknown = JSON.parse(JSON.stringify(changed));
      const verified = await verifyCard(published, { keys: { ...key, kid: 'a' } }).catch((error: Error) => error);
      // A form of libraries that pass over what they do not know fits; then that is not part of the card any more.
      if (!(verified instanceof Error)) expect(verified.card).toEqual(PLAIN);
    }
    expect(changes).toHaveLength(19);
  });

  it('of more than sixteen, which nobody looks at', async () => {
    const key = await newKey();
    const { signatures } = await signCard(PLAIN, { key, kid: 'a' });
    const many = Array.from({ length: 16 }, () => ({
      protected: encoded({ alg: 'ES256', kid: 'x' }),
      signature: 'AAAA',
    }));
    const card = { ...PLAIN, signatures: [...many, ...(signatures as unknown[])] };
    await expect(verifyCard(card, { keys: { ...key, kid: 'a' } })).rejects.toThrow(
      'no more than 16 signatures are looked at',
    );
  });
});

describe('settings of trust', () => {
  it.each<[string, TrustSettings, string]>([
    ['nothing', {}, 'trust needs keys or jwksUrl'],
    ['a secret', { keys: { kty: 'oct', k: 'AAAA' } }, 'trust.keys[0]: it is a shared secret'],
    ['a text', { keys: ['x'] }, 'trust.keys[0]: it is a text without a PEM block'],
    ['a certificate', { keys: ['-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----'] }, 'openssl x509 -pubkey'],
    ['no key', { keys: [{} as Jwk] }, 'trust.keys[0]: it must be a JWK (with kty)'],
    ['an address without TLS', { jwksUrl: 'http://example.com/keys' }, 'trust.jwksUrl must be https'],
    ['no address', { jwksUrl: 'keys.json' }, 'trust.jwksUrl is not an address: keys.json'],
    [
      'an address with a password',
      { jwksUrl: 'https://a:b@example.com/' },
      'trust.jwksUrl holds a name or a password: example.com',
    ],
  ])('%s is refused at once', (_, trust, message) => {
    expect(() => new A2AClient('http://localhost', { trust })).toThrow(message);
  });
});

describe('cards of other libraries', () => {
  it('that the official SDK has signed verify, with all that is empty in them [rule:card.verify-foreign]', async () => {
    const key = await newKey();
    const card = AgentCard.fromJSON({
      ...PLAIN,
      description: '',
      iconUrl: '',
      skills: [{ id: 'a', name: 'A', description: '', tags: [] }],
    });
    const signed = await generateAgentCardSignature(key as never, { alg: 'ES256', kid: 'a', typ: 'JOSE' })(card);
    const verified = await verifyCard(AgentCard.toJSON(signed), { keys: { ...key, kid: 'a' } });
    expect(verified.form).toBe('compact');
    // What the signature does not cover is not there.
    expect(verified.card).not.toHaveProperty('iconUrl');
  });

  it('that it has signed verify without their security schemes, which it does not sign [rule:card.verify-foreign]', async () => {
    const key = await newKey();
    const securitySchemes = { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } };
    const card = AgentCard.fromJSON({ ...PLAIN, securitySchemes });
    const signed = await generateAgentCardSignature(key as never, { alg: 'ES256', kid: 'a', typ: 'JOSE' })(card);
    const published = AgentCard.toJSON(signed) as CardJson;
    expect(published.securitySchemes).toEqual(securitySchemes);
    const { form, card: verified } = await verifyCard(published, { keys: { ...key, kid: 'a' } });
    expect([form, verified]).toEqual(['schemeless', PLAIN]);
  });

  it('that were signed with escapes verify, with their text as it is [rule:card.verify-foreign]', async () => {
    const key = await newKey();
    const card = { ...PLAIN, name: 'Écho 😀', description: '' };
    const header = encoded({ alg: 'ES256', kid: 'a' });
    const input = `${header}.${Buffer.from(cardPayload(card, 'ascii')).toString('base64url')}`;
    const { key_ops: _ops, ...bare } = key;
    const signer = await crypto.subtle.importKey('jwk', bare as never, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'sign',
    ]);
    const bytes = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, signer, Buffer.from(input));
    const signatures = [{ protected: header, signature: Buffer.from(bytes).toString('base64url') }];
    const verified = await verifyCard({ ...card, signatures }, { keys: { ...key, kid: 'a' } });
    expect([verified.form, verified.card.name]).toEqual(['ascii', 'Écho 😀']);
  });
});
