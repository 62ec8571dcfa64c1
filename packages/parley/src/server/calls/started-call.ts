import type { AgentCall } from '../../agent/calls.ts';
import { TaskStream, type TaskStreamEvent, type TaskStreamOptions } from '../../client/stream/task-stream.ts';
import { isA2AError } from '../../model/errors/errors.ts';
import { isTerminal } from '../../model/states.ts';
import type { Message, Task } from '../../model/task.ts';

export interface StartedCallOptions extends TaskStreamOptions {
  /** Called when the call has been sent, or has failed, and the agent uses the stream: it hears of the rest itself. */
  readonly onWatched: (call: StartedCall) => void;
  /** Follows the call once more, to its end: for an agent that has left its stream and wants the end all the same. */
  readonly followAgain: () => Promise<Task | Message>;
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
  /** The agent awaits the call or reads it. Whoever asks for its id alone hears of no failure. */
  isWatched = false;
  readonly #onWatched: (call: StartedCall) => void;
  readonly #followAgain: () => Promise<Task | Message>;
  #isSent = false;
  #end: Promise<Task | Message> | undefined;

  constructor({ open, onWatched, followAgain, ...options }: StartedCallOptions) {
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
          if (this.isWatched) onWatched(this);
          sent.resolve();
        }
      },
    });
    this.sent = sent.promise;
    this.#onWatched = onWatched;
    this.#followAgain = followAgain;
    // Asking for the id opens the stream, and its promise may be left alone.
    void this.id;
  }

  override get result(): Promise<Task | Message> {
    this.#watch();
    if (!this.#end) {
      this.#end = super.result.catch((error: unknown) => this.#afterLeaving(error));
      this.#end.catch(() => {});
    }
    return this.#end;
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

  /** The events for a reader that is not the agent. Leaving them lets go of the connection; the child goes on. */
  unwatchedEvents(): AsyncIterableIterator<TaskStreamEvent, undefined> {
    return super[Symbol.asyncIterator]();
  }

  #watch(): void {
    if (this.isWatched) return;
    this.isWatched = true;
    if (this.#isSent) this.#onWatched(this);
  }

  /** The end of a call whose stream was left before it. A stream that was lost names its cause. */
  async #afterLeaving(error: unknown): Promise<Task | Message> {
    if (!isA2AError(error) || error.code !== 'STREAM_INTERRUPTED' || error.cause !== undefined) throw error;
    const { received } = error;
    const isWhole = received && (!('status' in received) || isTerminal(received.status.state));
    return isWhole ? received : this.#followAgain();
  }
}
