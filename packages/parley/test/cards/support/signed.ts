import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import type { CardJson, Jwk } from 'parley-a2a/cards';
import { vi } from 'vitest';

/** Verifies a card as users of the official SDK do; throws where that fails. */
export async function verifyOfficially(card: CardJson, keys: readonly Jwk[]): Promise<void> {
  // It tells of every signature that does not fit.
  const quiet = vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  try {
    await verifyAgentCardSignature(async (kid) => {
      const key = keys.find((one) => one.kid === kid);
      if (!key) throw new Error(`No key ${kid}`);
      return key as never;
    })(AgentCard.fromJSON(card));
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
