import { bytesOf } from '../../model/parts.ts';
import { TASK_STATES, type TaskState } from '../../model/states.ts';
import type { Artifact, BytesPart, Message, Part, Task, TaskStatus } from '../../model/task.ts';

/** Messages and tasks in the shapes of the official SDK's 1.x: what is not there is '' or empty, never missing. */

export function message(message: Message) {
  const { messageId, contextId = '', taskId = '', role, parts, metadata } = message;
  return {
    messageId,
    contextId,
    taskId,
    role: role === 'user' ? 1 : 2,
    parts: parts.map(part),
    metadata,
    extensions: [...(message.extensions ?? [])],
    referenceTaskIds: [...(message.referenceTaskIds ?? [])],
  };
}

export function task({ id, contextId, status, artifacts, history, metadata }: Task) {
  return {
    id,
    contextId,
    status: taskStatus(status),
    artifacts: artifacts.map(artifact),
    history: history.map(message),
    metadata: metadata && { ...metadata },
  };
}

function taskStatus({ state, message: said, timestamp }: TaskStatus) {
  return { state: (TASK_STATES as readonly TaskState[]).indexOf(state) + 1, message: said && message(said), timestamp };
}

function artifact({ artifactId, name = '', description = '', parts, metadata, extensions = [] }: Artifact) {
  return { artifactId, name, description, parts: parts.map(part), metadata, extensions: [...extensions] };
}

function part(part: Part) {
  const { metadata, filename = '', mediaType = '' } = part;
  return { content: content(part), metadata, filename, mediaType };
}

function content(part: Part) {
  switch (part.kind) {
    case 'text':
      return { $case: 'text', value: part.text } as const;
    case 'bytes':
      return { $case: 'raw', value: rawBytes(part) } as const;
    case 'link':
      return { $case: 'url', value: part.url } as const;
    case 'data':
      return { $case: 'data', value: part.data } as const;
  }
}

interface BufferMaker {
  from(bytes: Uint8Array): Uint8Array;
}

/** A `Buffer` where there is such a thing, as executors expect it. */
function rawBytes(part: BytesPart): Uint8Array {
  const { Buffer } = globalThis as { readonly Buffer?: BufferMaker };
  const raw = bytesOf(part);
  return Buffer ? Buffer.from(raw) : raw;
}
