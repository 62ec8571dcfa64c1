import type { Agent } from 'parley-a2a';
import { type LlmAgentOptions, llmAgent } from 'parley-a2a/llm';
import { analyst } from './analyst.ts';

/** Writes about the sales with a language model, which asks the analyst for its figures. */
export function createWriter(options: Pick<LlmAgentOptions, 'model'> = {}): Agent {
  return llmAgent({
    name: 'writer',
    description: 'Writes about the sales of 2025 in whatever form you like, with figures of the analyst.',
    version: '1.0.0',
    instructions:
      'You write about the sales of 2025. Ask the tool "analyst" for the figures of each quarter that you need, one quarter ' +
      'a call, and use no other figures.',
    tools: { analyst },
    ...options,
  });
}
