import type { CompleteDialect } from '../definition.ts';
import { callV0_3 } from './calling/index.ts';
import { v0_3 as serving } from './index.ts';

/** A2A 0.3. */
export const v0_3: CompleteDialect = { name: '0.3', serving, calling: callV0_3 };
