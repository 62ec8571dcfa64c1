import type { JsonObject, JsonValue } from '../model/basics/json.ts';

/** The result of a run of a model or another framework. */
export interface AgentResultContent {
  /** The text of the result. */
  readonly text?: string | undefined;
  /** The data of the result. */
  readonly data?: JsonValue | undefined;
  /** The tool calls of the run. */
  readonly toolCalls?: readonly unknown[] | undefined;
  /** Tokens and other costs. */
  readonly usage?: object | undefined;
  /** Further members of the task's metadata. */
  readonly metadata?: JsonObject | undefined;
}

/** A result that an agent returns; `agentResult()` makes one. */
export interface AgentResult {
  readonly kind: 'result';
  readonly text?: string | undefined;
  readonly data?: JsonValue | undefined;
  readonly metadata?: JsonObject | undefined;
}

/**
 * Makes an output of a whole result: the text goes to the default artifact, the data to an artifact of its own, and
 * everything else to the task's metadata.
 *
 * @example
 * const { text, object, toolCalls, usage } = await model(task.text);
 * return agentResult({ text, data: object, toolCalls, usage });
 */
export function agentResult({ text, data, toolCalls, usage, metadata }: AgentResultContent): AgentResult {
  const more = { ...metadata, ...(toolCalls && { toolCalls }), ...(usage && { usage }) };
  return { kind: 'result', text, data, metadata: Object.keys(more).length > 0 ? (more as JsonObject) : undefined };
}

export function isAgentResult(output: unknown): output is AgentResult {
  return typeof output === 'object' && output !== null && 'kind' in output && output.kind === 'result';
}
