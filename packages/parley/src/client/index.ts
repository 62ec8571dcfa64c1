/**
 * The client alone, for browsers: it speaks 1.0 and 0.3, and the dialects that it is handed.
 * Nothing here, nor anything that this leads to, needs Node.
 */
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
} from '../model/task.ts';

// The first three are reached in this order, so that modules that are alike stand together in a bundle (decision 0015).

export { answering } from './input/answering-calls.ts';

// It leads to the dialects, and the client to all else.

export {
  A2AClient,
  type CancelOptions,
  type GetTaskOptions,
  type SkilledClientOptions,
  type SubscribeOptions,
} from './client.ts';

// The order of the others is that of their names.

export type { ClientBinding } from '../bindings/binding.ts';
export { httpJson } from '../bindings/rest/learning.ts';
export type { CallingDialect } from '../dialects/calling/calling.ts';
export { cardFaults } from '../dialects/cards/card-faults.ts';
export type { CardCheck, CardVerifier } from '../dialects/cards/read-card.ts';
export type { FileEncoding, FileEncodingOptions } from '../dialects/file-encoding.ts';
export type { JsonObject, JsonValue } from '../model/basics/json.ts';
export type {
  AgentCapabilities,
  AgentCard,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  SecurityRequirement,
  SecurityScheme,
} from '../model/card.ts';
export { A2AError, type A2AErrorCode, type FieldViolation, isA2AError } from '../model/errors/errors.ts';
export type { Choice } from '../model/extensions/questions.ts';
export type { SkilledAgent } from '../model/extensions/skills.ts';
export type { PushAuthentication, PushConfig, PushConfigPage, TaskPage } from '../model/operations.ts';
export { bytes, bytesOf, dataOf, json, link, text, textOf } from '../model/parts.ts';
export { isInterrupted, isTerminal, type TaskState } from '../model/states.ts';
export { clientCredentials } from './auth/oauth.ts';
export type { Answerer, Answering, AnsweringHost } from './input/answerer.ts';
export {
  type CallerTool,
  type CallerTools,
  callerTool,
  type InputAnswer,
  type InputHandlers,
  type InputQuestion,
  type OnInput,
  type ToolCallContext,
} from './input/inputs.ts';
export type { Content, MessageInput, Piece } from './message/content.ts';
export type {
  CallOptions,
  ClientCredentials,
  ClientInterceptor,
  ClientLimits,
  ClientOptions,
  Credential,
  CredentialRequest,
  Credentials,
  DialectDefinition,
  OAuth,
  OutgoingCall,
  Preference,
  ProtocolName,
  ReceivedEvent,
  ReconnectInfo,
  ReconnectOptions,
  RetryOptions,
  SendOptions,
  TokenRequest,
} from './options.ts';
export type { SkillCallOptions, SkillClient } from './skill/skill.ts';
export { skillOf } from './skill/skill-of.ts';
export {
  type AgentTool,
  asTool,
  type ModelOutput,
  type PendingTool,
  skillTools,
  type ToolFile,
  type ToolFiles,
  type ToolInput,
  type ToolOptions,
  type ToolOutput,
  type ToolParameters,
} from './skill/tool.ts';
export { type CollectOptions, collect } from './stream/collect.ts';
export { type EventObservable, type EventSubscription, toObservable } from './stream/observable.ts';
export type { TaskStream, TaskStreamEvent } from './stream/task-stream.ts';
export type { TaskFilter, TaskList } from './tasks/task-list.ts';
export { type MissingTask, type TaskNode, type TaskTree, type TaskTreeOptions, taskTree } from './tasks/task-tree.ts';
