import {
  A2AClient,
  A2AServer,
  type AgentCard,
  type Artifact,
  isA2AError,
  isTask,
  type Message,
  type Part,
  type StreamEvent,
  type Task,
  type TaskStream,
  textOf,
} from 'parley-a2a';
import type { MessageInput } from 'parley-a2a/types';
import {
  type Binding,
  CallFailed,
  type Calling,
  type Flow,
  type Hosting,
  type SeenCard,
  type Version,
} from './calling.ts';
import { Gates, scriptAgent } from './script-agent.ts';
import type { SeenEvent, SeenMessage, SeenPart, SeenTask } from './seen.ts';

/** Our server with the scripted agent, and webhooks on this machine. */
export async function ourServer(): Promise<Hosting & { close(): Promise<void> }> {
  const gates = new Gates();
  const server = new A2AServer({ agents: [scriptAgent(gates)], push: { allow: ['127.0.0.0/8'] }, grpc: { port: 0 } });
  const { url = '' } = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url, release: async () => gates.release(), close: () => server.close() };
}

/** Our client, connected to a server. */
export async function ourClient(url: string, version: Version, binding: Binding): Promise<Calling> {
  const client = await called(A2AClient.connect(url, { prefer: { version, binding } }));
  const { protocolBinding } = client.interface ?? {};
  if (protocolBinding !== binding) throw new Error(`The client chose ${protocolBinding}`);
  return {
    card: cardOf(await called(client.agentCard())),
    send: async ({ parts, ...ids }, wait = true) =>
      answerOf(await called(client.sendMessage(content(parts, ids), { returnImmediately: !wait }))),
    stream: ({ parts, ...ids }) => flowOf(client.sendMessageStream(content(parts, ids))),
    get: async (taskId) => taskOf(await called(client.getTask(taskId))),
    list: async (contextId) => (await called(client.listTasks({ contextId }).then((page) => page.tasks))).map(taskOf),
    cancel: async (taskId) => taskOf(await called(client.cancelTask(taskId))),
    subscribe: (taskId) => flowOf(client.subscribe(taskId)),
    createPush: async (taskId, config) => pushOf(await called(client.createPushConfig(taskId, config))),
    getPush: async (taskId, configId) => pushOf(await called(client.getPushConfig(taskId, configId))),
    listPush: async (taskId) => (await called(client.listPushConfigs(taskId))).configs.map(pushOf),
    deletePush: (taskId, configId) => called(client.deletePushConfig(taskId, configId)),
    extendedCard: async () => cardOf(await called(client.extendedCard())),
  };
}

async function called<T>(call: PromiseLike<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): unknown {
  return isA2AError(error) ? new CallFailed(`${error.code}: ${error.message}`, error.code, error.httpStatus) : error;
}

function flowOf(stream: TaskStream): Flow {
  return {
    next: async () => {
      const { done, value } = await called(stream.next());
      return done ? undefined : eventOf(value);
    },
    cancel: async () => taskOf(await called(stream.cancel())),
    leave: () => void stream.return(),
  };
}

function content(
  parts: readonly SeenPart[],
  ids: { taskId?: string | undefined; contextId?: string | undefined },
): MessageInput {
  return { parts: parts.map(written), ...ids };
}

function written(part: SeenPart): Part {
  if (part.kind !== 'bytes') return part as Part;
  const { mediaType, filename, hex } = part;
  return { kind: 'bytes', bytes: Buffer.from(hex, 'hex').toString('base64'), mediaType, filename };
}

function eventOf(event: StreamEvent): SeenEvent {
  switch (event.kind) {
    case 'task':
      return taskOf(event.task);
    case 'message':
      return { kind: 'message', text: textOf(event.message) };
    case 'status': {
      const { state, message } = event.status;
      return { kind: 'status', taskId: event.taskId, state, said: message ? textOf(message) : '' };
    }
    case 'artifact':
      return { kind: 'artifact', taskId: event.taskId, append: event.append, parts: partsOf(event.artifact) };
  }
}

function answerOf(answer: Task | Message): SeenTask | SeenMessage {
  return isTask(answer) ? taskOf(answer) : { kind: 'message', text: textOf(answer) };
}

function taskOf({ id, contextId, status, artifacts, history }: Task): SeenTask {
  const said = status.message ? textOf(status.message) : '';
  const parts = artifacts.flatMap(partsOf);
  return { kind: 'task', id, contextId, state: status.state, said, parts, history: history.map((one) => textOf(one)) };
}

function partsOf({ parts }: Artifact): SeenPart[] {
  return parts.map((part) => {
    const attributes = { mediaType: part.mediaType ?? '', filename: part.filename ?? '' };
    if (part.kind === 'text') return { kind: 'text', text: part.text };
    if (part.kind === 'data') return { kind: 'data', data: part.data };
    if (part.kind === 'link') return { kind: 'link', url: part.url, ...attributes };
    return { kind: 'bytes', hex: Buffer.from(part.bytes, 'base64').toString('hex'), ...attributes };
  });
}

function cardOf({ name, skills, capabilities }: AgentCard): SeenCard {
  return { name, skills: skills.length, streaming: capabilities.streaming };
}

function pushOf({ id, url }: { readonly id?: string | undefined; readonly url: string }) {
  return { id: id ?? '', url };
}
