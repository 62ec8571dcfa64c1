import type { CallingDialect } from '../calling.ts';
import { callV1_0 } from '../v1_0/calling.ts';

/** The calling half. */
export const callV1Draft: CallingDialect = { ...callV1_0, name: 'v1_draft' };
