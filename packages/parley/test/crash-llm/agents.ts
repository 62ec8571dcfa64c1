import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { tool } from 'ai';
import type { Agent } from 'parley-a2a';
import { type LlmAgentOptions, llmAgent } from 'parley-a2a/llm';
import { z } from 'zod';
import type { Scenario } from './scenario.ts';

/** The world of the agent: places at which its process may die, effects that are seen outside, and the journal. */
export interface World {
  at(point: string): void;
  effect(name: string): void;
  /** Resolves when the journal has a step whose name begins so. */
  recorded(step: string): Promise<void>;
}

/** The tools of the looping agent; `left` and `right` are called side by side. */
export const LEFT = 'left';
export const RIGHT = 'right';
export const LAST = 'last';
/** The tools of the asking agent: one needs the caller's approval, the other is run by the caller. */
export const PAY = 'pay';
export const BROWSE = 'browse';

const inputSchema = z.object({ word: z.string() });

export function agentOf(kind: Scenario['agent'], baseURL: string, world: World): Agent {
  const provider = createOpenAICompatible({ name: 'local', baseURL, includeUsage: true });
  return llmAgent({
    name: kind,
    description: 'Thinks and acts by turns',
    version: '1.0.0',
    model: provider('m-1'),
    ...(kind === 'looping' ? looping(world) : asking(world)),
    prepareHistory: (messages, { turn }) => {
      world.at(`model ${turn} is about to be asked`);
      return messages;
    },
  });
}

function looping(world: World): Pick<LlmAgentOptions, 'tools'> {
  return {
    tools: {
      [LEFT]: effectOf(world, LEFT),
      // One of the two is always recorded first, so that a kill can come between them.
      [RIGHT]: effectOf(world, RIGHT, () => world.recorded(`tool 1.1 ${LEFT}`)),
      [LAST]: effectOf(world, LAST),
    },
  };
}

function asking(world: World): Pick<LlmAgentOptions, 'tools' | 'toolApproval'> {
  return {
    tools: { [PAY]: effectOf(world, PAY), [BROWSE]: tool({ inputSchema }) },
    toolApproval: { [PAY]: 'user-approval' },
  };
}

function effectOf(world: World, name: string, wait: () => Promise<void> = async () => {}) {
  return tool({
    inputSchema,
    execute: async ({ word }) => {
      world.at(`${name} begins`);
      world.effect(name);
      world.at(`${name} is done`);
      await wait();
      return `${name} has ${word}`;
    },
  });
}
