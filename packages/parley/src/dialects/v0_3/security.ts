import type { AgentCard, OAuthFlows, SecurityRequirement, SecurityScheme } from '../../model/card.ts';
import { encodeFlow, flowsOf } from '../wire/cards/security.ts';

export interface WireSecurity {
  securitySchemes?: Readonly<Record<string, object>>;
  security?: readonly SecurityRequirement[];
}

/** reference: v03 §3, §7. */
export function encodeSecurity({ securitySchemes, security }: AgentCard): WireSecurity {
  const wire: WireSecurity = {};
  const schemes = Object.entries(securitySchemes ?? {});
  if (schemes.length > 0) {
    wire.securitySchemes = Object.fromEntries(schemes.map(([name, scheme]) => [name, encodeScheme(scheme)]));
  }
  if (security?.length) wire.security = security;
  return wire;
}

function encodeScheme(scheme: SecurityScheme): object {
  if (scheme.type !== 'oauth2') return withoutUnset(scheme);
  const { flows, ...rest } = scheme;
  return { ...withoutUnset(rest), flows: encodeFlows(flows) };
}

/** Neither the device flow nor the demand for PKCE has a form here (reference: mapping §9). */
function encodeFlows(flows: OAuthFlows): object {
  const known = flowsOf(flows).filter(([name]) => name !== 'deviceCode');
  return Object.fromEntries(known.map(([name, flow]) => [name, encodeFlow(name, flow, ['pkceRequired'])]));
}

function withoutUnset(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value));
}
