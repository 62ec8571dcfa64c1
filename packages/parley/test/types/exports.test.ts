import type { Router } from 'express';
import type { FastifyPluginAsync } from 'fastify';
import type { Hono } from 'hono';
import type { Middleware } from 'koa';
import * as root from 'parley-a2a';
import * as compat from 'parley-a2a/compat';
import * as dialects from 'parley-a2a/dialects';
import * as express from 'parley-a2a/express';
import * as fastify from 'parley-a2a/fastify';
import * as web from 'parley-a2a/fetch';
import * as hono from 'parley-a2a/hono';
import * as koa from 'parley-a2a/koa';
import * as node from 'parley-a2a/node';
import * as ports from 'parley-a2a/ports';
import * as sqlite from 'parley-a2a/sqlite';
import * as testing from 'parley-a2a/testing';
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
    'InputError: function',
    'QUESTIONS_EXTENSION: string',
    'RESUME_EXTENSION: string',
    'SKILLS_EXTENSION: string',
    'TERMINAL_STATES: object',
    'TOOLS_EXTENSION: string',
    'TaskStream: function',
    'agentResult: function',
    'authRequired: function',
    'bytes: function',
    'bytesOf: function',
    'callerTool: function',
    'childrenOf: function',
    'chunk: function',
    'collect: function',
    'complete: function',
    'dataOf: function',
    'defineAgent: function',
    'fail: function',
    'fromA2A: function',
    'fromExecutor: function',
    'inputRequired: function',
    'isA2AError: function',
    'isInputError: function',
    'isInterrupted: function',
    'isTask: function',
    'isTerminal: function',
    'json: function',
    'link: function',
    'memory: function',
    'questionOf: function',
    'reject: function',
    'reply: function',
    'serve: function',
    'skillSchemasOf: function',
    'taskTree: function',
    'text: function',
    'textOf: function',
  ]);
  expect(root.RESUME_EXTENSION).toBe('urn:parley:ext:resume:v1');
  expect(root.TERMINAL_STATES).toEqual(['completed', 'failed', 'canceled', 'rejected']);
});

it('parley-a2a/compat exports these values, all names of the seed S3 [seed:S3.2]', () => {
  expect(kinds(compat)).toEqual([
    'A2AClient: function',
    'A2AServer: function',
    'InMemoryTaskStore: function',
    'TERMINAL_STATES: object',
    'TaskManager: function',
    'contentTypeNotSupported: function',
    'createErrorResponse: function',
    'createSuccessResponse: function',
    'fromTaskStore: function',
    'generateAgentCard: function',
    'internalError: function',
    'invalidAgentResponse: function',
    'invalidParams: function',
    'invalidRequest: function',
    'isValidRequest: function',
    'methodNotFound: function',
    'parseError: function',
    'parseJsonRpcRequest: function',
    'pushNotificationsNotSupported: function',
    'taskNotCancelable: function',
    'taskNotFound: function',
    'unsupportedOperation: function',
  ]);
});

it('parley-a2a/dialects exports these values', () => {
  expect(kinds(dialects)).toEqual([
    'banterop: object',
    'cogitator: object',
    'draft: object',
    'jaf: object',
    'rxjs: object',
    'v0_3: object',
    'v1_0: object',
  ]);
});

it('parley-a2a/sqlite exports these values', () => {
  expect(kinds(sqlite)).toEqual(['StoreError: function', 'sqlite: function']);
});

it('parley-a2a/ports exports the types of the ports, and these values', () => {
  expect(kinds(ports)).toEqual(['StoreError: function', 'withStore: function']);
});

it('parley-a2a/testing exports these values', () => {
  expect(kinds(testing)).toEqual([
    'TestAgent: function',
    'TestClock: function',
    'a2aMatchers: object',
    'busContract: function',
    'fakeAgent: function',
    'faulty: function',
    'record: function',
    'replay: function',
    'settled: function',
    'storeContract: function',
    'testAgent: function',
  ]);
});

it('the adapters export one value each', () => {
  const modules = [express, fastify, hono, koa, node, web];
  expect(modules.flatMap(kinds)).toEqual([
    'a2aExpress: function',
    'a2aFastify: function',
    'a2aHono: function',
    'a2aKoa: function',
    'a2aNode: function',
    'a2aFetch: function',
  ]);
});

/** Fails to compile where a signature differs from that of the seed document (S3, tasks 13 to 16). */
export const signatures = [
  express.a2aExpress satisfies (server: root.A2AServer) => Router,
  hono.a2aHono satisfies (server: root.A2AServer) => Hono,
  fastify.a2aFastify satisfies (server: root.A2AServer) => FastifyPluginAsync,
  koa.a2aKoa satisfies (server: root.A2AServer) => Middleware,
];

/** Fails to compile where a type is no longer exported. */
export type AdapterTypes = [koa.KoaOptions, node.NodeListener, node.NodeOptions, web.FetchOptions];

/** Fails to compile where a type is no longer exported. */
export type TestingTypes = [
  testing.A2AMatchers,
  testing.ArtifactShape,
  testing.Checked,
  testing.FakeAgent,
  testing.FakeAgentScript,
  testing.FakeAnswer,
  testing.FakeCall,
  testing.FakeMessage,
  testing.FakeStep,
  testing.Faults,
  testing.ForStreams<number>,
  testing.LogEntry,
  testing.MatcherResult,
  testing.RecordedExchange,
  testing.RecordedRequest,
  testing.RecordedResponse,
  testing.Recorder,
  testing.Recording,
  testing.TestAgentOptions,
  testing.TestClockOptions,
];

