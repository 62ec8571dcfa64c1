import { isA2AError } from 'parley-a2a/client';
import { type AgentTarget, urlOf } from '../api/clients.ts';
import { type QueryResult, useQuery } from '../api/use-query.ts';
import { wiredOptions } from '../wire/record/wired-options.ts';

/** What the signatures of a card are worth, by the keys that its own host publishes. */
export type SignatureVerdict =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'verified'; readonly kid: string; readonly alg: string; readonly keysUrl: string }
  | { readonly kind: 'bad'; readonly reason: string; readonly keysUrl: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly keysUrl: string };

async function checkSignature(
  target: AgentTarget,
  published: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<SignatureVerdict> {
  const { signatures } = published;
  if (!Array.isArray(signatures) || signatures.length === 0) return { kind: 'unsigned' };
  const keysUrl = new URL('/.well-known/jwks.json', urlOf(target)).href;
  if (globalThis.crypto.subtle === undefined) {
    return { kind: 'unknown', keysUrl, reason: 'Browsers check signatures only on pages by https or of this machine.' };
  }
  const response = await wiredOptions(urlOf(target)).fetch(keysUrl, { signal });
  if (!response.ok) {
    return { kind: 'unknown', keysUrl, reason: `Its host publishes no keys there (status ${response.status}).` };
  }
  const keys: unknown = await response.json().catch(() => undefined);
  if (typeof keys !== 'object' || keys === null || !Array.isArray((keys as { keys?: unknown }).keys)) {
    return { kind: 'unknown', keysUrl, reason: 'What its host publishes there is no set of keys.' };
  }
  // What checks signatures is loaded where there is one.
  const { verifyCard } = await import('parley-a2a/cards');
  try {
    const { kid, alg } = await verifyCard(published, { keys: keys as { keys: readonly object[] } }, signal);
    return { kind: 'verified', kid, alg, keysUrl };
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: isA2AError(error) && error.code === 'UNTRUSTED_CARD' ? 'bad' : 'unknown', reason, keysUrl };
  }
}

export function useSignature(
  target: AgentTarget,
  published: Readonly<Record<string, unknown>>,
): QueryResult<SignatureVerdict> {
  return useQuery(`signature ${urlOf(target)} ${JSON.stringify(published.signatures ?? [])}`, (signal) =>
    checkSignature(target, published, signal),
  );
}
