import type { Attributes } from '@opentelemetry/api';
import type { Agent } from '../../../agent/agent.ts';
import type { OperationInputs, OperationName } from '../../../model/operations.ts';
import { ATTRIBUTE } from '../names.ts';

/** The facts of a server that telemetry tells. */
export interface ServerFacts {
  readonly agents: ReadonlyMap<string, Agent>;
  /** The version of the protocol that a dialect speaks. */
  readonly versionOf: (dialect: string) => string;
}

/** Ids alone: what messages say is nobody's business but the agent's. */
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

/** The task that the parameters of an operation name; undefined where they name none. */
export function taskIdOf(input: OperationInputs[OperationName]): string | undefined {
  if ('message' in input) return input.message.taskId;
  if ('taskId' in input) return input.taskId;
  if ('config' in input) return input.config.taskId;
  return 'id' in input ? input.id : undefined;
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
