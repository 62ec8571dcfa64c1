import type { CompleteDialect } from '../definition.ts';
import { callV1Draft } from './calling/index.ts';
import { v1_draft, v1_draftStream } from './index.ts';

/** The draft of 1.0 (seed S2). Its variant streams whatever is called. */
export const draft: CompleteDialect = {
  name: 'v1_draft',
  serving: v1_draft,
  calling: callV1Draft,
  variants: [{ name: 'v1_draft-stream', serving: v1_draftStream }],
};
