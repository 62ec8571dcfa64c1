import type { CallingDialect } from '../../calling.ts';
import { callV0_3 } from '../calling.ts';

/** The calling half. */
export const callRxjs: CallingDialect = { ...callV0_3, name: 'rxjs' };
