import { A2AClient } from 'parley-a2a';
import type { CardJson, Jwk } from 'parley-a2a/cards';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { newKey, verifyOfficially } from './support/signed.ts';

const CARD = '/.well-known/agent-card.json';

async function signingServer(more: Parameters<typeof startServer>[1] = {}) {
  const key = await newKey();
  const agent = agentOf(() => 'done', {
    skills: [{ id: 'work', name: 'Work', description: 'Does it', tags: ['work'] }],
  });
  const { server, peer } = startServer(agent, { card: { sign: { key, kid: 'card-1' } }, ...more });
  const send: typeof fetch = (input, init) => server.fetch(new Request(input, init));
  const { keys } = (await (await peer.raw('/.well-known/jwks.json')).json()) as { keys: Jwk[] };
  return { key, server, peer, send, keys };
}

describe('a server with a key for its cards', () => {
  it('serves a card that the official SDK verifies [rule:card.sign-header] [rule:card.sign-payload] (S2.1)', async () => {
    const { peer, keys } = await signingServer();
    const card = (await (await peer.raw(CARD, { headers: { 'a2a-version': '1.0' } })).json()) as CardJson;
    const [{ protected: header }] = card.signatures as [{ protected: string }];
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'ES256',
      typ: 'JOSE',
      kid: 'card-1',
    });
    await verifyOfficially(card, keys);
    await expect(verifyOfficially({ ...card, name: 'Another' }, keys)).rejects.toThrow('No valid signatures');
  });

  it('is believed by a client that trusts the key, and a changed card is refused by name [rule:card.verify]', async () => {
    const { send, keys } = await signingServer();
    const client = await A2AClient.connect('http://localhost', { fetch: send, trust: { keys } });
    expect(await client.run('Hello')).toBe('done');
    const forging: typeof fetch = async (input, init) => {
      const response = await send(input, init);
      const card = (await response.json()) as CardJson;
      return Response.json({
        ...card,
        supportedInterfaces: [{ url: 'http://evil.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      });
    };
    await expect(A2AClient.connect('http://localhost', { fetch: forging, trust: { keys } })).rejects.toMatchObject({
      code: 'UNTRUSTED_CARD',
      message: expect.stringContaining('signature 1: of key "card-1": it does not fit the card'),
    });
  });
});
