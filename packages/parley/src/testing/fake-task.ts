import { TaskCollector } from '../client/stream/collect.ts';
import type { Clock } from '../engine/ports.ts';
import { isoTime } from '../model/basics/timestamps.ts';
import { A2AError } from '../model/errors/errors.ts';
import { isTerminal } from '../model/states.ts';
import type { Message, Part, StreamEvent, Task } from '../model/task.ts';
import type { FakeStep } from './fake-script.ts';

/** A frame of a connection: an event with its position, or the end of the connection. */
type FakeFrame =
  | { readonly seq: number; readonly event: StreamEvent }
  | { readonly seq: number; readonly error: Error }
  | { readonly seq: number; readonly close: true };

const ARTIFACT = 'artifact';

/** A task of a fake agent: what it has done so far, and who waits for more. */
export class FakeTask {
  readonly id: string;
  readonly contextId: string;
  readonly frames: FakeFrame[] = [];
  readonly #clock: Clock;
  readonly #collector = new TaskCollector({ joinText: true });
  readonly #waiting = new Set<() => void>();
  #playing = 0;
  #isCanceled = false;

  constructor(id: string, contextId: string, clock: Clock) {
    this.id = id;
    this.contextId = contextId;
    this.#clock = clock;
  }

  get task(): Task {
    const { task } = this.#collector;
    if (!task) throw new Error('The task has not begun');
    return task;
  }

  get isPlaying(): boolean {
    return this.#playing > 0;
  }

  get isOver(): boolean {
    return isTerminal(this.task.status.state);
  }

  /** Shows the task with a message of the caller in it. */
  receive(message: Message): void {
    const known = this.#collector.task;
    const said = { ...message, taskId: this.id, contextId: this.contextId };
    const history = known ? [...known.history, ...(known.status.message ? [known.status.message] : []), said] : [said];
    const status = { state: 'submitted', timestamp: this.#time() } as const;
    this.show({ kind: 'task', task: { ...(known ?? this.#empty()), status, history } });
  }

  show(event: StreamEvent): void {
    this.#collector.apply(event);
    this.#add({ seq: this.frames.length + 1, event });
  }

  async play(steps: readonly FakeStep[]): Promise<void> {
    this.#playing += 1;
    try {
      for (const step of steps) {
        if (this.#isCanceled) return;
        await this.#do(step);
      }
    } finally {
      this.#playing -= 1;
      this.#wake();
    }
  }

  cancel(): Task {
    if (this.isOver) throw new A2AError('TASK_NOT_CANCELABLE', 'The task has ended');
    this.#isCanceled = true;
    this.#status({ state: 'canceled' });
    return this.task;
  }

  /** Calls back once, when there is more. */
  whenMore(callback: () => void): void {
    this.#waiting.add(callback);
  }

  async #do(step: FakeStep): Promise<void> {
    if (typeof step === 'string') this.#write({ kind: 'text', text: step });
    else if (step instanceof Error) this.#add({ seq: this.frames.length, error: step });
    else if ('close' in step) this.#add({ seq: this.frames.length, close: true });
    else if ('wait' in step) await this.#pause(step.wait);
    else if ('state' in step) this.#status(step);
    else if (isPart(step)) this.#write(step);
    else this.show(step);
  }

  #write(part: Part): void {
    const append = this.task.artifacts.some(({ artifactId }) => artifactId === ARTIFACT);
    const { id: taskId, contextId } = this;
    const artifact = { artifactId: ARTIFACT, parts: [part] };
    this.show({ kind: 'artifact', taskId, contextId, artifact, append, lastChunk: false });
  }

  #status({ state, message: text }: Extract<FakeStep, { readonly state: unknown }>): void {
    const { id: taskId, contextId } = this;
    const messageId = `${taskId}-${this.frames.length}`;
    const parts: readonly Part[] = [{ kind: 'text', text: text ?? '' }];
    const message: Message | undefined =
      text === undefined ? undefined : { messageId, role: 'agent', parts, taskId, contextId };
    this.show({ kind: 'status', taskId, contextId, status: { state, message, timestamp: this.#time() } });
  }

  async #pause(wait: number | PromiseLike<unknown>): Promise<void> {
    if (typeof wait !== 'number') await wait;
    else await new Promise<void>((resolve) => void this.#clock.after(wait, resolve));
  }

  #empty(): Task {
    const status = { state: 'submitted', timestamp: this.#time() } as const;
    return { id: this.id, contextId: this.contextId, status, artifacts: [], history: [] };
  }

  #time(): string {
    return isoTime(this.#clock.now());
  }

  #add(frame: FakeFrame): void {
    this.frames.push(frame);
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const callback of waiting) callback();
  }
}

function isPart(step: Part | StreamEvent): step is Part {
  return step.kind === 'text' || step.kind === 'bytes' || step.kind === 'link' || step.kind === 'data';
}
