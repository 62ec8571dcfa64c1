import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { tool } from 'ai';
import type { Agent } from 'parley-a2a';
import { llmAgent } from 'parley-a2a/llm';
import { z } from 'zod';

/** The world of the agent: places at which its process may die, effects that are seen outside, and the journal. */
export interface World {
  at(point: string): void;
  effect(name: string): void;
  /** Resolves when the journal has a step whose name begins so. */
  recorded(step: string): Promise<void>;
}

/** The names of the tools; `left` and `right` are called side by side. */
export const LEFT = 'left';
export const RIGHT = 'right';
export const LAST = 'last';

export function loopAgent(baseURL: string, world: World): Agent {
  const provider = createOpenAICompatible({ name: 'local', baseURL, includeUsage: true });
  const inputSchema = z.object({ word: z.string() });
  const toolOf = (name: string, wait: () => Promise<void> = async () => {}) =>
    tool({
      inputSchema,
      execute: async ({ word }) => {
        world.at(`${name} begins`);
        world.effect(name);
        world.at(`${name} is done`);
        await wait();
        return `${name} has ${word}`;
      },
    });
  return llmAgent({
    name: 'looper',
    description: 'Thinks and acts by turns',
    version: '1.0.0',
    model: provider('m-1'),
    tools: {
      [LEFT]: toolOf(LEFT),
      // One of the two is always recorded first, so that a kill can come between them.
      [RIGHT]: toolOf(RIGHT, () => world.recorded(`tool 1.1 ${LEFT}`)),
      [LAST]: toolOf(LAST),
    },
    prepareHistory: (messages, { turn }) => {
      world.at(`model ${turn} is about to be asked`);
      return messages;
    },
  });
}
