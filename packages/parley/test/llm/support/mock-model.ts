import { MockLanguageModelV4 } from 'ai/test';

type LanguageModelV4CallOptions = Parameters<MockLanguageModelV4['doStream']>[0];
type LanguageModelV4StreamResult = Awaited<ReturnType<MockLanguageModelV4['doStream']>>;
type LanguageModelV4StreamPart =
  LanguageModelV4StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
} as const;

/** Pieces of a response: text in chunks, reasoning, tool calls, files. */
export interface Said {
  readonly text?: readonly string[] | undefined;
  readonly reasoning?: readonly string[] | undefined;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[] | undefined;
  readonly files?: readonly { readonly mediaType: string; readonly data: string }[] | undefined;
  readonly finish?: string | undefined;
  readonly raw?: string | undefined;
  /** Waits after everything else; the response never ends. */
  readonly hang?: (() => Promise<never>) | undefined;
  /** An error in the middle of the stream, after the text. */
  readonly error?: unknown;
  /** The stream ends without a finish part. */
  readonly isCut?: boolean | undefined;
}

export function partsOf(said: Said): LanguageModelV4StreamPart[] {
  const { text = [], reasoning = [], calls = [], files = [] } = said;
  const parts: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }];
  if (reasoning.length > 0) {
    parts.push({ type: 'reasoning-start', id: 'r' });
    for (const delta of reasoning) parts.push({ type: 'reasoning-delta', id: 'r', delta });
    parts.push({ type: 'reasoning-end', id: 'r' });
  }
  if (text.length > 0) {
    parts.push({ type: 'text-start', id: 't' });
    for (const delta of text) parts.push({ type: 'text-delta', id: 't', delta });
    if (said.error === undefined && !said.isCut) parts.push({ type: 'text-end', id: 't' });
  }
  for (const { mediaType, data } of files) parts.push({ type: 'file', mediaType, data: { type: 'data', data } });
  for (const { id, name, input } of calls) {
    const written = typeof input === 'string' ? input : JSON.stringify(input);
    parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input: written });
  }
  if (said.error !== undefined) parts.push({ type: 'error', error: said.error });
  if (said.isCut || said.error !== undefined) return parts;
  const unified = (said.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop')) as 'stop';
  parts.push({ type: 'finish', usage: USAGE, finishReason: { unified, raw: said.raw ?? unified } });
  return parts;
}

export type Turn = Said | ((call: LanguageModelV4CallOptions) => Said | Promise<Said>);

export interface ScriptedModel extends MockLanguageModelV4 {
  /** The prompts that the model got. */
  readonly prompts: LanguageModelV4CallOptions['prompt'][];
}

/** A model that says one thing after the other, whoever asks; asked once more it says the last thing again. */
export function scriptedModel(...turns: readonly Turn[]): ScriptedModel {
  const prompts: LanguageModelV4CallOptions['prompt'][] = [];
  const model = new MockLanguageModelV4({
    provider: 'mock',
    modelId: 'mock-1',
    doStream: async (call): Promise<LanguageModelV4StreamResult> => {
      prompts.push(call.prompt);
      const turn = turns[prompts.length - 1] ?? turns.at(-1);
      if (!turn) throw new Error('The model has nothing to say');
      const said = typeof turn === 'function' ? await turn(call) : turn;
      return { stream: streamOf(partsOf(said), said.hang) };
    },
  });
  return Object.assign(model, { prompts });
}

function streamOf(
  parts: readonly LanguageModelV4StreamPart[],
  hang: (() => Promise<never>) | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const queue = [...parts];
  return new ReadableStream({
    async pull(controller) {
      const part = queue.shift();
      if (hang && (!part || part.type === 'finish')) await hang();
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
}

/** The texts of a prompt, one line for each message: `role: text`. */
export function talkOf(prompt: LanguageModelV4CallOptions['prompt'] | undefined): readonly string[] {
  return (prompt ?? []).map(({ role, content }) => {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return `${role}: ${parts.map((part) => wordsOf(part as never)).join(' ')}`;
  });
}

function wordsOf(part: Readonly<Record<string, unknown>>): string {
  if (part.type === 'text') return String(part.text);
  if (part.type === 'tool-call') return `[${String(part.toolName)} ${JSON.stringify(part.input)}]`;
  if (part.type === 'tool-result') return JSON.stringify((part.output as { readonly value?: unknown }).value);
  return `<${String(part.type)}>`;
}
