import type { CompleteDialect } from '../../definition.ts';
import { callBanterop } from './calling.ts';
import { banterop as serving } from './index.ts';

/** 0.3 as the report of seed S4 wants it. */
export const banterop: CompleteDialect = { name: 'banterop', serving, calling: callBanterop };
