import type { SecurityScheme } from '../../model/card.ts';

/** Names the credentials that schemes take and where they belong, for a person who sent none. */
export function credentialsOf(schemes: readonly SecurityScheme[]): string {
  return [...new Set(schemes.map(wordsOf))].join(', or ');
}

function wordsOf(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return `an API key in the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${scheme.name}`;
    case 'http':
      return scheme.scheme.toLowerCase() === 'basic'
        ? 'a name and a password in the header Authorization (Basic)'
        : `a token in the header Authorization (${scheme.scheme})`;
    case 'oauth2':
    case 'openIdConnect':
      return 'a token in the header Authorization (Bearer)';
    case 'mutualTLS':
      return 'a client certificate';
  }
}
