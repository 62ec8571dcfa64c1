// Types that a program seldom has to name: options within options, results that are used where they come, and the
// shapes behind typed skills. Compilers name them when they write the declarations of a program.
export type { RunResult } from './agent/agent.ts';
export type { AgentCallOptions } from './agent/calls.ts';
export type { Conversation, EarlierMessagesOptions, EarlierTasksOptions } from './agent/conversation.ts';
export type {
  ExecutorAgentOptions,
  ExecutorCard,
  ExecutorLike,
  ExecutorSkill,
} from './agent/executor/types.ts';
export type { ExtensionDefinition, ExtensionEventInfo, ExtensionRequest } from './agent/extension.ts';
export type { FetchedFile, FetchFileOptions } from './agent/files.ts';
export type { Rejection } from './agent/outcomes.ts';
export type { CheckedToolCallOptions, ToolCallOptions } from './agent/questions/caller-tools.ts';
export type {
  ChoiceQuestion,
  QuestionOptions,
  SchemaAnswer,
  SchemaQuestion,
  TextQuestion,
} from './agent/questions/questions.ts';
export type { RequireAuthOptions } from './agent/questions/task-auth.ts';
export type { AgentResult, AgentResultContent } from './agent/result.ts';
export type { ArtifactUpdateOutput, StatusUpdateOutput, UpdateOutput } from './agent/run/update-outputs.ts';
export type { ModelCallEvent, RunEvent, TokenUsage, ToolCallEvent } from './agent/run-event.ts';
export type {
  ArtifactOptions,
  AskOptions,
  Chunk,
  IncomingMessages,
  SkillTask,
  StatusOptions,
  StepInfo,
  StepOptions,
  StepRetry,
  User,
} from './agent/task-context.ts';
export type { JsonRpcResponse } from './bindings/jsonrpc/messages.ts';
export type {
  CancelOptions,
  GetTaskOptions,
  SkilledClientOptions,
  SubscribeOptions,
} from './client/client.ts';
export type { ListPushConfigsOptions, TrustingClientOptions } from './client/every-dialect-client.ts';
export type {
  CallerTool,
  CallerTools,
  InputAnswer,
  InputHandlers,
  OnInput,
  ToolCallContext,
} from './client/input/inputs.ts';
export type { MessageInput, Piece, SendConfiguration, SendParams } from './client/message/content.ts';
export type {
  ClientCredentials,
  ClientLimits,
  Credential,
  CredentialRequest,
  Credentials,
  OutgoingCall,
  Preference,
  ProtocolName,
  ReceivedEvent,
  ReconnectInfo,
  ReconnectOptions,
  RetryOptions,
} from './client/options.ts';
export type { SkillCallOptions } from './client/skill/skill.ts';
export type {
  ModelOutput,
  PendingTool,
  ToolFile,
  ToolFiles,
  ToolInput,
  ToolOptions,
  ToolOutput,
  ToolParameters,
} from './client/skill/tool.ts';
export type { CollectOptions } from './client/stream/collect.ts';
export type { EventObservable, EventSubscription } from './client/stream/observable.ts';
export type { TaskStreamEvent } from './client/stream/task-stream.ts';
export type { TaskFilter, TaskList } from './client/tasks/task-list.ts';
export type { MissingTask, TaskTree, TaskTreeOptions } from './client/tasks/task-tree.ts';
export type { ObservableLike, ObserverLike, Unsubscribe } from './model/basics/observable.ts';
export type { Call, CallEnd, Caller, TraceContext } from './model/call.ts';
export type {
  AgentCapabilities,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  CardRateLimit,
  SecurityRequirement,
  SecurityScheme,
  SkillExample,
} from './model/card.ts';
export type { A2AErrorOptions, FieldViolation } from './model/errors/errors.ts';
export type { InputErrorCode } from './model/errors/input-error.ts';
export type {
  ShapesOf,
  SkillCall,
  SkilledAgent,
  SkillShape,
  SkillShapes,
  WithOutput,
} from './model/extensions/skills.ts';
export type { Priority, PushAuthentication, PushConfig, PushConfigPage, TaskPage } from './model/operations.ts';
export type { DescribedSchema, SchemaSource } from './model/schema/schema-check.ts';
export type { ArtifactUpdate, PartAttributes, Role, StatusUpdate } from './model/task.ts';
export type { RateLimit, TrafficLimits } from './model/traffic-limits.ts';
export type { AuthSetting } from './server/auth/guard/settings.ts';
export type { CredentialCheck as SimpleAuth } from './server/auth/schemes/validated.ts';
export type { CardSetting, CardSettings } from './server/cards/card-setting.ts';
export type { ConsoleOptions, ConsoleSetting } from './server/console/settings.ts';
export type { PublishedCard } from './server/core/core.ts';
export type { GrpcOptions } from './server/core/grpc-options.ts';
export type { JsonRpcCallOptions } from './server/core/json-rpc-calls.ts';
export type { ListenOptions } from './server/core/listen-options.ts';
export type { TlsOptions } from './server/core/tls-options.ts';
export type { EventHandler, EventInfo } from './server/follow/event-handlers.ts';
export type { CorsOptions, CorsSetting } from './server/http/cors.ts';
export type { HostsSetting } from './server/http/door/own-hosts.ts';
export type {
  AgentCallOutcome,
  InterceptedAgentCall,
  InterceptedCommit,
  InterceptedStep,
  InterceptedTurn,
  InterceptedWebhook,
  OperationOutcome,
  TracedWork,
  TurnOutcome,
  WebhookOutcome,
} from './server/intercept/subjects.ts';
export type { FailureLimit } from './server/limits/failures/failed-credentials.ts';
export type { LoadLimit } from './server/limits/load/load-gauge.ts';
export type { RetentionOptions, RetentionTime } from './server/limits/retention.ts';
export type { CallerSettings, TrafficSetting } from './server/limits/traffic-settings.ts';
export type { Transform, TransformInfo } from './server/operations/transforms.ts';
export type { ForkContextOptions, ForkedContext, RerunTaskOptions } from './server/operator/copy-options.ts';
export type { PurgeTasksOptions } from './server/operator/purge-options.ts';
export type { FileEncoding, FileEncodingOptions, LimitSettings } from './server/options.ts';
export type { PushSettings } from './server/push/settings.ts';
export type { DialectName, Mount } from './server/routing/mounts.ts';
export type { MetricsSetting, MetricsSettings, PrometheusRegistry } from './server/telemetry/metrics/settings.ts';
export type { MemoryOptions } from './stores/memory.ts';
