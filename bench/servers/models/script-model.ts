import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { tool } from 'ai';
import { z } from 'zod';
import { runScript } from '../script.ts';

const TOOL = 'look_up';

/**
 * A language model in the same process whose tokens are what the script of the user's message writes; the fourth word of
 * the script says how many calls of the tool come first, one a response. It costs little, so that what is measured is what uses it.
 */
export const scriptModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'script',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('The model of the benchmark only streams')),
  doStream: async (options) => ({ stream: ReadableStream.from(partsOf(options)) }),
};

/** Returns at once: what is measured is the loop around it. */
export const scriptTools = {
  [TOOL]: tool({
    description: 'Looks something up',
    inputSchema: z.object({ number: z.number() }),
    execute: async ({ number }: { number: number }) => ({ found: number + 1 }),
  }),
};

async function* partsOf({ prompt }: LanguageModelV4CallOptions): AsyncGenerator<LanguageModelV4StreamPart> {
  const script = scriptIn(prompt);
  const results = prompt.filter(({ role }) => role === 'tool').length;
  const wanted = Number(script.split(' ')[3] ?? 0);
  const isLast = results >= wanted;
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: 't' };
  let tokens = 0;
  for await (const delta of runScript(script)) {
    tokens++;
    yield { type: 'text-delta', id: 't', delta };
  }
  yield { type: 'text-end', id: 't' };
  if (!isLast) {
    yield {
      type: 'tool-call',
      toolCallId: `call-${results}`,
      toolName: TOOL,
      input: JSON.stringify({ number: results }),
    };
  }
  yield {
    type: 'finish',
    finishReason: { unified: isLast ? 'stop' : 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: prompt.length, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: tokens, text: tokens, reasoning: undefined },
    },
  };
}

function scriptIn(prompt: LanguageModelV4CallOptions['prompt']): string {
  for (const message of prompt) {
    if (message.role !== 'user') continue;
    for (const part of message.content) if (part.type === 'text') return part.text;
  }
  throw new Error('The prompt has no script');
}
