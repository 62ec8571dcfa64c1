import type { AgentCard, SecurityRequirement, SecurityScheme } from '../../../model/card.ts';
import type { Members } from '../members.ts';

/*
 * `authentication: { required, schemes }`, as cards of JAF and of the time before 0.3 have it: schemes by name, without
 * any detail, of which each one alone is enough.
 */

type Secured = Pick<AgentCard, 'securitySchemes' | 'security'>;

/** The schemes that plain names stand for (seed S1, Authentication). */
const MEANINGS: ReadonlyMap<string, SecurityScheme> = new Map<string, SecurityScheme>([
  ['bearer', { type: 'http', scheme: 'Bearer' }],
  ['basic', { type: 'http', scheme: 'Basic' }],
  ['apikey', { type: 'apiKey', in: 'header', name: 'X-API-Key' }],
  ['oauth2', { type: 'oauth2', flows: {} }],
  ['mtls', { type: 'mutualTLS' }],
]);

export function schemeNames({ securitySchemes = {} }: Secured): readonly string[] {
  return [...new Set(Object.values(securitySchemes).map(nameOf))];
}

/** Every alternative asks for some credential. */
export function isRequired({ security = [] }: Secured): boolean {
  return security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0);
}

export function readPlainSecurity(members: Members): Secured {
  const names = (members.texts('schemes') ?? []).map((name) => name.toLowerCase().replace(/[-_ ]/g, ''));
  const known = names.flatMap((name) => {
    const scheme = MEANINGS.get(name);
    return scheme ? [[name, scheme] as const] : [];
  });
  if (known.length === 0) return {};
  const security = known.map(([name]): SecurityRequirement => ({ [name]: [] }));
  return {
    securitySchemes: Object.fromEntries(known),
    security: members.flag('required') ? security : undefined,
  };
}

function nameOf(scheme: SecurityScheme): string {
  switch (scheme.type) {
    case 'http':
      return scheme.scheme.toLowerCase();
    case 'apiKey':
      return 'apikey';
    case 'mutualTLS':
      return 'mtls';
    case 'oauth2':
    case 'openIdConnect':
      return scheme.type.toLowerCase();
  }
}
