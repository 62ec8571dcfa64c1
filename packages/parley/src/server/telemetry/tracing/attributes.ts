import type { Attributes, SpanKind } from '@opentelemetry/api';
import type { Agent } from '../../../agent/agent.ts';
import type { RunEvent } from '../../../agent/run-event.ts';
import type { OperationInputs, OperationName } from '../../../model/operations.ts';
import { ATTRIBUTE, OPERATION, SPAN, TOOL_ERROR } from '../names.ts';
import { taskIdOf } from '../task-id-of.ts';

/** The facts of a server that telemetry tells. */
export interface ServerFacts {
  readonly agents: ReadonlyMap<string, Agent>;
  /** The version of the protocol that a dialect speaks. */
  readonly versionOf: (dialect: string) => string;
}

/** Ids alone: the content of messages is private to the agent. */
export function inputAttributes(input: OperationInputs[OperationName]): Attributes {
  const attributes: Attributes = {};
  if (input.tenant !== '') attributes[ATTRIBUTE.tenant] = input.tenant;
  if ('message' in input) {
    const { messageId, taskId, contextId, referenceTaskIds } = input.message;
    attributes[ATTRIBUTE.messageId] = messageId;
    if (taskId !== undefined) attributes[ATTRIBUTE.taskId] = taskId;
    if (contextId !== undefined) attributes[ATTRIBUTE.conversation] = contextId;
    if (referenceTaskIds?.length) attributes[ATTRIBUTE.references] = [...referenceTaskIds];
    return attributes;
  }
  const taskId = taskIdOf(input);
  if (taskId !== undefined) attributes[ATTRIBUTE.taskId] = taskId;
  return attributes;
}

export function agentAttributes({ agents }: ServerFacts, name: string): Attributes {
  const agent = agents.get(name);
  if (!agent) return { [ATTRIBUTE.agentName]: name };
  const { description, version } = agent;
  return {
    [ATTRIBUTE.agentName]: name,
    [ATTRIBUTE.agentDescription]: description,
    [ATTRIBUTE.agentVersion]: version,
  };
}

/** The host of an address; paths and queries may hold secrets. */
export function addressAttributes(url: string | undefined): Attributes {
  const { hostname, port, protocol } = (url === undefined ? undefined : URL.parse(url)) ?? {};
  if (!hostname) return {};
  const usual = protocol === 'https:' ? 443 : 80;
  return { [ATTRIBUTE.serverAddress]: hostname, [ATTRIBUTE.serverPort]: Number(port) || usual };
}

/** A call of a model or of a tool, as a span. */
interface SpannedWork {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** The kind of its failure. */
  readonly error?: string | undefined;
}

export function workAttributes(event: RunEvent, kinds: typeof SpanKind): SpannedWork {
  const common = { [ATTRIBUTE.agentName]: event.agent, [ATTRIBUTE.conversation]: event.contextId };
  if (event.kind === 'tool-call') {
    const { toolName, toolCallId, isError } = event;
    const attributes = {
      ...common,
      [ATTRIBUTE.operation]: OPERATION.executeTool,
      [ATTRIBUTE.toolName]: toolName,
      [ATTRIBUTE.toolCall]: toolCallId,
      [ATTRIBUTE.toolType]: 'function',
    };
    return {
      name: SPAN.executeTool(toolName),
      kind: kinds.INTERNAL,
      attributes,
      ...(isError && { error: TOOL_ERROR }),
    };
  }
  const { model, provider, usage, finishReason, error } = event;
  const { inputTokens, outputTokens } = usage ?? {};
  const attributes: Attributes = {
    ...common,
    [ATTRIBUTE.operation]: OPERATION.chat,
    [ATTRIBUTE.requestModel]: model,
    [ATTRIBUTE.provider]: provider,
    ...(inputTokens !== undefined && { [ATTRIBUTE.inputTokens]: inputTokens }),
    ...(outputTokens !== undefined && { [ATTRIBUTE.outputTokens]: outputTokens }),
    ...(finishReason !== undefined && { [ATTRIBUTE.finishReasons]: [finishReason] }),
  };
  return { name: SPAN.chat(model), kind: kinds.CLIENT, attributes, ...(error && { error: error.kind }) };
}
