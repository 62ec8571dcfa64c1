import type { CallingDialect } from '../../calling.ts';
import { callV0_3 } from '../calling.ts';

/** The calling half. */
export const callBanterop: CallingDialect = { ...callV0_3, name: 'banterop' };
