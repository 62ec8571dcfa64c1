import type { CompleteDialect } from '../definition.ts';
import { callV1_0 } from './calling/index.ts';
import { v1_0 as serving } from './index.ts';

/** A2A 1.0. */
export const v1_0: CompleteDialect = { name: '1.0', serving, calling: callV1_0 };
