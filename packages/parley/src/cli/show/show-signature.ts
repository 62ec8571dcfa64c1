import type { TrustSettings } from '../../cards/keys/trusted-keys.ts';
import { readProtectedHeader } from '../../cards/signature.ts';
import { verifyCard } from '../../cards/verify-card.ts';
import { isPlainObject } from '../../model/basics/json.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { cleanLine } from '../text/clean.ts';

/** The verdict on the signatures of a card. */
interface SignatureReport {
  /** `unchecked`: no trusted keys were named. */
  readonly status: 'none' | 'unchecked' | 'holds' | 'fails';
  /** The keys that the signatures name; where one holds, that one alone. */
  readonly keys: readonly string[];
  readonly problem?: string | undefined;
}

/** Looks at the signatures of a published card. Failures to get the keys are thrown. */
export async function reportSignature(published: unknown, trust: TrustSettings | undefined): Promise<SignatureReport> {
  const entries = isPlainObject(published) && Array.isArray(published.signatures) ? published.signatures : [];
  const keys = [...new Set(entries.flatMap(keyNamed))];
  if (!trust) return { status: entries.length > 0 ? 'unchecked' : 'none', keys };
  try {
    const { kid } = await verifyCard(published, trust);
    return { status: 'holds', keys: [kid] };
  } catch (error) {
    if (!isA2AError(error) || error.code !== 'UNTRUSTED_CARD') throw error;
    return { status: 'fails', keys, problem: error.message };
  }
}

function keyNamed(entry: unknown): readonly string[] {
  const header = isPlainObject(entry) ? readProtectedHeader(entry.protected) : '';
  return typeof header === 'object' && typeof header.kid === 'string' ? [header.kid] : [];
}

/** One line for people; undefined where there is nothing to say. */
export function signatureLine({ status, keys, problem }: SignatureReport): string | undefined {
  const named = keys.length > 0 ? ` by key ${keys.map((kid) => `"${cleanLine(kid)}"`).join(', ')}` : '';
  switch (status) {
    case 'none':
      return undefined;
    case 'unchecked':
      return `there,${named}, not checked: --jwks URL or --trust FILE names the keys that you trust`;
    case 'holds':
      return `holds,${named}`;
    case 'fails':
      return cleanLine(problem ?? 'fails');
  }
}
