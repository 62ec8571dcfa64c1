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
export {
  A2AClient,
  type CancelOptions,
  type GetTaskOptions,
  type ListPushConfigsOptions,
  type SubscribeOptions,
} from './client/client.ts';
export { type CollectOptions, collect } from './client/collect.ts';
export type { Content, MessageInput, Piece, SendConfiguration, SendParams } from './client/content.ts';
export type {
  CallOptions,
  ClientCredentials,
  ClientLimits,
  ClientOptions,
  Credential,
  CredentialRequest,
  Credentials,
  Interceptor,
  OutgoingCall,
  Preference,
  ReceivedEvent,
  ReconnectInfo,
  ReconnectOptions,
  RetryOptions,
  SendOptions,
} from './client/options.ts';
export type { TaskFilter, TaskList } from './client/task-list.ts';
export { TaskStream } from './client/task-stream.ts';
export type { AgentTool, ToolInput, ToolOptions, ToolOutput, ToolParameters } from './client/tool.ts';
export type { Bus, Clock, EngineLog, Store } from './engine/ports.ts';
export {
  type AgentCapabilities,
  type AgentCard,
  type AgentExtension,
  type AgentInterface,
  type AgentProvider,
  type AgentSkill,
  RESUME_EXTENSION,
  type SecurityRequirement,
  type SecurityScheme,
} from './model/card.ts';
export { A2AError, type A2AErrorCode, type FieldViolation } from './model/errors.ts';
export type { JsonObject, JsonValue } from './model/json.ts';
export type { PushAuthentication, PushConfig, PushConfigPage, TaskPage } from './model/operations.ts';
export { bytes, bytesOf, json, link, text, textOf } from './model/parts.ts';
export { isInterrupted, isTerminal, type TaskState, TERMINAL_STATES } from './model/states.ts';
export {
  type Artifact,
  type ArtifactUpdate,
  type BytesPart,
  type DataPart,
  isTask,
  type LinkPart,
  type Message,
  type Part,
  type PartAttributes,
  type Role,
  type StatusUpdate,
  type StreamEvent,
  type Task,
  type TaskStatus,
  type TextPart,
} from './model/task.ts';
export type { ServerLimits } from './server/limits.ts';
export type { A2AServerOptions } from './server/options.ts';
export { memory } from './stores/memory.ts';
