import type { Artifact, Message, Part, Task, TaskState } from 'parley-a2a';
import type { StreamEvent } from '../../src/model/task.ts';
import type { Wire } from '../support/rpc.ts';
import type { Sending } from './peer.ts';

/** How one version writes what a client sends and says what a server answers. */
export interface Form {
  readonly encodeSend: (sending: Sending) => Wire;
  readonly readAnswer: (wire: Wire) => Task | Message;
  readonly readTask: (wire: Wire) => Task;
  readonly readEvent: (wire: Wire) => StreamEvent;
}

/** The words in which forms differ. */
interface Words {
  readonly parts: 'parts' | 'content';
  readonly kinds: boolean;
  readonly user: string;
  readonly agent: string;
  readonly stateOf: (wire: string) => TaskState;
  readonly encodePart: (part: Part) => Wire;
  readonly readPart: (wire: Wire) => Part;
  readonly configuration: (sending: Sending) => Wire;
}

const kindOf = (words: Words, kind: string) => (words.kinds ? { kind } : {});

function requireKind(words: Words, wire: Wire, kind: string): void {
  if ((wire.kind === kind) !== words.kinds)
    throw new Error(`Not what this form has for ${kind}: ${JSON.stringify(wire)}`);
}

function encodeMessage(words: Words, sending: Sending): Wire {
  const { messageId, taskId, contextId, referenceTaskIds, extensions, metadata } = sending;
  const parts = sending.parts ?? [{ kind: 'text', text: sending.text ?? '' }];
  return {
    ...kindOf(words, 'message'),
    messageId,
    role: words.user,
    [words.parts]: parts.map(words.encodePart),
    taskId,
    contextId,
    referenceTaskIds,
    extensions,
    metadata,
  };
}

function readMessage(words: Words, wire: Wire): Message {
  requireKind(words, wire, 'message');
  const { messageId, role, taskId, contextId, referenceTaskIds, extensions, metadata } = wire;
  if (role !== words.user && role !== words.agent) throw new Error(`No role of this form: ${role}`);
  const parts = wire[words.parts].map(words.readPart);
  const known = role === words.user ? 'user' : 'agent';
  return { messageId, role: known, parts, taskId, contextId, referenceTaskIds, extensions, metadata };
}

function readStatus(words: Words, { state, message, timestamp }: Wire): Task['status'] {
  return { state: words.stateOf(state), message: message && readMessage(words, message), timestamp };
}

/** Parts of artifacts are `parts` in every form. */
function readArtifact(words: Words, wire: Wire): Artifact {
  const { artifactId, name, description, extensions, metadata } = wire;
  return { artifactId, name, description, extensions, metadata, parts: wire.parts.map(words.readPart) };
}

function readTask(words: Words, wire: Wire): Task {
  requireKind(words, wire, 'task');
  return {
    id: wire.id,
    contextId: wire.contextId,
    status: readStatus(words, wire.status),
    artifacts: (wire.artifacts ?? []).map((artifact: Wire) => readArtifact(words, artifact)),
    history: (wire.history ?? []).map((message: Wire) => readMessage(words, message)),
    metadata: wire.metadata,
  };
}

function readStatusUpdate(words: Words, wire: Wire): StreamEvent {
  requireKind(words, wire, 'status-update');
  const { taskId, contextId, metadata } = wire;
  return { kind: 'status', taskId, contextId, status: readStatus(words, wire.status), metadata };
}

function readArtifactUpdate(words: Words, wire: Wire): StreamEvent {
  requireKind(words, wire, 'artifact-update');
  const { taskId, contextId, append = false, lastChunk = false, metadata } = wire;
  const artifact = readArtifact(words, wire.artifact);
  return { kind: 'artifact', taskId, contextId, artifact, append, lastChunk, metadata };
}

function readWrapped(words: Words, wire: Wire): StreamEvent {
  if (Object.keys(wire).length !== 1) throw new Error(`Not one member: ${JSON.stringify(wire)}`);
  const { task, message, statusUpdate, artifactUpdate } = wire;
  if (task) return { kind: 'task', task: readTask(words, task) };
  if (message) return { kind: 'message', message: readMessage(words, message) };
  return statusUpdate ? readStatusUpdate(words, statusUpdate) : readArtifactUpdate(words, artifactUpdate);
}

function readBare(words: Words, wire: Wire): StreamEvent {
  switch (wire.kind) {
    case 'task':
      return { kind: 'task', task: readTask(words, wire) };
    case 'message':
      return { kind: 'message', message: readMessage(words, wire) };
    case 'status-update':
      return readStatusUpdate(words, wire);
    case 'artifact-update':
      return readArtifactUpdate(words, wire);
    default:
      throw new Error(`No event: ${JSON.stringify(wire)}`);
  }
}

/** `wrapped`: answers and events stand under the name of what they are. */
export function formOf(words: Words, { wrapped }: { readonly wrapped: boolean }): Form {
  const readEvent = (wire: Wire) => (wrapped ? readWrapped(words, wire) : readBare(words, wire));
  return {
    encodeSend(sending) {
      const { atOnce, historyLength } = sending;
      const silent = atOnce === undefined && historyLength === undefined;
      const configuration = silent ? undefined : words.configuration(sending);
      return { message: encodeMessage(words, sending), configuration };
    },
    readAnswer(wire) {
      const event = readEvent(wire);
      if (event.kind === 'task') return event.task;
      if (event.kind === 'message') return event.message;
      throw new Error(`No answer to a send: ${JSON.stringify(wire)}`);
    },
    readTask: (wire) => readTask(words, wire),
    readEvent,
  };
}

export type { Words };
