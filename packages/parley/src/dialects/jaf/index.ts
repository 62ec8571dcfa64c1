import type { Dialect } from '../dialect.ts';
import { v0_3 } from '../v0_3/index.ts';

/** The dialect of JAF agents (seed S1). */
export const jaf: Dialect = { ...v0_3, name: 'jaf' };
