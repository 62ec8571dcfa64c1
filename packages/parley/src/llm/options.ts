import type { CallSettings, LanguageModel, ModelMessage, StopCondition, ToolChoice, ToolSet } from 'ai';
import type { Agent, AgentDefinition } from '../agent/agent.ts';
import type { TaskContext } from '../agent/task-context.ts';
import type { Awaitable } from '../engine/ports.ts';
import type { SkillDefinition } from '../model/extensions/skills.ts';
import type { SchemaSource } from '../model/schema/schema-check.ts';
import type { ToolApproval } from './ask/approval.ts';
import type { LlmLimits } from './limits.ts';

/** Facts for `prepareHistory`. */
export interface HistoryInfo {
  readonly task: TaskContext;
  /** The number of the model call that the messages are for, from 1. */
  readonly turn: number;
  /** Input tokens of the call before, where the provider told; undefined for the first one. */
  readonly inputTokens: number | undefined;
}

/** Settings that are handed to the AI SDK as they are, with each model call. */
export type ModelSettings = Pick<
  CallSettings,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stopSequences'
  | 'seed'
  | 'headers'
> & {
  readonly toolChoice?: ToolChoice<ToolSet> | undefined;
  readonly providerOptions?: ModelMessage['providerOptions'];
};

/** A value, or a function that makes it for a task. */
export type ForTask<Value> = Value | ((task: TaskContext) => Awaitable<Value>);

/** A tool, one that is still on its way (`client.asTool()` is both), or an agent of the same server. */
export type LlmTools = Readonly<Record<string, ToolSet[string] | PromiseLike<ToolSet[string]> | Agent>>;

export interface LlmAgentOptions
  extends Omit<AgentDefinition, 'run' | 'resumable' | 'skills' | 'streaming' | 'onCancel'> {
  /** Skills on the card. Default: one skill that repeats the agent's name and description. */
  readonly skills?: readonly SkillDefinition[] | undefined;
  /**
   * A model of an AI SDK provider, its name as the AI SDK takes it, or a function that chooses one for a task. Default:
   * `modelFromEnvironment()`.
   */
  readonly model?: ForTask<LanguageModel> | undefined;
  /** Instructions for the model, before the conversation. */
  readonly instructions?: ForTask<string | undefined> | undefined;
  /**
   * Tools by name: those of the AI SDK, agents of the same server, `client.asTool()`, `client.skillTools()`,
   * `mcpTools()`. Or a function that returns them for a task; it must return the same ones each time.
   */
  readonly tools?: ForTask<LlmTools> | undefined;
  /**
   * Decides about tool calls before they run, as in the AI SDK: a status or a function by the tool's name, or one
   * function for all. `user-approval` asks the caller, and so does `needsApproval` of a tool.
   */
  readonly toolApproval?: ToolApproval | undefined;
  /** The most model calls for one message. A smaller `maxTurns` of the caller wins. Default 20. */
  readonly maxTurns?: number | undefined;
  /** Ends the loop after the tools of a model call, as in the AI SDK. One condition is enough. */
  readonly stopWhen?: StopCondition<ToolSet> | readonly StopCondition<ToolSet>[] | undefined;
  /** Schema of the result, which is then data instead of text. Skills with their own `output` keep it. */
  readonly output?: SchemaSource | undefined;
  /**
   * Chooses the messages that the model sees, before each model call. It gets all messages, earlier turns first, and
   * returns those to send.
   */
  readonly prepareHistory?:
    | ((messages: readonly ModelMessage[], info: HistoryInfo) => Awaitable<readonly ModelMessage[]>)
    | undefined;
  /** Settings for each model call, such as `temperature`. Default: those of the provider. */
  readonly settings?: ModelSettings | undefined;
  /** Bounds of the loop. Default: see LlmLimits. */
  readonly limits?: Partial<LlmLimits> | undefined;
}
