import type { CompleteDialect } from '../definition.ts';
import { callJaf } from './calling/index.ts';
import { jaf as serving } from './index.ts';

/** The dialect of JAF agents (seed S1). */
export const jaf: CompleteDialect = { name: 'jaf', serving, calling: callJaf };
