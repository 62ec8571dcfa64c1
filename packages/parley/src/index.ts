// The front door: what most programs import. Types that seldom need a name are in `parley-a2a/types`, the extensions'
// names in `parley-a2a/extensions`, the ports in `parley-a2a/ports`. A test bounds the number of names here.
export { A2AServer, serve } from './a2a-server.ts';
export type { Agent, AgentDefinition } from './agent/agent.ts';
export type { AgentCall, CallTarget } from './agent/calls.ts';
export { defineAgent } from './agent/define.ts';
export { fromExecutor } from './agent/executor/from-executor.ts';
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
export { agentResult } from './agent/result.ts';
export { type ArtifactWriter, chunk, type Output, type TaskContext } from './agent/task-context.ts';
export { A2AClient } from './client/every-dialect-client.ts';
export { callerTool, type InputQuestion } from './client/input/inputs.ts';
export type { Content } from './client/message/content.ts';
export type { CallOptions, ClientInterceptor, ClientOptions, SendOptions } from './client/options.ts';
export type { SkillClient } from './client/skill/skill.ts';
export type { AgentTool } from './client/skill/tool.ts';
export { collect } from './client/stream/collect.ts';
export { toObservable } from './client/stream/observable.ts';
export type { TaskStream } from './client/stream/task-stream.ts';
export { type TaskNode, taskTree } from './client/tasks/task-tree.ts';
// Nothing is exported by these lines. They let a compiler that writes declarations find the names in these entries.
export type {} from './extensions.ts';
export type { JsonObject, JsonValue } from './model/basics/json.ts';
export type { AgentCard } from './model/card.ts';
export { A2AError, type A2AErrorCode, isA2AError } from './model/errors/errors.ts';
export { InputError, isInputError } from './model/errors/input-error.ts';
export type { SkillDefinition } from './model/extensions/skills.ts';
export { bytes, bytesOf, dataOf, json, link, text, textOf } from './model/parts.ts';
export type { StandardSchema } from './model/schema/standard-schema.ts';
export { isInterrupted, isTerminal, type TaskState } from './model/states.ts';
export {
  type Artifact,
  type BytesPart,
  type DataPart,
  isTask,
  type LinkPart,
  type Message,
  type Part,
  type StreamEvent,
  type Task,
  type TaskStatus,
  type TextPart,
} from './model/task.ts';
export type {} from './ports.ts';
export type { ServerHooks } from './server/follow/hooks.ts';
export type { ServerInterceptor } from './server/intercept/interceptors.ts';
export type { ServerLimits } from './server/limits/limits.ts';
export type { A2AServerOptions } from './server/options.ts';
export { memory } from './stores/memory.ts';
export type {} from './types.ts';
