import { type Message as SdkMessage, type Task as SdkTask, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory } from '@a2a-js/sdk/client';
import { A2AClient, isTask, type JsonObject, type Message, type Part, type Task, textOf } from 'parley-a2a';
import { expect } from 'vitest';
import { taskIdOf } from '../interop/support/events.ts';
import { isTask as isSdkTask, textOf as sdkTextOf, sending } from '../interop/support/messages.ts';

/** What a caller has in the end, whichever client it uses: without times, and ids only of artifacts. */
export type Seen = SeenTask | { readonly message: string; readonly messageId: string; readonly metadata: unknown };

export interface SeenTask {
  readonly state: string;
  /** What was said, by whom, the present status included. */
  readonly talk: readonly string[];
  readonly artifacts: readonly SeenArtifact[];
  readonly metadata: unknown;
}

interface SeenArtifact {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly kinds: readonly string[];
  readonly metadata: unknown;
}

/** What both clients can do. */
export interface Caller {
  send(text: string, taskId?: string): Promise<Seen>;
  stream(text: string, taskId?: string): Promise<Seen>;
  /** Starts a task, without waiting for its end, and gives its id. */
  begin(text: string): Promise<string>;
  get(taskId: string): Promise<Seen>;
  cancel(taskId: string): Promise<Seen>;
  /** The id of the last task that this caller saw. */
  readonly taskId: string;
}

export async function sdkCaller(url: string): Promise<Caller> {
  const client: Client = await new ClientFactory().createFromUrl(url);
  let last = '';
  const seen = (result: SdkTask | SdkMessage): Seen => {
    if (!isSdkTask(result)) {
      return { message: sdkTextOf(result.parts), messageId: result.messageId, metadata: nothing(result.metadata) };
    }
    last = result.id;
    return seenSdkTask(result);
  };
  const request = (text: string, taskId = '') => sending(text, { message: { taskId } });
  const get = async (id: string) => seen(await client.getTask({ tenant: '', id }));
  return {
    get taskId() {
      return last;
    },
    get,
    send: async (text, taskId) => seen(await client.sendMessage(request(text, taskId))),
    stream: async (text, taskId) => {
      let id: string | undefined;
      for await (const event of client.sendMessageStream(request(text, taskId))) {
        if (event.payload?.$case === 'message') return seen(event.payload.value);
        id ??= taskIdOf(event);
      }
      return get(id ?? '');
    },
    begin: async (text) => {
      const stream = client.sendMessageStream(request(text));
      const { value } = await stream.next();
      void stream.return();
      return taskIdOf(value ?? undefined);
    },
    cancel: async (id) => seen(await client.cancelTask({ tenant: '', id, metadata: undefined })),
  };
}

export async function parleyCaller(url: string): Promise<Caller> {
  const client = await A2AClient.connect(url);
  let last = '';
  const seen = (result: Task | Message): Seen => {
    if (!isTask(result)) {
      return { message: textOf(result), messageId: result.messageId, metadata: nothing(result.metadata) };
    }
    last = result.id;
    return seenTask(result);
  };
  return {
    get taskId() {
      return last;
    },
    get: async (id) => seen(await client.getTask(id)),
    send: async (text, taskId) => seen(await client.sendMessage(text, { taskId })),
    stream: async (text, taskId) => {
      const result = await client.sendMessageStream(text, { taskId }).result;
      if (!isTask(result)) return seen(result);
      // It joins texts that are streamed, so of the parts only the server knows where each ended.
      const task = await client.getTask(result.id);
      expect(textOf(result)).toBe(textOf(task));
      expect(result.status).toEqual(task.status);
      return seen(task);
    },
    begin: async (text) => {
      const sent = await client.sendMessage(text, { returnImmediately: true });
      return isTask(sent) ? sent.id : '';
    },
    cancel: async (id) => seen(await client.cancelTask(id)),
  };
}

function seenSdkTask({ status, history, artifacts, metadata }: SdkTask): SeenTask {
  const said = status?.message;
  const all = said && !history.some(({ messageId }) => messageId === said.messageId) ? [...history, said] : history;
  return {
    state: (TaskState[status?.state ?? 0] ?? '').replace('TASK_STATE_', '').toLowerCase().replace('_', '-'),
    talk: all.map(({ role, parts }) => `${role === 1 ? 'user' : 'agent'}: ${sdkTextOf(parts)}`),
    artifacts: artifacts.map((artifact) => ({
      id: artifact.artifactId,
      name: artifact.name,
      text: sdkTextOf(artifact.parts),
      kinds: artifact.parts.map(({ content }) => SDK_KINDS[content?.$case ?? 'text']),
      metadata: nothing(artifact.metadata),
    })),
    metadata: nothing(metadata),
  };
}

const SDK_KINDS = { text: 'text', raw: 'bytes', url: 'link', data: 'data' } as const;

function seenTask({ status, history, artifacts, metadata }: Task): SeenTask {
  const said = status.message;
  const all = said && !history.some(({ messageId }) => messageId === said.messageId) ? [...history, said] : history;
  return {
    state: status.state,
    talk: all.map((message) => `${message.role}: ${textOf(message)}`),
    artifacts: artifacts.map((artifact) => ({
      id: artifact.artifactId,
      name: artifact.name ?? '',
      text: textOf(artifact),
      kinds: artifact.parts.map((part: Part) => part.kind),
      metadata: nothing(artifact.metadata),
    })),
    metadata: nothing(metadata),
  };
}

/** In one client's types what was not given is missing, in the other's it may be empty. */
function nothing(metadata: JsonObject | Record<string, unknown> | undefined): unknown {
  return metadata && Object.keys(metadata).length > 0 ? metadata : undefined;
}
