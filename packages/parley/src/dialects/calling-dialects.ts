import type { CallingDialect } from './calling.ts';
import { callV0_3 } from './v0_3/calling/index.ts';
import { callV1_0 } from './v1_0/calling/index.ts';

export { decodeAgentCard, type ReceivedCard } from './agent-card.ts';

/** The official versions as clients speak them, newest first. */
export const CALLING_DIALECTS: readonly CallingDialect[] = [callV1_0, callV0_3];

/** Finds the dialect of an interface by Major.Minor of its version; undefined where it is not spoken here. */
export function callingDialectOf(version: string): CallingDialect | undefined {
  const majorMinor = version.trim().split('.').slice(0, 2).join('.');
  return CALLING_DIALECTS.find((dialect) => dialect.version === majorMinor);
}
