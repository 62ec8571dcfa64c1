import type { AgentCard, OAuthFlows, SecurityRequirement, SecurityScheme } from '../../model/card.ts';
import { encodeFlow, flowsOf } from '../wire/cards/security.ts';

export interface WireSecurity {
  securitySchemes?: Readonly<Record<string, object>>;
  securityRequirements?: WireRequirement[];
}

export interface WireRequirement {
  schemes: Readonly<Record<string, { list?: readonly string[] }>>;
}

/** reference: v1-agent-card §5. What would be empty is left out, as everywhere in a card. */
export function encodeSecurity({ securitySchemes, security }: AgentCard): WireSecurity {
  const wire: WireSecurity = {};
  const schemes = Object.entries(securitySchemes ?? {});
  if (schemes.length > 0) {
    wire.securitySchemes = Object.fromEntries(schemes.map(([name, scheme]) => [name, encodeScheme(scheme)]));
  }
  if (security?.length) wire.securityRequirements = security.map(encodeRequirement);
  return wire;
}

export function encodeRequirement(requirement: SecurityRequirement): WireRequirement {
  const schemes = Object.entries(requirement).map(([name, scopes]) => [
    name,
    scopes.length > 0 ? { list: scopes } : {},
  ]);
  return { schemes: Object.fromEntries(schemes) };
}

/** Exactly one member; its name is the discriminator. */
function encodeScheme(scheme: SecurityScheme): object {
  const { description } = scheme;
  switch (scheme.type) {
    case 'apiKey':
      return { apiKeySecurityScheme: set({ location: scheme.in, name: scheme.name, description }) };
    case 'http':
      return { httpAuthSecurityScheme: set({ scheme: scheme.scheme, bearerFormat: scheme.bearerFormat, description }) };
    case 'oauth2': {
      const { flows, oauth2MetadataUrl } = scheme;
      return { oauth2SecurityScheme: { flows: encodeFlows(flows), ...set({ oauth2MetadataUrl, description }) } };
    }
    case 'openIdConnect':
      return { openIdConnectSecurityScheme: set({ openIdConnectUrl: scheme.openIdConnectUrl, description }) };
    case 'mutualTLS':
      return { mtlsSecurityScheme: set({ description }) };
  }
}

/** 1.0 has one flow for each scheme; of several the most useful one is shown. */
function encodeFlows(flows: OAuthFlows): object {
  const [first] = flowsOf(flows);
  return first === undefined ? {} : { [first[0]]: encodeFlow(first[0], first[1]) };
}

function set(members: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value));
}
