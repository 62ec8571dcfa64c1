export type { ModelErrorKind } from './errors/classify.ts';
export type { LlmLimits } from './limits.ts';
export { llmAgent } from './llm-agent.ts';
export type { ForTask, HistoryInfo, LlmAgentOptions, LlmTools, ModelSettings } from './options.ts';
export { modelFromEnvironment } from './provider/from-environment.ts';
