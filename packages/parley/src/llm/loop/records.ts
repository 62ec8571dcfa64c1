import type { AssistantModelMessage, LanguageModelUsage, ToolResultPart } from 'ai';
import { type TokenUsage, usageJson } from '../../agent/run-event.ts';
import type { JsonObject, JsonValue } from '../../model/basics/json.ts';

/** A tool call of a response. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: JsonValue;
  /** The reason why it cannot be carried out, in words for the model: an unknown tool, or arguments that do not fit. */
  readonly problem?: string | undefined;
}

/** One model call, as its step is recorded. */
export interface CallRecord {
  /** The response, as it goes into the next call. */
  readonly messages: readonly AssistantModelMessage[];
  readonly text: string;
  /** The calls that the agent must carry out; not those that the provider has carried out itself. */
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: string;
  readonly usage: TokenUsage;
  readonly model: string;
  readonly provider: string;
}

/** The result of a tool call for the model, as its step is recorded. */
export type ToolOutcome = ToolResultPart['output'];

/** The name of the step of every model call; the journal numbers them. */
export const MODEL_STEP = 'model';
/** The beginning of the names of the steps of tools. */
export const TOOL_STEP = 'tool';
/** The beginning of the names of the steps that record what an agent that was called asks. */
export const QUESTION_STEP = 'question';

export function usageOf({ inputTokens, outputTokens, totalTokens, ...details }: LanguageModelUsage): TokenUsage {
  const { cacheReadTokens } = details.inputTokenDetails ?? {};
  const { reasoningTokens } = details.outputTokenDetails ?? {};
  return {
    inputTokens: countOf(inputTokens),
    outputTokens: countOf(outputTokens),
    totalTokens: countOf(totalTokens),
    cachedInputTokens: countOf(cacheReadTokens),
    reasoningTokens: countOf(reasoningTokens),
  };
}

/** A number that can be a count; anything else is not told, and spoils no sum. */
function countOf(given: number | undefined): number | undefined {
  return given !== undefined && given >= 0 && given <= Number.MAX_SAFE_INTEGER ? given : undefined;
}

/** The sum over the model calls of a run, for the task's metadata. */
export function summedUsage(records: readonly CallRecord[]): JsonObject {
  const sum: Record<string, number> = {};
  for (const { usage } of records) {
    for (const [name, count] of Object.entries(usageJson(usage))) sum[name] = (sum[name] ?? 0) + Number(count);
  }
  return { ...sum, modelCalls: records.length };
}
