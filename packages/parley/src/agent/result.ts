import type { JsonObject, JsonValue } from '../model/json.ts';

/** What a run of a model or of another framework came to. */
export interface AgentResultContent {
  /** What it said. */
  readonly text?: string | undefined;
  /** What it gave as data. */
  readonly data?: JsonValue | undefined;
  /** The tools that it has used on the way. */
  readonly toolCalls?: readonly unknown[] | undefined;
  /** What it has cost: tokens and the like. */
  readonly usage?: object | undefined;
  /** Anything else to be kept with the task. */
  readonly metadata?: JsonObject | undefined;
}

/** A result in its pieces; `agentResult()` makes one. */
export interface AgentResult {
  readonly kind: 'result';
  readonly text?: string | undefined;
  readonly data?: JsonValue | undefined;
  readonly metadata?: JsonObject | undefined;
}

/**
 * The result of a run in one piece: the text goes to the default artifact, the data becomes a data artifact of its own,
 * and everything else stands in the task's metadata.
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
