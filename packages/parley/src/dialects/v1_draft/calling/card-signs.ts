import { isPlainObject } from '../../../model/basics/json.ts';
import type { WireCard } from '../../calling/calling.ts';

/** The versions stand once for all interfaces, where 1.0 has one with each of them (seed S2). */
export function isDraftCard({ protocolVersions, supportedInterfaces }: WireCard): boolean {
  if (!Array.isArray(protocolVersions) || !Array.isArray(supportedInterfaces)) return false;
  const isBare = (entry: unknown) => isPlainObject(entry) && entry.protocolVersion === undefined;
  return supportedInterfaces.length > 0 && supportedInterfaces.every(isBare);
}
