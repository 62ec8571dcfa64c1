import type { EventBatch, EventStream, Position } from '../../bindings/event-stream.ts';
import type { LogRecord } from '../../engine/log/events.ts';
import type { Subscription } from '../../engine/read/subscription.ts';
import { type ResumeGap, withGap } from '../../model/extensions/resume.ts';
import type { Artifact, StreamEvent, Task } from '../../model/task.ts';
import { streamEventOf } from './stream-events.ts';
import type { AgentTransform } from './transforms.ts';

interface TaskEventsOptions {
  readonly subscription: Subscription;
  /** Changes what readers see; the work for an event is shared by its readers. */
  readonly transform: AgentTransform | undefined;
  /** See EventStream. */
  readonly form?: string | undefined;
  readonly after?: Position | undefined;
  /** Why the stream begins with the task although its reader asked for a position: noted on that task. */
  readonly gap?: ResumeGap | undefined;
}

/** A subscription as its reader may see it. */
export class TaskEvents implements EventStream {
  readonly after: Position | undefined;
  readonly form: string | undefined;
  readonly #subscription: Subscription;
  readonly #transform: AgentTransform | undefined;
  readonly #gap: ResumeGap | undefined;

  constructor({ subscription, transform, form, after, gap }: TaskEventsOptions) {
    this.after = after;
    this.form = form;
    this.#subscription = subscription;
    this.#transform = transform;
    this.#gap = gap;
  }

  get isShared(): boolean {
    return this.#subscription.isShared;
  }

  get isOver(): boolean {
    return this.#subscription.isOver;
  }

  get isComplete(): boolean {
    return this.#subscription.isComplete;
  }

  poll(): EventBatch | undefined {
    const batch = this.#subscription.poll();
    if (!batch?.snapshot || (!this.#transform && !this.#gap)) return batch;
    const { task, seq } = batch.snapshot;
    return { snapshot: { task: this.#taskShown(task, seq), seq }, events: batch.events };
  }

  whenReady(callback: () => void): void {
    this.#subscription.whenReady(callback);
  }

  close(): void {
    this.#subscription.close();
  }

  eventOf({ event }: LogRecord): StreamEvent | undefined {
    const { taskId, contextId } = this.#subscription;
    const streamed = streamEventOf(event, taskId, contextId);
    return streamed && this.#shown(streamed, event.seq);
  }

  /** A transform may change every chunk in its own way. */
  textChunkOf({ event }: LogRecord): Artifact | undefined {
    if (event.kind !== 'artifact' || this.#transform) return undefined;
    return event.continues && !event.lastChunk && !event.metadata ? event.artifact : undefined;
  }

  /** Transforms keep the kind of an event and never leave out a task. */
  #taskShown(task: Task, seq: number): Task {
    const shown = this.#shown({ kind: 'task', task }, seq);
    const visible = shown?.kind === 'task' ? shown.task : task;
    return this.#gap ? withGap(visible, this.#gap) : visible;
  }

  #shown(event: StreamEvent, seq: number): StreamEvent | undefined {
    const { taskId, contextId } = this.#subscription;
    return this.#transform ? this.#transform(event, { taskId, contextId, seq }) : event;
  }
}
