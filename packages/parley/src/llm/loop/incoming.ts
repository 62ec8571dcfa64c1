import type { ModelMessage } from 'ai';
import type { LlmRun } from './llm-run.ts';

/** The messages that came while the run worked, to be seen by the next model call. */
export async function takeIncoming(_run: LlmRun): Promise<readonly ModelMessage[]> {
  return [];
}
