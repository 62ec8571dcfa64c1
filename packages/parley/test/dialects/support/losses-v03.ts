import type { AgentCard, AgentInterface } from '../../../src/model/card.ts';
import type { Artifact, Message, Part, StreamEvent, Task, TaskStatus } from '../../../src/model/task.ts';

/** What 0.3 cannot carry, taken out of a model value (reference: mapping §13). */
export const lossy = { part, message, task, event, card };

/** Text and data have neither media type nor name. Data that must be wrapped loses metadata that is empty. */
function part(value: Part): Part {
  if (value.kind === 'bytes' || value.kind === 'link') return value;
  const { mediaType: _, filename: __, ...rest } = value;
  if (rest.kind === 'text' || isObject(rest.data) || Object.keys(rest.metadata ?? {}).length > 0) return rest;
  return { kind: 'data', data: rest.data };
}

function message(value: Message): Message {
  return { ...value, parts: value.parts.map(part) };
}

function artifact(value: Artifact): Artifact {
  return { ...value, parts: value.parts.map(part) };
}

function status(value: TaskStatus): TaskStatus {
  return { ...value, message: value.message && message(value.message) };
}

function task(value: Task): Task {
  return {
    ...value,
    status: status(value.status),
    artifacts: value.artifacts.map(artifact),
    history: value.history.map(message),
  };
}

function event(value: StreamEvent): StreamEvent {
  switch (value.kind) {
    case 'task':
      return { kind: 'task', task: task(value.task) };
    case 'message':
      return { kind: 'message', message: message(value.message) };
    case 'status':
      return { ...value, status: status(value.status) };
    case 'artifact':
      return { ...value, artifact: artifact(value.artifact) };
  }
}

/** Only interfaces of 0.3 without a tenant are left, each once. */
function card(value: AgentCard): AgentCard {
  const ours = value.interfaces.filter(({ protocolVersion, tenant }) => protocolVersion === '0.3' && !tenant);
  const byAddress = new Map<string, AgentInterface>();
  for (const entry of ours) {
    const address = JSON.stringify([entry.url, entry.protocolBinding]);
    if (!byAddress.has(address)) byAddress.set(address, entry);
  }
  return { ...value, interfaces: [...byAddress.values()] };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
