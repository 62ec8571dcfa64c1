import type { Dialect } from '../dialect.ts';
import { v1_0 } from '../v1_0/index.ts';

/** The draft of 1.0 as seed S2 has it. */
export const v1_draft: Dialect = { ...v1_0, name: 'v1_draft' };

/** The same at the address that streams whatever is called. */
export const v1_draftStream: Dialect = { ...v1_draft, name: 'v1_draft-stream' };
