import { callV0_3 } from '../v0_3/calling/index.ts';
import { callV1_0 } from '../v1_0/calling/index.ts';
import type { RestCallingDialect } from './calling.ts';

export { decodeAgentCard, type ReceivedCard } from '../cards/agent-card.ts';

/** The official versions as clients speak them over every binding and with every operation, newest first. */
export const CALLING_DIALECTS: readonly RestCallingDialect[] = [callV1_0, callV0_3];
