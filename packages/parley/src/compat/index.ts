/*
 * The names of the seed S3, as its document spells them, on top of this package: a program that was written for that
 * document changes where it imports from and nothing else.
 */

export type { JsonRpcId, JsonRpcRequest } from '../bindings/jsonrpc/envelope.ts';
export {
  contentTypeNotSupported,
  internalError,
  invalidAgentResponse,
  invalidParams,
  invalidRequest,
  type JsonRpcError,
  type JsonRpcError as A2AError,
  methodNotFound,
  parseError,
  pushNotificationsNotSupported,
  taskNotCancelable,
  taskNotFound,
  unsupportedOperation,
} from '../bindings/jsonrpc/error-objects.ts';
export {
  createErrorResponse,
  createSuccessResponse,
  isValidRequest,
  type JsonRpcResponse,
} from '../bindings/jsonrpc/messages.ts';
export type { AgentTool as Tool } from '../client/skill/tool.ts';
export type {
  A2ACapabilities,
  A2AMessage,
  A2AStreamEvent,
  A2ATask,
  AgentCard,
  AgentProvider,
  AgentSkill,
  Artifact,
  DataPart,
  FilePart,
  Part,
  SendMessageConfiguration,
  TaskArtifactUpdateEvent,
  TaskState,
  TaskStatus,
  TaskStatusUpdateEvent,
  TextPart,
} from '../dialects/cogitator.ts';
export type { JsonRpcCallOptions } from '../server/core/json-rpc-calls.ts';
export { fromTaskStore, type MirroredStore, type TaskMirrorOptions } from '../server/follow/task-mirror.ts';
export { InMemoryTaskStore, type TaskStore, type TaskStoreFilter as TaskFilter } from '../server/follow/task-store.ts';
export { A2AClient, type A2AClientConfig, type AsToolOptions } from './client.ts';
export type { A2AServerConfig } from './config.ts';
export type {
  Cogitator,
  CogitatorRunOptions,
  CogitatorRunResult as RunResult,
  IAgent,
  ITool,
} from './foreign-agent.ts';
export { type AgentCardOptions, generateAgentCard } from './generate-card.ts';
export { parseJsonRpcRequest } from './parsing.ts';
export { A2AServer } from './server.ts';
export { TaskManager, type TaskManagerEvents } from './task-manager.ts';
export { TERMINAL_STATES } from './terminal-states.ts';
