import type { CallingDialect } from '../../calling.ts';
import { callV0_3 } from '../calling.ts';

/** Callers speak the official 0.3; what answers is read as that. */
export const callBanterop: CallingDialect = { ...callV0_3, name: 'banterop' };
