import type { AgentCard, SecurityScheme } from '../../model/card.ts';

type Kind = 'token' | 'key' | 'password';

/**
 * Decides whether a credential that the user gave without saying its kind is meant for a scheme of the card. Where a card takes
 * several kinds, the look of the credential decides: a JWT is no API key, and a name with a password is neither.
 */
export function suits(credential: string, scheme: SecurityScheme, card: AgentCard | undefined): boolean {
  const kinds = new Set(Object.values(card?.securitySchemes ?? {}).map(kindOf));
  const likely = LOOKS.find(([kind, look]) => kinds.has(kind) && look.test(credential))?.[0];
  if (likely !== undefined) return kindOf(scheme) === likely;
  // Anything else is a key rather than a JWT.
  return !kinds.has('key') || kindOf(scheme) === 'key';
}

const LOOKS: readonly (readonly [Kind, RegExp])[] = [
  ['token', /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/],
  ['password', /^[^:]+:./],
];

function kindOf(scheme: SecurityScheme): Kind | undefined {
  switch (scheme.type) {
    case 'apiKey':
      return 'key';
    case 'http':
      return scheme.scheme.toLowerCase() === 'basic' ? 'password' : 'token';
    case 'oauth2':
    case 'openIdConnect':
      return 'token';
    case 'mutualTLS':
      return undefined;
  }
}
