import type { Message, Task } from '../../model/task.ts';
import type { MessageContent, Outcome } from '../outcomes.ts';
import type { TaskContext } from '../task-context.ts';
import { ExecutorBus } from './bus.ts';
import { type Published, publishedOf } from './published.ts';
import { requestContext } from './request.ts';
import { TurnOutput } from './turn-output.ts';
import type { ExecutorLike, ExecutorSdk } from './types.ts';

/**
 * One turn of an executor. What it publishes is read at once and written in its order, as fast as the task's log takes
 * it. The turn is over with the status or message that ends it, with `finished()`, or when `execute` returns; executors
 * for 0.3 may return before they are done.
 */
export class ExecutorTurn {
  readonly #executor: ExecutorLike;
  readonly #task: TaskContext;
  readonly #sdk: ExecutorSdk;
  readonly #bus = new ExecutorBus({ publish: (event) => this.#publish(event), finished: () => this.#close() });
  readonly #output: TurnOutput;
  /** Events that are published and not yet written. */
  #waiting: Published[] = [];
  /** Messages that came too late for this turn, and must not be lost to the next. */
  readonly #late: Message[] = [];
  #running = 0;
  /** The number of calls of `execute` about to begin. */
  #preparing = 0;
  #isClosed = false;
  #failure: { readonly error: unknown } | undefined;
  #wake = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  #stopping: Promise<boolean> | undefined;
  #hasWarned = false;

  constructor(executor: ExecutorLike, task: TaskContext, sdk: ExecutorSdk) {
    this.#executor = executor;
    this.#task = task;
    this.#sdk = sdk;
    this.#output = new TurnOutput(task);
  }

  async run(): Promise<Outcome> {
    const task = this.#task;
    task.onCancel(() => this.#cancel());
    task.signal.addEventListener('abort', () => void this.#stop(), { once: true });
    const earlier = task.history.length > 0 ? await task.snapshot() : undefined;
    if (earlier) this.#output.knows(earlier);
    const before = earlier && { ...earlier, status: task.previousStatus ?? earlier.status, history: task.history };
    this.#begin(task.message, () => before);
    this.#takeMessages().catch((error: unknown) => this.#failed(error));
    try {
      for (;;) {
        await this.#drain();
        const next = this.#late.shift();
        const state = next && (await this.#output.goOn());
        if (!state) break;
        this.#isClosed = false;
        const asking = await task.snapshot();
        this.#begin(next, () => asking && { ...asking, status: { ...asking.status, state } });
      }
      return this.#output.outcome();
    } finally {
      this.#isClosed = true;
      this.#over.resolve();
    }
  }

  /** As with the official server, a message to a task that is at work is another call of `execute`, beside the first. */
  async #takeMessages(): Promise<void> {
    for await (const message of this.#task.messages()) this.#begin(message, () => this.#task.snapshot());
  }

  #begin(message: Message, earlier: () => Promise<Task | undefined> | Task | undefined): void {
    this.#running += 1;
    this.#preparing += 1;
    this.#execute(message, earlier)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running -= 1;
        this.#wake.resolve();
      });
  }

  async #execute(message: Message, earlier: () => Promise<Task | undefined> | Task | undefined): Promise<void> {
    let context: unknown;
    try {
      context = await this.#contextOf(message, await earlier());
    } finally {
      this.#preparing -= 1;
    }
    if (this.#isClosed) this.#late.push(message);
    else if (this.#task.signal.aborted) this.#close();
    else await this.#executor.execute(context as never, this.#bus as never);
  }

  #contextOf(message: Message, earlier: Task | undefined): Promise<unknown> {
    const said = earlier?.history.filter(({ messageId }) => messageId !== message.messageId) ?? [];
    const before = earlier && { ...earlier, history: [...said, message] };
    return requestContext(this.#task, message, before, this.#sdk);
  }

  #failed(error: unknown): void {
    if (this.#isClosed) this.#task.warn('An executor failed after its task had ended', { error });
    else this.#failure ??= { error };
    this.#close();
  }

  #publish(event: unknown): void {
    if (this.#isClosed) {
      this.#drop(event);
      return;
    }
    try {
      const published = publishedOf(event);
      this.#waiting.push(published);
      if (published.kind === 'message' || (published.kind === 'status' && published.isLast)) this.#close();
    } catch (error) {
      this.#failed(error);
    }
    this.#wake.resolve();
  }

  /** Once for each turn: an executor that streams on would fill the log. */
  #drop(event: unknown): void {
    if (this.#hasWarned || this.#task.signal.aborted) return;
    this.#hasWarned = true;
    const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
    this.#task.warn('An executor published after its turn had ended; that and all that follows is dropped', { kind });
  }

  #close(): void {
    this.#isClosed = true;
    this.#wake.resolve();
  }

  async #drain(): Promise<void> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#wake = Promise.withResolvers();
      for (const published of batch) await this.#output.write(published);
      if (this.#waiting.length > 0) continue;
      if (this.#isOver) break;
      await this.#wake.promise;
    }
    if (this.#failure) throw this.#failure.error;
  }

  get #isOver(): boolean {
    if (this.#preparing > 0) return false;
    return this.#isClosed || (this.#running === 0 && this.#sdk !== '0.3');
  }

  /** Tells the executor to stop; false if it cannot. */
  #stop(): Promise<boolean> {
    this.#stopping ??= this.#cancelTask();
    return this.#stopping;
  }

  async #cancelTask(): Promise<boolean> {
    try {
      await this.#executor.cancelTask?.(this.#task.id, this.#bus as never);
      return this.#executor.cancelTask !== undefined;
    } catch (error) {
      this.#task.warn('An executor could not cancel its task', { error });
      return false;
    }
  }

  /** The task is canceled anyway, and soon: what the executor says about it in time is kept. */
  async #cancel(): Promise<MessageContent | undefined> {
    if (await this.#stop()) await this.#over.promise;
    return this.#output.cancelMessage;
  }
}
