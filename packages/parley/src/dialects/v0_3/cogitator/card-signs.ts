import type { WireCard } from '../../calling/calling.ts';

/** The protocol's version instead of the agent's own (seed S3). */
export function isCogitatorCard(card: WireCard): boolean {
  const { version, protocolVersion, preferredTransport, supportedInterfaces, url } = card;
  const isOfficial = [protocolVersion, preferredTransport, supportedInterfaces].some((member) => member !== undefined);
  return version === '0.3' && typeof url === 'string' && !isOfficial;
}
