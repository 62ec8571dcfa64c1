import type { ModelMessage } from 'ai';
import { type FileBudget, userMessage } from '../history/message-content.ts';
import type { LlmRun } from './llm-run.ts';

/**
 * The messages that came while the run worked, to be seen by the next model call. The journal has what was taken, and when: a run
 * that is taken up gets the same ones at the same place.
 */
export async function takeIncoming({ task, settings }: LlmRun): Promise<readonly ModelMessage[]> {
  const taken = task.messages().take();
  if (taken.length === 0) return [];
  const { files, fileBytes } = settings.limits;
  const budget: FileBudget = { left: files, maxBytes: fileBytes };
  return Promise.all(taken.map((message) => userMessage(message, { task, budget, isRequired: false })));
}
