export type { ToolApproval } from './ask/approval.ts';
export { callerTools } from './ask/caller-tools.ts';
export type { ModelErrorKind } from './errors/classify.ts';
export type { LlmLimits } from './limits.ts';
export { type LlmAgent, llmAgent, type TypedOptions } from './llm-agent.ts';
export { type A2AModelOptions, type A2AModelSettings, a2aModel } from './model/a2a-model.ts';
export type { A2ALanguageModel } from './model/model-types.ts';
export type { ForTask, HistoryInfo, LlmAgentOptions, LlmTools, ModelSettings } from './options.ts';
export { modelFromEnvironment } from './provider/from-environment.ts';
