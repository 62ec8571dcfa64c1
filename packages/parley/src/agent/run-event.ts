import type { JsonObject } from '../model/basics/json.ts';

/** The facts that every event of a run has. */
interface OfRun {
  /** The name in the agent's address. */
  readonly agent: string;
  readonly taskId: string;
  readonly contextId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Tokens, as far as the provider tells. */
export interface TokenUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/** One request to a language model; each attempt is one. */
export interface ModelCallEvent extends OfRun {
  readonly kind: 'model-call';
  /** The name of the model that was asked for. */
  readonly model: string;
  readonly provider: string;
  readonly usage: TokenUsage | undefined;
  /** As the AI SDK names it: `stop`, `length`, `content-filter`, `tool-calls`, `error`, `other`; undefined with an error. */
  readonly finishReason: string | undefined;
  /** The kind of the failure, one of a few words, and the provider's HTTP status where there is one. */
  readonly error?: { readonly kind: string; readonly status?: number | undefined } | undefined;
}

/** One execution of a tool that a language model called. */
export interface ToolCallEvent extends OfRun {
  readonly kind: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  /** True where the model was told of an error. */
  readonly isError: boolean;
}

/** Work inside of a run that is worth measuring. */
export type RunEvent = ModelCallEvent | ToolCallEvent;

export type RunListener = (event: RunEvent) => void;

/** The usage as JSON, without what is not known. */
export function usageJson(usage: TokenUsage): JsonObject {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined));
}
