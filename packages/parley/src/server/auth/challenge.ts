import type { SecurityScheme } from '../../model/card.ts';

const REALM = 'a2a';

/** The parameters of a challenge, beside its scheme. */
export interface ChallengeParameters {
  /** RFC 6750 §3.1: a credential was sent and is wrong, or grants too little. */
  readonly error?: 'invalid_token' | 'insufficient_scope' | undefined;
  /** The scopes that are needed. */
  readonly scope?: string | undefined;
  /** The address of the resource's metadata (RFC 9728 §5.1). */
  readonly resourceMetadata?: string | undefined;
}

/** The challenge of one scheme: its part of `WWW-Authenticate`. */
export function challengeOf(scheme: SecurityScheme, parameters: ChallengeParameters = {}): string {
  const { error } = parameters;
  switch (scheme.type) {
    case 'apiKey':
      return challenge('ApiKey', { [scheme.in]: scheme.name, error });
    case 'http':
      if (scheme.scheme.toLowerCase() === 'bearer') return bearerChallenge(parameters);
      if (scheme.scheme.toLowerCase() === 'basic') return challenge('Basic', { charset: 'UTF-8' });
      return challenge(scheme.scheme, { error });
    case 'oauth2':
    case 'openIdConnect':
      return bearerChallenge(parameters);
    case 'mutualTLS':
      // No registered scheme stands for certificates, and a 401 must have a challenge (RFC 9110 §15.5.2).
      return challenge('ClientCertificate', {});
  }
}

function bearerChallenge({ error, scope, resourceMetadata }: ChallengeParameters): string {
  return challenge('Bearer', { error, scope, resource_metadata: resourceMetadata });
}

function challenge(scheme: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const parts = [`realm=${quoted(REALM)}`];
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) parts.push(`${name}=${quoted(value)}`);
  }
  return `${scheme} ${parts.join(', ')}`;
}

/** Characters outside of visible ASCII have no place in a header and are left out. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')}"`;
}
