import { A2AClient } from 'parley-a2a';
import { type Jwk, verifiedCards } from 'parley-a2a/cards';
import { A2AClient as BrowserClient, httpJson } from 'parley-a2a/client';
import { describe, expect, it, vi } from 'vitest';
import { startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { PLAIN } from './support/plain-card.ts';
import { cardOfServer, newKey, signingServer } from './support/signed.ts';

describe('a client with trust', () => {
  const JWKS = 'https://keys.example.com/jwks.json';

  it('gets the keys from the address that it was told, and never from that of a signature', async () => {
    const key = await newKey();
    const { server } = await signingServer({ card: { sign: { key, kid: 'a', jku: 'https://evil.example/keys' } } });
    const { keys } = (await (await server.fetch(new Request('http://localhost/.well-known/jwks.json'))).json()) as {
      keys: Jwk[];
    };
    const asked: string[] = [];
    const send: typeof fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      asked.push(url);
      if (url === JWKS) {
        expect(new Headers(init?.headers).get('x-secret')).toBeNull();
        return Response.json({ keys: [{ kty: 'XX' }, 'no key', ...keys] });
      }
      return server.fetch(new Request(url, init));
    };
    const client = await A2AClient.connect('http://localhost', {
      fetch: send,
      trust: { jwksUrl: JWKS },
      headers: { 'x-secret': '1' },
    });
    expect(await client.run('Hello')).toBe('done');
    expect(asked).toEqual(['http://localhost/.well-known/agent-card.json', JWKS, 'http://localhost/a2a']);
  });

  it('is not one of parley-a2a/client, which would drop it: it says what takes its place', async () => {
    const options = { trust: { jwksUrl: JWKS } } as object;
    expect(() => new BrowserClient('http://localhost', options)).toThrow(/trust.*verifiedCards of parley-a2a\/cards/);
    await expect(BrowserClient.connect('http://localhost', options)).rejects.toThrow('verifiedCards');
    expect(new BrowserClient('http://localhost', { trust: undefined })).toBeInstanceOf(BrowserClient);
  });

  it.each<[string, () => Response, string]>([
    ['redirects', () => Response.redirect('https://evil.example/'), 'it redirects'],
    ['is not there', () => new Response('', { status: 404 }), 'status 404'],
    ['is a page', () => new Response('<html>'), 'it is not a JSON object with a list of keys'],
    ['is endless', () => new Response('x'.repeat(300_000)), 'larger than the 262144 bytes'],
    [
      'has too many keys',
      () => Response.json({ keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) }),
      'more than 100 keys',
    ],
  ])('fails where the set of keys %s', async (_, respond, problem) => {
    const { send } = await signingServer();
    const other: typeof fetch = async (input, init) => (input === JWKS ? respond() : send(input, init));
    const options = { fetch: other, trust: { jwksUrl: JWKS }, retry: false } as const;
    await expect(A2AClient.connect('http://localhost', options)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining(problem),
    });
  });

  it('refuses a card that is not signed, also where it would do without a card', async () => {
    const { server } = startServer(agentOf(() => 'done'));
    const send: typeof fetch = (input, init) => server.fetch(new Request(input, init));
    const trust = { keys: await newKey() };
    const message = expect.stringContaining('it is not signed');
    for (const more of [
      {},
      { rpcPath: '/a2a' },
      { protocol: 'jaf' },
      { agentCardPath: '/.well-known/agent.json' },
    ] as const) {
      const connecting = A2AClient.connect('http://localhost', { fetch: send, trust, ...more });
      if ('agentCardPath' in more) await expect(connecting).rejects.toMatchObject({ code: 'UNTRUSTED_CARD' });
      else await expect(connecting).rejects.toMatchObject({ code: 'UNTRUSTED_CARD', message });
    }
  });

  it('goes on with the card that it has where a later one fails', async () => {
    const { send, keys } = await signingServer();
    let isForged = false;
    let now = Date.now();
    const forging: typeof fetch = async (input, init) => {
      const response = await send(input, init);
      if (!isForged || init?.method === 'POST') return response;
      return Response.json({ ...PLAIN, name: 'Forged' });
    };
    const timing = { now: () => now, random: Math.random, after: () => () => undefined };
    const client = await A2AClient.connect('http://localhost', { fetch: forging, trust: { keys }, timing });
    isForged = true;
    now += 3_600_000;
    expect((await client.agentCard()).name).toBe('test');
    expect(await client.run('Hello')).toBe('done');
  });

  it('keeps its trust for other agents', async () => {
    const { send, keys } = await signingServer();
    const unsigned: typeof fetch = async (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      return url.startsWith('http://other') ? Response.json(PLAIN) : send(input, init);
    };
    const client = await A2AClient.connect('http://localhost', { fetch: unsigned, trust: { keys } });
    await expect(client.at('http://other.example').agentCard()).rejects.toMatchObject({ code: 'UNTRUSTED_CARD' });
  });

  it('verifies a card that it is handed', async () => {
    const { peer, send, keys } = await signingServer();
    const card = (await cardOfServer(peer)) as never;
    const client = await A2AClient.connect(card, { fetch: send, trust: { keys } });
    expect(await client.run('Hello')).toBe('done');
    const forged = { ...(card as object), name: 'Forged' } as never;
    await expect(A2AClient.connect(forged, { fetch: send, trust: { keys } })).rejects.toMatchObject({
      code: 'UNTRUSTED_CARD',
    });
    expect(() => new A2AClient(card, { fetch: send, trust: { keys } })).toThrow('A2AClient.connect alone');
  });

  const GUARD = { type: 'bearer', validate: (token: string) => token === 'alice' && { subject: 'alice' } } as const;
  const extended = agentOf(() => 'done', { extendedCard: ({ subject }) => ({ description: `For ${subject}` }) });

  it.each(['JSONRPC', 'HTTP+JSON'] as const)('verifies the extended card over %s', async (binding) => {
    const { send, keys } = await signingServer({ auth: GUARD }, extended);
    const options = { credentials: { bearer: 'alice' }, trust: { keys }, prefer: { binding } };
    const client = await A2AClient.connect('http://localhost', { ...options, fetch: send });
    expect((await client.extendedCard()).description).toBe('For alice');
    expect(await client.run('Hello')).toBe('done');
    const forging: typeof fetch = async (input, init) => {
      const response = await send(input, init);
      const text = await response.text();
      return new Response(text.replace('For alice', 'For malice'), response);
    };
    const deceived = await A2AClient.connect('http://localhost', { ...options, fetch: forging });
    await expect(deceived.extendedCard()).rejects.toMatchObject({ code: 'UNTRUSTED_CARD' });
    expect(deceived.card?.description).toBe('An agent of a test');
  });

  it('is the same in parley-a2a/client, by what it is handed', async () => {
    const { send, keys } = await signingServer({ auth: GUARD }, extended);
    const settings = { fetch: send, credentials: { bearer: 'alice' }, bindings: [httpJson] };
    const client = await BrowserClient.connect('http://localhost', verifiedCards({ keys }, settings));
    expect((await client.extendedCard()).description).toBe('For alice');
    const stranger = verifiedCards({ keys: await newKey() }, settings);
    await expect(BrowserClient.connect('http://localhost', stranger)).rejects.toMatchObject({ code: 'UNTRUSTED_CARD' });
  });

  it('signs an extended card once for all who are shown the same', async () => {
    const { send, keys } = await signingServer({ auth: GUARD }, extended);
    const options = { fetch: send, credentials: { bearer: 'alice' }, trust: { keys } };
    const client = await A2AClient.connect('http://localhost', options);
    await client.extendedCard();
    const sign = vi.spyOn(crypto.subtle, 'sign');
    await client.extendedCard();
    expect(sign).not.toHaveBeenCalled();
    sign.mockRestore();
  });
});
