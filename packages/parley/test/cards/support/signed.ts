import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import type { Agent } from 'parley-a2a';
import type { CardJson, Jwk } from 'parley-a2a/cards';
import { vi } from 'vitest';
import { type RpcPeer, startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';

/** Verifies a card as users of the official SDK do; throws where that fails. */
export async function verifyOfficially(card: CardJson, keys: readonly Jwk[]): Promise<void> {
  // It tells of every signature that does not fit.
  const quiet = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  try {
    const verify = verifyAgentCardSignature(async (kid) => {
      const key = keys.find((one) => one.kid === kid);
      if (!key) throw new Error(`No key ${kid}`);
      return key as never;
    });
    // Its client verifies cards without security schemes as they are, and all others once they are parsed.
    await verify(card as unknown as AgentCard);
    await verify(AgentCard.fromJSON(card));
  } finally {
    quiet.mockRestore();
  }
}

type Curve = 'P-256' | 'P-384' | 'P-521';

/** A new private key as a JWK. */
export async function newKey(curve: Curve = 'P-256'): Promise<Jwk> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: curve }, true, ['sign', 'verify']);
  return (await crypto.subtle.exportKey('jwk', pair.privateKey)) as Jwk;
}

const PLAIN = agentOf(() => 'done', {
  skills: [{ id: 'work', name: 'Work', description: 'Does it', tags: ['work'] }],
});

type Options = Omit<NonNullable<Parameters<typeof startServer>[1]>, 'agents'>;

/** A server that signs its cards, with its public keys and a way to it for clients. */
export async function signingServer(options: Options = {}, agent: Agent = PLAIN) {
  const key = await newKey();
  const { server, peer } = startServer(agent, { card: { sign: { key, kid: 'card-1' } }, ...options });
  const send: typeof fetch = (input, init) => server.fetch(new Request(input, init));
  return { key, server, peer, send, keys: await keysOf(peer) };
}

/** The public keys of a server. */
export async function keysOf(peer: RpcPeer): Promise<Jwk[]> {
  return ((await (await peer.raw('/.well-known/jwks.json')).json()) as { keys: Jwk[] }).keys;
}

/** The card of 1.0 of a server, as it is published. */
export async function cardOfServer(peer: RpcPeer, path = '/.well-known/agent-card.json'): Promise<CardJson> {
  return (await (await peer.raw(path, { headers: { 'a2a-version': '1.0' } })).json()) as CardJson;
}

/** The protected headers of a card's signatures. */
export function headersOf({ signatures }: CardJson): readonly Record<string, unknown>[] {
  const entries = (signatures ?? []) as readonly { readonly protected: string }[];
  return entries.map(
    (entry) => JSON.parse(Buffer.from(entry.protected, 'base64url').toString()) as Record<string, unknown>,
  );
}