/** Fails to compile where a type is no longer exported. */
export type RootTypes = [
  root.A2AErrorCode,
  root.A2AServerOptions,
  root.AgentCall,
  root.AgentCallOptions,
  root.ProtocolName,
  root.PublishedCard,
  root.SimpleAuth,
  root.Agent,
  root.AgentCapabilities,
  root.AgentCard,
  root.AgentDefinition,
  root.AgentExtension,
  root.AgentInterface,
  root.AgentProvider,
  root.AgentResult,
  root.AgentResultContent,
  root.AgentSkill,
  root.AgentTool,
  root.Artifact,
  root.ArtifactOptions,
  root.ArtifactUpdate,
  root.ArtifactWriter,
  root.AskOptions,
  root.BytesPart,
  root.CallOptions,
  root.CallerTool,
  root.CallerTools,
  root.CancelOptions,
  root.CheckedToolCallOptions<root.StandardSchema>,
  root.Choice,
  root.ChoiceQuestion<string>,
  root.Chunk,
  root.ClientCredentials,
  root.ClientLimits,
  root.ClientOptions,
  root.CollectOptions,
  root.Content,
  root.Conversation,
  root.CorsOptions,
  root.CorsSetting,
  root.Credential,
  root.CredentialRequest,
  root.Credentials,
  root.DataPart,
  root.EventHandler,
  root.EventInfo,
  root.EventObservable,
  root.EventSubscription,
  root.DescribedSchema,
  root.EarlierMessagesOptions,
  root.EarlierTasksOptions,
  root.ExecutorAgentOptions,
  root.ExecutorCard,
  root.ExecutorLike,
  root.ExecutorSkill,
  root.FieldViolation,
  root.GetTaskOptions,
  root.IncomingMessages,
  root.InputAnswer,
  root.InputErrorCode,
  root.InputHandlers,
  root.InputQuestion,
  root.Interceptor,
  root.JsonObject,
  root.JsonValue,
  root.LinkPart,
  root.ListPushConfigsOptions,
  root.ListenOptions,
  root.Message,
  root.MessageContent,
  root.MessageInput,
  root.MissingTask,
  root.ObservableLike<string>,
  root.ObserverLike<string>,
  root.OnInput,
  root.Outcome,
  root.OutgoingCall,
  root.Output,
  root.Part,
  root.PartAttributes,
  root.Piece,
  root.Preference,
  root.PurgeTasksOptions,
  root.PushAuthentication,
  root.PushConfig,
  root.PushConfigPage,
  root.QuestionInfo,
  root.QuestionOptions,
  root.ReceivedEvent,
  root.ReconnectInfo,
  root.ReconnectOptions,
  root.RetryOptions,
  root.Role,
  root.RunResult,
  root.SchemaAnswer<root.StandardSchema>,
  root.SchemaQuestion<root.StandardSchema>,
  root.SchemaSource,
  root.SecurityRequirement,
  root.SecurityScheme,
  root.SendConfiguration,
  root.SendOptions,
  root.ServerHooks,
  root.ServerLimits,
  root.ShapesOf<[]>,
  root.SkillCallOptions,
  root.SkillClient,
  root.SkillCall,
  root.SkillDefinition,
  root.SkillSchemas,
  root.SkillShape,
  root.SkillShapes,
  root.SkillTask<object>,
  root.SkilledAgent,
  root.SkilledClientOptions<root.SkilledAgent>,
  root.StatusOptions,
  root.StatusUpdate,
  root.StreamEvent,
  root.SubscribeOptions,
  root.Task,
  root.TaskContext,
  root.TaskFilter,
  root.TaskList,
  root.TaskNode,
  root.TaskPage,
  root.TaskState,
  root.TaskStatus,
  root.TaskTree,
  root.TaskTreeOptions,
  root.TextPart,
  root.TextQuestion,
  root.ToolCallContext,
  root.ToolCallOptions,
  root.ToolDeclaration,
  root.ToolInput,
  root.ToolOptions,
  root.ToolOutput,
  root.ToolParameters,
  root.Transform,
  root.TransformInfo,
  root.User,
  root.WithOutput<number>,
];

/** Fails to compile where a type is no longer exported. */
export type CompatTypes = [
  compat.A2ACapabilities,
  compat.A2AClientConfig,
  compat.A2AError,
  compat.A2AMessage,
  compat.A2AServerConfig,
  compat.A2AStreamEvent,
  compat.A2ATask,
  compat.AgentCard,
  compat.AgentCardOptions,
  compat.AgentProvider,
  compat.AgentSkill,
  compat.Artifact,
  compat.AsToolOptions,
  compat.Cogitator,
  compat.CogitatorRunOptions,
  compat.DataPart,
  compat.FilePart,
  compat.IAgent,
  compat.ITool,
  compat.JsonRpcCallOptions,
  compat.JsonRpcError,
  compat.JsonRpcId,
  compat.JsonRpcRequest,
  compat.JsonRpcResponse,
  compat.MirroredStore,
  compat.Part,
  compat.RunResult,
  compat.SendMessageConfiguration,
  compat.TaskArtifactUpdateEvent,
  compat.TaskFilter,
  compat.TaskManagerEvents,
  compat.TaskMirrorOptions,
  compat.TaskState,
  compat.TaskStatus,
  compat.TaskStatusUpdateEvent,
  compat.TaskStore,
  compat.TextPart,
  compat.Tool,
];

export type SqliteTypes = [sqlite.SqliteOptions, sqlite.StoreErrorCode, sqlite.Synchronous];
