import * as root from 'parley-a2a';
import * as sqlite from 'parley-a2a/sqlite';
import { expect, it } from 'vitest';

// A name that is exported is a promise. Adding one here is a decision; removing one breaks somebody's program.

const kinds = (module: object) =>
  Object.entries(module)
    .map(([name, value]) => `${name}: ${typeof value}`)
    .sort();

it('parley-a2a exports these values', () => {
  expect(kinds(root)).toEqual([
    'A2AClient: function',
    'A2AError: function',
    'A2AServer: function',
    'CALLS_EXTENSION: string',
    'RESUME_EXTENSION: string',
    'TERMINAL_STATES: object',
    'TaskStream: function',
    'authRequired: function',
    'bytes: function',
    'bytesOf: function',
    'childrenOf: function',
    'chunk: function',
    'collect: function',
    'complete: function',
    'defineAgent: function',
    'inputRequired: function',
    'isInterrupted: function',
    'isTask: function',
    'isTerminal: function',
    'json: function',
    'link: function',
    'memory: function',
    'parseJsonRpcRequest: function',
    'reject: function',
    'reply: function',
    'serve: function',
    'text: function',
    'textOf: function',
  ]);
  expect(root.RESUME_EXTENSION).toBe('urn:parley:ext:resume:v1');
  expect(root.TERMINAL_STATES).toEqual(['completed', 'failed', 'canceled', 'rejected']);
});

it('parley-a2a/sqlite exports these values', () => {
  expect(kinds(sqlite)).toEqual(['StoreError: function', 'sqlite: function']);
});

/** Fails to compile where a type is no longer exported. */
export type RootTypes = [
  root.A2AErrorCode,
  root.A2AServerOptions,
  root.Agent,
  root.AgentCapabilities,
  root.AgentCard,
  root.AgentDefinition,
  root.AgentExtension,
  root.AgentInterface,
  root.AgentProvider,
  root.AgentSkill,
  root.AgentTool,
  root.Artifact,
  root.ArtifactOptions,
  root.ArtifactUpdate,
  root.ArtifactWriter,
  root.AskOptions,
  root.BytesPart,
  root.CallOptions,
  root.CancelOptions,
  root.Chunk,
  root.ClientCredentials,
  root.ClientLimits,
  root.ClientOptions,
  root.CollectOptions,
  root.Content,
  root.Credential,
  root.CredentialRequest,
  root.Credentials,
  root.DataPart,
  root.FieldViolation,
  root.GetTaskOptions,
  root.IncomingMessages,
  root.Interceptor,
  root.JsonObject,
  root.JsonValue,
  root.LinkPart,
  root.ListPushConfigsOptions,
  root.ListenOptions,
  root.Message,
  root.MessageContent,
  root.MessageInput,
  root.Outcome,
  root.OutgoingCall,
  root.Output,
  root.Part,
  root.PartAttributes,
  root.Piece,
  root.Preference,
  root.PushAuthentication,
  root.PushConfig,
  root.PushConfigPage,
  root.ReceivedEvent,
  root.ReconnectInfo,
  root.ReconnectOptions,
  root.RetryOptions,
  root.Role,
  root.RunResult,
  root.SecurityRequirement,
  root.SecurityScheme,
  root.SendConfiguration,
  root.SendOptions,
  root.ServerLimits,
  root.StatusUpdate,
  root.StreamEvent,
  root.SubscribeOptions,
  root.Task,
  root.TaskContext,
  root.TaskFilter,
  root.TaskList,
  root.TaskPage,
  root.TaskState,
  root.TaskStatus,
  root.TextPart,
  root.ToolInput,
  root.ToolOptions,
  root.ToolOutput,
  root.ToolParameters,
  root.User,
];

export type SqliteTypes = [sqlite.SqliteOptions, sqlite.StoreErrorCode, sqlite.Synchronous];
