import { amended } from '../../model/artifacts.ts';
import { isTerminal } from '../../model/states.ts';
import type { Artifact, ArtifactUpdate, Message, Part, StatusUpdate, StreamEvent, Task } from '../../model/task.ts';

type TaskHead = Omit<Task, 'artifacts' | 'history'>;

export interface CollectOptions {
  /**
   * Joins appended plain text to the plain text part before it. The protocol does not say whether to: Parley's servers
   * join streamed text, so that `getTask` shows one part; others keep a part for each chunk.
   */
  readonly joinText?: boolean | undefined;
}

/**
 * The fold of a stream's events to a task, as the protocol has it (reference: v1-operations §5): `append` extends an
 * artifact and begins it if it is not there, without `append` it is replaced, and a Task replaces everything. A status
 * message enters the history when the next status replaces it, and the metadata of updates is added to the task's.
 * Applying a chunk costs the same however long the task is.
 */
export class TaskCollector {
  readonly #joinText: boolean;
  #head: TaskHead | undefined;
  #artifacts = new Map<string, { attributes: Omit<Artifact, 'parts'>; parts: Part[]; size: number }>();
  #history: Message[] = [];
  /** The ids of the history. */
  #said = new Set<string>();
  /** About how much the task holds, in characters, as far as the sizes of events tell. */
  size = 0;
  /** The size of the last event. */
  lastSize = 0;
  #message: Message | undefined;
  #snapshot: Task | undefined;

  constructor({ joinText = false }: CollectOptions = {}) {
    this.#joinText = joinText;
  }

  get joinsText(): boolean {
    return this.#joinText;
  }

  /** A bare Message that was the answer. */
  get message(): Message | undefined {
    return this.#message;
  }

  /** The task or message so far. */
  get received(): Task | Message | undefined {
    return this.task ?? this.#message;
  }

  /** The task as it is now; undefined while no event was of one. Cheap to ask for again until the next event. */
  get task(): Task | undefined {
    if (!this.#head) return undefined;
    this.#snapshot ??= {
      ...this.#head,
      artifacts: [...this.#artifacts.values()].map(({ attributes, parts }) => ({ ...attributes, parts: [...parts] })),
      history: [...this.#history],
    };
    return this.#snapshot;
  }

  get taskId(): string | undefined {
    return this.#head?.id;
  }

  get contextId(): string | undefined {
    return this.#head?.contextId;
  }

  get state(): Task['status']['state'] | undefined {
    return this.#head?.status.state;
  }

  /** Adds an event; `size` is that of its frame, in characters. */
  apply(event: StreamEvent, size = 0): void {
    this.#snapshot = undefined;
    this.lastSize = size;
    switch (event.kind) {
      case 'task':
        this.#replace(event.task);
        this.size = size;
        return;
      case 'message':
        this.#message = event.message;
        return;
      case 'status':
        this.#applyStatus(event);
        if (event.status.message || event.metadata) this.size += size;
        return;
      case 'artifact':
        this.#applyArtifact(event, size);
        return;
    }
  }

  #replace({ artifacts, history, ...head }: Task): void {
    this.#head = head;
    this.#history = [...history];
    this.#said = new Set(history.map(({ messageId }) => messageId));
    this.#artifacts = new Map(
      artifacts.map(({ parts, ...attributes }) => [attributes.artifactId, { attributes, parts: [...parts], size: 0 }]),
    );
  }

  #applyStatus({ taskId, contextId, status, metadata }: StatusUpdate): void {
    const head = withMetadata(this.#headOf(taskId, contextId), metadata);
    // A terminal state is final (reference: v1-operations §12); peers that say something else afterwards are wrong.
    if (isTerminal(head.status.state) && !isTerminal(status.state)) return;
    const said = head.status.message;
    if (said && !this.#said.has(said.messageId)) {
      this.#said.add(said.messageId);
      this.#history.push(said);
    }
    this.#head = { ...head, status };
  }

  #applyArtifact({ taskId, contextId, artifact, append, lastChunk, metadata }: ArtifactUpdate, size: number): void {
    this.#head = withMetadata(this.#headOf(taskId, contextId), metadata);
    const { parts, ...attributes } = artifact;
    const known = this.#artifacts.get(artifact.artifactId);
    this.size += size;
    if (!append || !known) {
      // Metadata stays with the task.
      if (!metadata) this.size -= known?.size ?? 0;
      // Setting a known key keeps its place: the order of first chunks is the order of artifacts.
      this.#artifacts.set(artifact.artifactId, { attributes, parts: [...parts], size });
      return;
    }
    known.size += size;
    known.attributes = amended(known.attributes, attributes);
    if (this.#joinText && lastChunk && parts.length === 1 && isEmptyText(parts[0])) return;
    let rest = parts;
    const [first] = parts;
    const last = known.parts.at(-1);
    if (this.#joinText && isPlainText(first) && isPlainText(last)) {
      known.parts[known.parts.length - 1] = { ...last, text: last.text + first.text };
      rest = parts.slice(1);
    }
    // A spread of as many as an event can hold would not fit on the stack.
    for (const part of rest) known.parts.push(part);
  }

  /** Streams of 0.3 may begin with an update (reference: mapping §6). */
  #headOf(id: string, contextId: string): TaskHead {
    const head = this.#head ?? { id, contextId, status: { state: 'submitted', timestamp: new Date(0).toISOString() } };
    // Frames of JAF tell the context only with an answer.
    return head.contextId === '' && contextId !== '' ? { ...head, contextId } : head;
  }
}

/** Servers in use add the metadata of updates to that of the task, member by member. */
function withMetadata(head: TaskHead, metadata: Task['metadata']): TaskHead {
  return metadata ? { ...head, metadata: { ...head.metadata, ...metadata } } : head;
}

/** A member of streams that know, once an event has come, whether their server joins text. */
export const JOINS_TEXT = Symbol.for('parley.joinsText');

/**
 * The growing task: yields it after every event. An artifact's text is put together as its server does it where that is
 * known (a `TaskStream`); else each appended part stays a part of its own, as the protocol says. A bare Message answer
 * makes no task, so nothing is yielded for it.
 *
 * @example
 * for await (const task of collect(agent.sendMessageStream('Analyze sales'))) show(textOf(task));
 */
export async function* collect(stream: AsyncIterable<StreamEvent>, options: CollectOptions = {}): AsyncGenerator<Task> {
  let collector: TaskCollector | undefined;
  for await (const event of stream) {
    collector ??= new TaskCollector({ joinText: options.joinText ?? joinsText(stream) });
    collector.apply(event);
    const { task } = collector;
    if (task && event.kind !== 'message') yield task;
  }
}

function joinsText(stream: object): boolean {
  return JOINS_TEXT in stream && stream[JOINS_TEXT] === true;
}

/** A text part without anything beside its text. */
export function isPlainText(part: Part | undefined): part is Part & { readonly kind: 'text' } {
  return part?.kind === 'text' && !part.mediaType && !part.filename && !part.metadata;
}

function isEmptyText(part: Part | undefined): boolean {
  return isPlainText(part) && part.text === '';
}
