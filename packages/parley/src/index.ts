export { A2AServer, type ListenOptions, serve } from './a2a-server.ts';
export type { Agent, AgentDefinition, RunResult } from './agent/agent.ts';
export {
  type ArtifactOptions,
  type ArtifactWriter,
  type AskOptions,
  type Chunk,
  chunk,
  type IncomingMessages,
  type Output,
  type TaskContext,
  type User,
} from './agent/context.ts';
export { defineAgent } from './agent/define.ts';
export {
  authRequired,
  complete,
  inputRequired,
  type MessageContent,
  type Outcome,
  reject,
  reply,
} from './agent/outcomes.ts';
export { type JsonRpcId, type JsonRpcRequest, parseJsonRpcRequest } from './bindings/jsonrpc/envelope.ts';
export type { Bus, Clock, EngineLog, Store } from './engine/ports.ts';
export type { AgentExtension, AgentProvider, AgentSkill } from './model/card.ts';
export { A2AError, type A2AErrorCode, type FieldViolation } from './model/errors.ts';
export type { JsonObject, JsonValue } from './model/json.ts';
export { bytes, bytesOf, json, link, text, textOf } from './model/parts.ts';
export { isInterrupted, isTerminal, type TaskState, TERMINAL_STATES } from './model/states.ts';
export {
  type Artifact,
  type BytesPart,
  type DataPart,
  isTask,
  type LinkPart,
  type Message,
  type Part,
  type PartAttributes,
  type Task,
  type TaskStatus,
  type TextPart,
} from './model/task.ts';
export { RESUME_EXTENSION } from './server/card.ts';
export type { ServerLimits } from './server/limits.ts';
export type { A2AServerOptions } from './server/options.ts';
export { memory } from './stores/memory.ts';
