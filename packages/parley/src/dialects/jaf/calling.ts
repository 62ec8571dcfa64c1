import type { CallingDialect } from '../calling.ts';
import { callV0_3 } from '../v0_3/calling.ts';

/** The calling half. */
export const callJaf: CallingDialect = { ...callV0_3, name: 'jaf' };
