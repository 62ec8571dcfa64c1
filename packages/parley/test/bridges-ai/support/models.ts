import { type LanguageModel, simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

type Model = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>;
type GenerateResult = Awaited<ReturnType<Model['doGenerate']>>;
type Prompt = Parameters<Model['doGenerate']>[0]['prompt'];
type StreamPart = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

export const USAGE: GenerateResult['usage'] = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};

/** The output of the tool that a prompt ends with. */
export function toolOutputIn(prompt: Prompt): unknown {
  const last = prompt.at(-1);
  const part = last?.role === 'tool' ? last.content[0] : undefined;
  return part?.type === 'tool-result' ? part.output : undefined;
}

/** A model that uses a tool first, and then says in JSON what it has heard from it. */
export function modelThatUses(toolName: string, input: unknown): MockLanguageModelV4 {
  const contentFor = (prompt: Prompt): GenerateResult['content'][number] => {
    const heard = toolOutputIn(prompt);
    if (heard !== undefined) return { type: 'text', text: JSON.stringify(heard) };
    return { type: 'tool-call', toolCallId: 'c1', toolName, input: JSON.stringify(input) };
  };
  const reasonFor = ({ type }: { readonly type: string }) =>
    ({ unified: type === 'text' ? 'stop' : 'tool-calls', raw: undefined }) as const;
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const content = contentFor(prompt);
      return { content: [content], finishReason: reasonFor(content), usage: USAGE, warnings: [] };
    },
    doStream: async ({ prompt }) => {
      const content = contentFor(prompt);
      const shown: StreamPart[] =
        content.type === 'text'
          ? [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: content.text },
              { type: 'text-end', id: 't' },
            ]
          : [content as StreamPart];
      const chunks: StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...shown,
        { type: 'finish', finishReason: reasonFor(content), usage: USAGE },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}
