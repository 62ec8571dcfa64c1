import type { AgentCall } from '../../agent/calls.ts';
import { TaskStream, type TaskStreamEvent, type TaskStreamOptions } from '../../client/stream/task-stream.ts';
import type { Message, Task } from '../../model/task.ts';

export interface StartedCallOptions extends TaskStreamOptions {
  /** Called when the call has been sent, or has failed, and the agent uses the stream: it hears of the rest itself. */
  readonly onWatched: (call: StartedCall) => void;
}

/**
 * A call of another agent. It is sent when it is made; its events are read when they are asked for, so that a slow reader
 * slows the child's stream and nothing piles up. Awaiting it reads to the end of the child's turn.
 */
export class StartedCall extends TaskStream implements AgentCall<never> {
  /** Resolves when the call has been sent or has failed; never rejects. */
  readonly sent: Promise<void>;
  /** Why the call could not be sent. */
  failure: { readonly error: unknown } | undefined;
  readonly #onWatched: (call: StartedCall) => void;
  #isSent = false;
  #isWatched = false;

  constructor({ open, onWatched, ...options }: StartedCallOptions) {
    const sent = Promise.withResolvers<void>();
    super({
      ...options,
      open: async (signal) => {
        try {
          return await open(signal);
        } catch (error) {
          this.failure = { error };
          throw error;
        } finally {
          this.#isSent = true;
          if (this.#isWatched) onWatched(this);
          sent.resolve();
        }
      },
    });
    this.sent = sent.promise;
    this.#onWatched = onWatched;
    // Asking for the id opens the stream, and its promise may be left alone.
    void super.id;
  }

  override get id(): string | Promise<string> {
    this.#watch();
    return super.id;
  }

  override get result(): Promise<Task | Message> {
    this.#watch();
    return super.result;
  }

  override get task(): Promise<Task> {
    this.#watch();
    return super.task;
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited for the task that it comes to
  then<Fulfilled = Task | Message, Rejected = never>(
    onFulfilled?: ((result: Task | Message) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.result.then(onFulfilled, onRejected);
  }

  override [Symbol.asyncIterator](): AsyncIterableIterator<TaskStreamEvent, undefined> {
    this.#watch();
    return super[Symbol.asyncIterator]();
  }

  /** Lets go of the connection of a call that nobody watches. The child goes on. */
  leave(): void {
    void super[Symbol.asyncIterator]().return?.();
  }

  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    if (this.#isSent) this.#onWatched(this);
  }
}
