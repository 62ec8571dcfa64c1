import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { A2AClient, A2AServer } from 'parley-a2a';
import { type CardJson, type CardKey, type Jwk, verifyCard, type WebCryptoKeyPair } from 'parley-a2a/cards';
import { describe, expect, it, vi } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { cardOfServer, headersOf, keysOf, newKey, signingServer, verifyOfficially } from './support/signed.ts';

const CARD = '/.well-known/agent-card.json';
const GUARD = { type: 'bearer', validate: (token: string) => token === 'alice' && { subject: 'alice' } } as const;

describe('a server with a key for its cards', () => {
  it('serves a card that the official SDK verifies [rule:card.sign-header] [rule:card.sign-payload] (S2.1)', async () => {
    const { peer, keys } = await signingServer();
    const card = await cardOfServer(peer);
    expect(headersOf(card)).toEqual([{ alg: 'ES256', typ: 'JOSE', kid: 'card-1' }]);
    await verifyOfficially(card, keys);
    await expect(verifyOfficially({ ...card, name: 'Another' }, keys)).rejects.toThrow('No valid signatures');
  });

  it('is believed by a client that trusts the key, and a changed card is refused by name [rule:card.verify]', async () => {
    const { send, keys } = await signingServer();
    const client = await A2AClient.connect('http://localhost', { fetch: send, trust: { keys } });
    expect(await client.run('Hello')).toBe('done');
    const forging: typeof fetch = async (input, init) => {
      const card = (await (await send(input, init)).json()) as CardJson;
      const elsewhere = { url: 'http://evil.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
      return Response.json({ ...card, supportedInterfaces: [elsewhere] });
    };
    await expect(A2AClient.connect('http://localhost', { fetch: forging, trust: { keys } })).rejects.toMatchObject({
      code: 'UNTRUSTED_CARD',
      message: expect.stringContaining('signature 1: of key "card-1": it does not fit the card'),
    });
  });

  it('gives the pure card of 1.0 to a request without a version, and signs no other [rule:card.merged-unsigned]', async () => {
    const { peer, keys } = await signingServer();
    const card = (await (await peer.raw(CARD)).json()) as CardJson;
    expect(card).toEqual(await cardOfServer(peer));
    expect(card).not.toHaveProperty('preferredTransport');
    await verifyOfficially(card, keys);
    const older = (await (await peer.raw(CARD, { headers: { 'a2a-version': '0.3' } })).json()) as CardJson;
    expect(older.signatures).toBeUndefined();
    expect(older.protocolVersion).toBe('0.3.0');
  });

  it('signs the card of each agent, with an entity tag that stays', async () => {
    const { peer, keys } = await signingServer();
    const path = `/a2a/agents/test${CARD}`;
    await verifyOfficially(await cardOfServer(peer, path), keys);
    const response = await peer.raw(path, { headers: { 'a2a-version': '1.0' } });
    const etag = response.headers.get('etag') ?? '';
    const again = await peer.raw(path, { headers: { 'a2a-version': '1.0', 'if-none-match': etag } });
    expect([response.headers.get('vary'), again.status]).toEqual(['A2A-Version, Host', 304]);
  });

  it('signs a card once, whoever asks for it', async () => {
    const { peer } = await signingServer();
    await cardOfServer(peer);
    const sign = vi.spyOn(crypto.subtle, 'sign');
    await Promise.all([cardOfServer(peer), cardOfServer(peer), peer.raw(CARD)]);
    expect(sign).not.toHaveBeenCalled();
    sign.mockRestore();
  });

  it('signs with several keys while one takes the place of another', async () => {
    const [old, young] = [await newKey(), await newKey('P-384')];
    const { peer } = startServer(
      agentOf(() => 'done'),
      {
        push: false,
        card: {
          sign: [
            { key: young, kid: 'young' },
            { key: old, kid: 'old', jku: 'https://example.com/keys.json' },
          ],
        },
      },
    );
    const card = await cardOfServer(peer);
    const keys = await keysOf(peer);
    expect(keys.map(({ kid, alg, use }) => [kid, alg, use])).toEqual([
      ['young', 'ES384', 'sig'],
      ['old', 'ES256', 'sig'],
    ]);
    for (const key of keys) {
      await verifyOfficially(card, [key]);
      expect(await verifyCard(card, { keys: key })).toMatchObject({ kid: key.kid });
    }
    expect(headersOf(card)[1]).toMatchObject({ kid: 'old', jku: 'https://example.com/keys.json' });
  });

  it('has no private member among its public keys', async () => {
    const { peer } = await signingServer({ push: false });
    const response = await peer.raw('/.well-known/jwks.json');
    expect(response.headers.get('content-type')).toBe('application/jwk-set+json');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const { keys } = (await response.json()) as { keys: Jwk[] };
    expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']]);
  });

  it('has no keys to show where it signs nothing', async () => {
    const { peer } = startServer(
      agentOf(() => 'done'),
      { push: false },
    );
    expect((await peer.raw('/.well-known/jwks.json')).status).toBe(404);
  });

  it('adds signatures for libraries that drop what is empty, which a guarded card has', async () => {
    const { peer, keys } = await signingServer({ auth: GUARD });
    const card = await cardOfServer(peer);
    expect(headersOf(card)).toEqual([
      { alg: 'ES256', typ: 'JOSE', kid: 'card-1' },
      { alg: 'ES256', typ: 'JOSE', kid: 'card-1', 'urn:parley:payload-form': 'compact' },
      { alg: 'ES256', typ: 'JOSE', kid: 'card-1', 'urn:parley:payload-form': 'schemeless' },
    ]);
    await verifyOfficially(card, keys);
    // Only the signature over the whole card counts here: nobody gets its demands off by taking that signature away.
    const { securityRequirements: _, signatures, ...less } = card;
    const forged = { ...less, signatures: (signatures as unknown[]).slice(1) };
    await verifyOfficially(forged, keys);
    await expect(verifyCard(forged, { keys })).rejects.toThrow('meant for libraries that sign another form');
  });

  it('signs no card with an address that is not its own', async () => {
    const open = await signingServer();
    const at = async (url: string, { server }: typeof open = open) =>
      (await (await server.fetch(new Request(url + CARD, { headers: { 'a2a-version': '1.0' } }))).json()) as CardJson;
    expect((await at('http://evil.example')).signatures).toBeUndefined();
    expect((await at('http://localhost:4000')).signatures).toHaveLength(1);
    const named = await signingServer({ hosts: ['agents.example.com'] });
    expect((await at('https://agents.example.com', named)).signatures).toHaveLength(1);
    const fixed = await signingServer({ url: 'https://agents.example.com' });
    const card = await at('http://evil.example', fixed);
    await verifyOfficially(card, fixed.keys);
    expect(JSON.stringify(card)).not.toContain('evil');
  });
});

type CryptoKeyPair = Awaited<ReturnType<typeof crypto.subtle.generateKey>> & WebCryptoKeyPair;

it('does not listen for other machines where nothing says by which name they reach it', async () => {
  const key = await newKey();
  const agents = [agentOf(() => 'done')];
  const server = new A2AServer({ agents, open: true, card: { sign: { key } } });
  await expect(server.listen({ host: '0.0.0.0', port: 0 })).rejects.toThrow(
    'card.sign needs url, or hosts with the names',
  );
  await server.close();
  const named = new A2AServer({ agents, open: true, card: { sign: { key } }, url: 'https://agents.example.com' });
  await named.listen({ host: '0.0.0.0', port: 0 });
  await named.close();
});

describe('keys of every kind', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ed = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = { type: 'pkcs8', format: 'pem' } as const;

  it.each<[string, () => CardKey['key'] | Promise<CardKey['key']>, string]>([
    ['PEM of an elliptic curve', () => ec.privateKey.export(pem) as string, 'ES256'],
    ['PEM of Ed25519', () => ed.privateKey.export(pem) as string, 'EdDSA'],
    ['PEM of RSA', () => rsa.privateKey.export(pem) as string, 'RS256'],
    ['a JWK that names PS256', () => ({ ...rsa.privateKey.export({ format: 'jwk' }), alg: 'PS256' }) as Jwk, 'PS256'],
    ['a KeyObject', () => createPrivateKey(ed.privateKey.export(pem)), 'EdDSA'],
    [
      'a pair of CryptoKeys that cannot be exported',
      () => crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-521' }, false, ['sign', 'verify']),
      'ES512',
    ],
    [
      'a CryptoKey',
      async () =>
        ((await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])) as CryptoKeyPair).privateKey,
      'EdDSA',
    ],
  ])('%s signs by its algorithm', async (_, make, alg) => {
    const { peer } = startServer(
      agentOf(() => 'done'),
      { card: { sign: { key: await make() } } },
    );
    const card = await cardOfServer(peer);
    const keys = await keysOf(peer);
    expect(headersOf(card)[0]).toMatchObject({ alg, kid: keys[0]?.kid });
    await verifyOfficially(card, keys);
    expect(await verifyCard(card, { keys })).toMatchObject({ alg });
  });

  it('has the thumbprint of the key as its name where it has no other', async () => {
    // RFC 8037, appendix A.3.
    const key = {
      kty: 'OKP',
      crv: 'Ed25519',
      d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    };
    const { peer } = startServer(
      agentOf(() => 'done'),
      { card: { sign: { key } } },
    );
    expect((await keysOf(peer))[0]?.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
  it.each<[string, unknown, string]>([
    [
      'a public key',
      ec.publicKey.export({ format: 'jwk' }),
      'card.sign.key: it is a public key; cards are signed with the private one',
    ],
    ['a public KeyObject', ec.publicKey, 'card.sign.key: a private key is needed, not a public one'],
    ['a secret', { kty: 'oct', k: 'AAAA' }, 'card.sign.key: it is a shared secret'],
    [
      'a key for encryption',
      { kty: 'OKP', crv: 'X25519', d: 'AA', x: 'AA' },
      'card.sign.key: it is a key of OKP X25519; use one of ES256',
    ],
    [
      'a key of another algorithm',
      { ...ec.privateKey.export({ format: 'jwk' }), alg: 'ES512' },
      'it is a key of EC P-256 ES512',
    ],
    ['PEM of another form', ec.privateKey.export({ type: 'sec1', format: 'pem' }), 'openssl pkcs8 -topk8 -nocrypt'],
    ['any text', 'secret', 'card.sign.key: it is a text without a PEM block'],
    [
      'a short key',
      weak.privateKey.export(pem),
      'card.sign.key: an RSA key needs at least 2048 bits; this one has 1024',
    ],
    ['a number', 7, 'card.sign.key: it must be a JWK (with kty), PEM, a CryptoKey or a KeyObject'],
  ])('%s is refused when the server starts', async (_, key, message) => {
    const server = new A2AServer({ agents: [agentOf(() => 'done')], card: { sign: { key: key as never, kid: 'a' } } });
    await expect(server.open()).rejects.toThrow(message);
    await server.close();
  });

  it.each<[string, unknown, string]>([
    ['a shape that there is none of', '2.0', 'card has the shape "2.0"; there are merged, 1.0, 0.3'],
    ['a merged card', { shape: 'merged', sign: { key: 'x', kid: 'a' } }, "card.shape 'merged' cannot be signed"],
    ['no key', { sign: { kid: 'a' } }, 'card.sign must be { key, kid }'],
    ['an empty list', { sign: [] }, 'card.sign is an empty list'],
    ['too many keys', { sign: Array.from({ length: 5 }, () => ({ key: 'x' })) }, 'card.sign has more than 4 keys'],
    ['a number', 1, 'card must be a shape or { shape, sign, access, maxAge }, not 1'],
  ])('%s is refused at once', (_, card, message) => {
    expect(() => new A2AServer({ agents: [agentOf(() => 'done')], card: card as never })).toThrow(message);
  });

  it('two keys of one name are refused', async () => {
    const [one, other] = [await newKey(), await newKey()];
    const server = new A2AServer({
      agents: [agentOf(() => 'done')],
      card: {
        sign: [
          { key: one, kid: 'a' },
          { key: other, kid: 'a' },
        ],
      },
    });
    await expect(server.open()).rejects.toThrow('card.sign has two keys of the name "a"');
    await server.close();
  });
});
