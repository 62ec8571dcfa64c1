import type { OperationName } from '../../model/operations.ts';
import type { TaskState } from '../../model/states.ts';

// The names of OpenTelemetry's drafts for A2A, agents, tools, models and MCP, and Parley's own beside them, all in this file: they are
// in development, and follow the drafts from here.

/** The instrumentation's own name. */
export const INSTRUMENTATION = 'parley-a2a';

/** The methods of A2A, which are the names of the spans of operations. */
export const METHOD_NAMES: Readonly<Record<OperationName, string>> = {
  sendMessage: 'SendMessage',
  sendStreamingMessage: 'SendStreamingMessage',
  getTask: 'GetTask',
  listTasks: 'ListTasks',
  cancelTask: 'CancelTask',
  subscribeToTask: 'SubscribeToTask',
  createPushConfig: 'CreateTaskPushNotificationConfig',
  getPushConfig: 'GetTaskPushNotificationConfig',
  listPushConfigs: 'ListTaskPushNotificationConfigs',
  deletePushConfig: 'DeleteTaskPushNotificationConfig',
  getExtendedCard: 'GetExtendedAgentCard',
};

/** The names of spans. */
export const SPAN = {
  invokeAgent: (agent: string | undefined) => (agent ? `invoke_agent ${agent}` : 'invoke_agent'),
  chat: (model: string | undefined) => (model ? `chat ${model}` : 'chat'),
  executeTool: (tool: string) => `execute_tool ${tool}`,
  mcp: (method: string, tool: string) => `${method} ${tool}`,
  step: (name: string) => `step ${name.slice(0, LONGEST_STEP_NAME)}`,
  webhook: 'webhook',
  commit: 'commit',
} as const;

const LONGEST_STEP_NAME = 100;

/** The names of attributes. */
export const ATTRIBUTE = {
  // A2A
  method: 'a2a.method.name',
  taskId: 'a2a.task.id',
  taskState: 'a2a.task.state',
  messageId: 'a2a.message.id',
  references: 'a2a.message.reference_task_ids',
  tenant: 'a2a.tenant',
  protocolVersion: 'a2a.protocol.version',
  // Agents and models
  operation: 'gen_ai.operation.name',
  conversation: 'gen_ai.conversation.id',
  agentName: 'gen_ai.agent.name',
  agentDescription: 'gen_ai.agent.description',
  agentVersion: 'gen_ai.agent.version',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  finishReasons: 'gen_ai.response.finish_reasons',
  tokenType: 'gen_ai.token.type',
  toolName: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  toolType: 'gen_ai.tool.type',
  // MCP
  mcpMethod: 'mcp.method.name',
  // General ones
  error: 'error.type',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  clientAddress: 'client.address',
  transport: 'network.transport',
  httpMethod: 'http.request.method',
  httpStatus: 'http.response.status_code',
  // Parley's own
  dialect: 'parley.dialect',
  binding: 'parley.binding',
  attempt: 'parley.run.attempt',
  step: 'parley.step.name',
  webhook: 'parley.webhook.id',
  outcome: 'parley.outcome',
  seq: 'parley.event.seq',
  commitTasks: 'parley.commit.tasks',
  commitEvents: 'parley.commit.events',
} as const;

/** The values of `gen_ai.operation.name`. */
export const OPERATION = { invokeAgent: 'invoke_agent', chat: 'chat', executeTool: 'execute_tool' } as const;

/** The value of `error.type` where a tool says that it has failed. */
export const TOOL_ERROR = 'tool_error';

/** The names of events within the span of a run. */
export const SPAN_EVENT = { status: 'a2a.status', artifact: 'a2a.artifact' } as const;

/** A state as 1.0 writes it, which is how the draft has it. */
export function stateName(state: TaskState | 'reply'): string {
  return `TASK_STATE_${(state === 'reply' ? 'completed' : state).replaceAll('-', '_').toUpperCase()}`;
}

/** The labels of metrics in Prometheus form, and what they are called as attributes. */
export const LABEL_ATTRIBUTES = {
  operation: ATTRIBUTE.method,
  dialect: ATTRIBUTE.dialect,
  binding: ATTRIBUTE.binding,
  outcome: ATTRIBUTE.outcome,
  agent: ATTRIBUTE.agentName,
  state: ATTRIBUTE.taskState,
  provider: ATTRIBUTE.provider,
  model: ATTRIBUTE.requestModel,
  type: ATTRIBUTE.tokenType,
  tool: ATTRIBUTE.toolName,
  status: ATTRIBUTE.httpStatus,
  route: 'parley.route',
  limit: 'parley.limit',
  queue: 'parley.queue',
  role: 'parley.node.role',
  stat: 'parley.stat',
} as const;

export type MetricLabel = keyof typeof LABEL_ATTRIBUTES;
