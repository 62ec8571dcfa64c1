export { A2AServer, type ListenOptions, serve } from './a2a-server.ts';
export type { Agent, AgentDefinition, RunResult } from './agent/agent.ts';
export type { AgentCall, AgentCallOptions, CallTarget } from './agent/calls.ts';
export type { Conversation, EarlierMessagesOptions, EarlierTasksOptions } from './agent/conversation.ts';
export { defineAgent } from './agent/define.ts';
export { fromExecutor } from './agent/executor/from-executor.ts';
export type {
  ExecutorAgentOptions,
  ExecutorCard,
  ExecutorLike,
  ExecutorSkill,
} from './agent/executor/types.ts';
export {
  authRequired,
  complete,
  fail,
  inputRequired,
  type MessageContent,
  type Outcome,
  reject,
  reply,
} from './agent/outcomes.ts';
export type { CheckedToolCallOptions, ToolCallOptions } from './agent/questions/caller-tools.ts';
export type {
  ChoiceQuestion,
  QuestionOptions,
  SchemaAnswer,
  SchemaQuestion,
  TextQuestion,
} from './agent/questions/questions.ts';
export { type AgentResult, type AgentResultContent, agentResult } from './agent/result.ts';
export type { ArtifactUpdateOutput, StatusUpdateOutput, UpdateOutput } from './agent/run/update-outputs.ts';
export {
  type ArtifactOptions,
  type ArtifactWriter,
  type AskOptions,
  type Chunk,
  chunk,
  type IncomingMessages,
  type Output,
  type SkillTask,
  type StatusOptions,
  type StepInfo,
  type StepOptions,
  type StepRetry,
  type TaskContext,
  type User,
} from './agent/task-context.ts';
export {
  A2AClient,
  type CancelOptions,
  type GetTaskOptions,
  type ListPushConfigsOptions,
  type SkilledClientOptions,
  type SubscribeOptions,
} from './client/client.ts';
export {
  type CallerTool,
  type CallerTools,
  callerTool,
  type InputAnswer,
  type InputHandlers,
  type InputQuestion,
  type OnInput,
  type ToolCallContext,
} from './client/input/inputs.ts';
export type { Content, MessageInput, Piece, SendConfiguration, SendParams } from './client/message/content.ts';
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
  ProtocolName,
  ReceivedEvent,
  ReconnectInfo,
  ReconnectOptions,
  RetryOptions,
  SendOptions,
} from './client/options.ts';
export type { SkillCallOptions, SkillClient } from './client/skill/skill.ts';
export type {
  AgentTool,
  PendingTool,
  ToolInput,
  ToolOptions,
  ToolOutput,
  ToolParameters,
} from './client/skill/tool.ts';
export { type CollectOptions, collect } from './client/stream/collect.ts';
export { type EventObservable, type EventSubscription, fromA2A } from './client/stream/observable.ts';
export { TaskStream, type TaskStreamEvent } from './client/stream/task-stream.ts';
export type { TaskFilter, TaskList } from './client/tasks/task-list.ts';
export {
  type MissingTask,
  type TaskNode,
  type TaskTree,
  type TaskTreeOptions,
  taskTree,
} from './client/tasks/task-tree.ts';
export type { Bus, Clock, Logger, Store } from './engine/ports.ts';
export {
  type AgentCapabilities,
  type AgentCard,
  type AgentExtension,
  type AgentInterface,
  type AgentProvider,
  type AgentSkill,
  type RateLimit,
  RESUME_EXTENSION,
  type SecurityRequirement,
  type SecurityScheme,
  type SkillExample,
} from './model/card.ts';
export { A2AError, type A2AErrorCode, type FieldViolation, isA2AError } from './model/errors.ts';
export { TOOLS_EXTENSION, type ToolDeclaration } from './model/extensions/caller-tools.ts';
export { CALLS_EXTENSION, type CallChain, type ChildTask, childrenOf } from './model/extensions/calls.ts';
export { type Choice, QUESTIONS_EXTENSION, type QuestionInfo, questionOf } from './model/extensions/questions.ts';
export {
  type ShapesOf,
  SKILLS_EXTENSION,
  type SkillCall,
  type SkillDefinition,
  type SkilledAgent,
  type SkillSchemas,
  type SkillShape,
  type SkillShapes,
  skillSchemasOf,
  type WithOutput,
} from './model/extensions/skills.ts';
export { InputError, type InputErrorCode, isInputError } from './model/input-error.ts';
export type { JsonObject, JsonValue } from './model/json.ts';
export type { ObservableLike, ObserverLike, Unsubscribe } from './model/observable.ts';
export type { Priority, PushAuthentication, PushConfig, PushConfigPage, TaskPage } from './model/operations.ts';
export { bytes, bytesOf, dataOf, json, link, text, textOf } from './model/parts.ts';
export type { DescribedSchema, SchemaSource } from './model/schema/schema-check.ts';
export type { StandardSchema } from './model/schema/standard-schema.ts';
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
export type { SimpleAuth } from './server/auth/simple-auth.ts';
export type { EventHandler, EventInfo } from './server/follow/event-handlers.ts';
export type { ServerHooks } from './server/follow/hooks.ts';
export type { PublishedCard } from './server/http/core.ts';
export type { CorsOptions, CorsSetting } from './server/http/cors.ts';
export type { DialectName, Mount } from './server/http/mounts.ts';
export type { ServerLimits } from './server/limits/limits.ts';
export type { Transform, TransformInfo } from './server/operations/transforms.ts';
export type { PurgeTasksOptions } from './server/operator/purge-options.ts';
export type { A2AServerOptions, FileEncoding, V03Files } from './server/options.ts';
export { memory } from './stores/memory.ts';
