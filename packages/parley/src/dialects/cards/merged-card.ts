import type { AgentCard } from '../../model/card.ts';
import type { WireValue } from '../dialect.ts';
import { encodeCard as encodeOlder, INTERFACE_VERSION, isReachable } from '../v0_3/card.ts';
import { encodeCard as encodeNewer } from '../v1_0/card.ts';
import { preferredFlow } from '../wire/cards/security.ts';

/**
 * One card for clients of both versions, whose parsers pass over members that they do not know (reference: mapping §1):
 * the members of both, capability flags in both places, and 1.0 first among the interfaces. It has the versions as the
 * draft of 1.0 lists them (seed S2.1), and no signatures, as one covers a single shape. Where 0.3 is not served it is the
 * card of 1.0.
 */
export function encodeMergedCard(card: AgentCard): WireValue {
  const isOlder = ({ protocolVersion }: { readonly protocolVersion: string }) => protocolVersion === INTERFACE_VERSION;
  const interfaces = [...card.interfaces.filter((entry) => !isOlder(entry)), ...card.interfaces.filter(isOlder)];
  const newer = encodeNewer({ ...card, interfaces, signatures: undefined });
  if (!isReachable(card)) return newer;
  const older = encodeOlder({ ...card, securitySchemes: withSingleFlows(card.securitySchemes) });
  const merged = {
    ...older,
    ...newer,
    capabilities: { ...older.capabilities, ...newer.capabilities },
    protocolVersions: [...new Set(interfaces.map(({ protocolVersion }) => protocolVersion))],
  };
  merged.skills = newer.skills.map((skill, index) => ({ ...older.skills[index], ...skill }));
  if (older.securitySchemes && newer.securitySchemes) {
    merged.securitySchemes = mergeSchemes(older.securitySchemes, newer.securitySchemes);
  }
  return merged;
}

type Schemes = Readonly<Record<string, object>>;

/** Every scheme in both shapes, whose members do not meet. */
function mergeSchemes(older: Schemes, newer: Schemes): Schemes {
  return Object.fromEntries(Object.entries(newer).map(([name, scheme]) => [name, { ...older[name], ...scheme }]));
}

/** Readers in use refuse a merged card with several flows in a scheme. */
function withSingleFlows(schemes: AgentCard['securitySchemes']): AgentCard['securitySchemes'] {
  if (schemes === undefined) return undefined;
  const single = Object.entries(schemes).map(([name, scheme]) => [
    name,
    scheme.type === 'oauth2' ? { ...scheme, flows: preferredFlow(scheme.flows) } : scheme,
  ]);
  return Object.fromEntries(single);
}
