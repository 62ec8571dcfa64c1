import {
  type Artifact,
  isTerminal,
  type Message,
  type StreamEvent,
  type Task,
  type TaskStatus,
} from 'parley-a2a/client';
import { ArtifactContent } from './artifact-content.ts';
import { Frames } from './frames.ts';

/** What stands in a conversation, in the order in which it came. */
export type Item =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'artifact'; readonly content: ArtifactContent };

export type Activity =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'streaming' }
  | { readonly kind: 'reconnecting'; readonly attempt: number }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void };

/**
 * One exchange with an agent as the page shows it: the messages, the artifacts as they grow, and how the task stands. Events
 * are applied as they come, each for the cost of its own size; the page hears of it once for each frame.
 */
export class TaskView {
  readonly frames = new Frames();
  readonly #messages = new Map<string, Message>();
  readonly #artifacts = new Map<string, ArtifactContent>();
  #items: readonly Item[] = [];
  #activity: Activity = { kind: 'idle' };
  #status: TaskStatus | undefined;
  id: string | undefined;
  contextId: string | undefined;

  get items(): readonly Item[] {
    return this.#items;
  }

  get status(): TaskStatus | undefined {
    return this.#status;
  }

  get activity(): Activity {
    return this.#activity;
  }

  set activity(activity: Activity) {
    this.#activity = activity;
    this.frames.touch();
  }

  /** Open: it has not ended and does not wait for its caller. */
  get isWorking(): boolean {
    const { kind } = this.#activity;
    return !this.isEnded && (kind === 'sending' || kind === 'streaming' || kind === 'reconnecting');
  }

  /** It waits for its caller. Streams of tasks that wait for an authorization stay open meanwhile. */
  get isAsking(): boolean {
    if (this.id === undefined || this.isEnded) return false;
    return !this.isWorking || this.#status?.state === 'auth-required';
  }

  get isEnded(): boolean {
    return this.#status !== undefined && isTerminal(this.#status.state);
  }

  /** A message of the person: what the agent asked stands before it. */
  addAnswer(message: Message): void {
    const asked = this.#status?.message;
    if (asked !== undefined && this.isAsking) this.addMessage(asked);
    this.addMessage(message);
  }

  addMessage(message: Message): void {
    if (this.#messages.has(message.messageId)) return;
    this.#messages.set(message.messageId, message);
    this.#items = [...this.#items, { kind: 'message', message }];
    this.frames.touch();
  }

  apply(event: StreamEvent): void {
    switch (event.kind) {
      case 'task':
        this.applyTask(event.task);
        break;
      case 'message':
        this.contextId ??= event.message.contextId;
        this.addMessage(event.message);
        break;
      case 'status':
        this.id ??= event.taskId;
        this.contextId ??= event.contextId;
        this.#setStatus(event.status);
        break;
      case 'artifact':
        this.#contentOf(event.artifact).take(event.artifact, event.append, event.lastChunk);
        break;
    }
    this.frames.touch();
  }

  /** The whole task: what is new in it is added, and what differs is put right. */
  applyTask(task: Task): void {
    this.id = task.id;
    this.contextId = task.contextId;
    for (const message of task.history) this.addMessage(message);
    for (const artifact of task.artifacts) this.#contentOf(artifact).become(artifact);
    this.#setStatus(task.status);
  }

  #contentOf(artifact: Artifact): ArtifactContent {
    const known = this.#artifacts.get(artifact.artifactId);
    if (known !== undefined) return known;
    const content = new ArtifactContent(artifact.artifactId);
    this.#artifacts.set(artifact.artifactId, content);
    this.#items = [...this.#items, { kind: 'artifact', content }];
    return content;
  }

  /** A message of a status becomes part of the conversation when the next status comes; until then the status shows it. */
  #setStatus(status: TaskStatus): void {
    const before = this.#status?.message;
    if (before !== undefined && before.messageId !== status.message?.messageId) this.addMessage(before);
    this.#status = status;
    if (isTerminal(status.state)) {
      for (const content of this.#artifacts.values()) content.finish();
      if (status.message !== undefined) this.addMessage(status.message);
    }
    this.frames.touch();
  }
}
