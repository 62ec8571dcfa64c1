import type { AgentCard, SecurityScheme } from 'parley-a2a/client';

/** What a scheme of a card asks for, in a sentence. */
export function schemeWords(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return `A key, sent as the ${PLACES[scheme.in]} ${scheme.name}.`;
    case 'http':
      return httpWords(scheme.scheme, scheme.bearerFormat);
    case 'oauth2':
      return `A token of an authorization server. Ways to get one: ${flowWords(scheme)}.`;
    case 'openIdConnect':
      return `A token of the authorization server at ${originOf(scheme.openIdConnectUrl)}.`;
    case 'mutualTLS':
      return 'A certificate of the client. Pages have none: call this agent from the command line or a program.';
  }
}

const PLACES = { header: 'header', query: 'parameter of the address', cookie: 'cookie' } as const;

const FLOWS: Readonly<Record<string, string>> = {
  clientCredentials: 'with the id and secret of a program',
  deviceCode: 'with a code that you type on a page',
  authorizationCode: 'by logging in on a page',
  implicit: 'by logging in on a page (an old way)',
  password: 'with a password (an old way)',
};

function flowWords({ flows }: Extract<SecurityScheme, { type: 'oauth2' }>): string {
  const words = Object.entries(flows).flatMap(([name, flow]) => (flow ? [FLOWS[name] ?? name] : []));
  return words.length > 0 ? words.join(', ') : 'the card names none';
}

function httpWords(scheme: string, format: string | undefined): string {
  const lower = scheme.toLowerCase();
  if (lower === 'basic') return 'A user name and a password.';
  if (lower === 'bearer') return `A token${format === undefined ? '' : ` (${format})`}, sent as Authorization: Bearer.`;
  return `Credentials of the kind ${scheme}, sent as Authorization.`;
}

/** Schemes that are needed together; any one of several alternatives is enough. */
export interface Alternative {
  readonly schemes: readonly { readonly name: string; readonly scopes: readonly string[] }[];
}

/** What the card asks for; an empty alternative means that callers without credentials are let in. */
export function alternativesOf({ security = [] }: AgentCard): readonly Alternative[] {
  return security.map((requirement) => ({
    schemes: Object.entries(requirement).map(([name, scopes]) => ({ name, scopes })),
  }));
}

export function alternativeWords({ schemes }: Alternative): string {
  if (schemes.length === 0) return 'nothing';
  return schemes
    .map(({ name, scopes }) => (scopes.length === 0 ? name : `${name} with the scopes ${scopes.join(', ')}`))
    .join(' together with ');
}

/** Where secrets for a token go; undefined where the card does not say. */
export function tokenUrlOf(scheme: SecurityScheme): string | undefined {
  if (scheme.type !== 'oauth2') return undefined;
  const { clientCredentials, deviceCode, authorizationCode } = scheme.flows;
  return clientCredentials?.tokenUrl ?? deviceCode?.tokenUrl ?? authorizationCode?.tokenUrl;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
