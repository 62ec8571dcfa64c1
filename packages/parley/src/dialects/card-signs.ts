import { isPlainObject } from '../model/json.ts';
import type { InformalProtocol } from './calling-dialects.ts';

type WireCard = Readonly<Record<string, unknown>>;

/** The informal dialect that a published card is in, and its agent then too; undefined for all others. */
export function protocolOfCard(card: WireCard): InformalProtocol | undefined {
  if (isJafCard(card)) return 'jaf';
  if (isDraftCard(card)) return 'v1_draft';
  return isCogitatorCard(card) ? 'cogitator' : undefined;
}

/** Modes under names that no other card has, and a capability that no other agent has (seed S1). */
function isJafCard({ inputModes, defaultInputModes, capabilities }: WireCard): boolean {
  if (!Array.isArray(inputModes) || defaultInputModes !== undefined) return false;
  return isPlainObject(capabilities) && capabilities.contextAccumulation !== undefined;
}

/** The versions stand once for all interfaces, where 1.0 has one with each of them (seed S2). */
function isDraftCard({ protocolVersions, supportedInterfaces }: WireCard): boolean {
  if (!Array.isArray(protocolVersions) || !Array.isArray(supportedInterfaces)) return false;
  const isBare = (entry: unknown) => isPlainObject(entry) && entry.protocolVersion === undefined;
  return supportedInterfaces.length > 0 && supportedInterfaces.every(isBare);
}

/** The protocol's version in the place of the agent's own (seed S3). */
function isCogitatorCard({
  version,
  protocolVersion,
  preferredTransport,
  supportedInterfaces,
  url,
}: WireCard): boolean {
  const isOfficial = [protocolVersion, preferredTransport, supportedInterfaces].some((member) => member !== undefined);
  return version === '0.3' && typeof url === 'string' && !isOfficial;
}
