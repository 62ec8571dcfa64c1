import { A2AError, isA2AError } from '../../model/errors/errors.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { Message, StreamEvent, Task } from '../../model/task.ts';
import { isFinal, isNotStreamable, mayBeIdle, mayPass, wasNeverSent, wasNotAccepted } from '../call/failures.ts';
import { delayBefore, isSettledWithin, sleep } from '../call/timing.ts';
import { HELD_MS, LONGEST_WAIT_MS, SLOW_OPENING_MS } from '../pace.ts';
import type { TaskCollector } from './collect.ts';
import { readCompared } from './compared.ts';
import { readPolled } from './polled.ts';
import { readPositioned } from './positioned.ts';
import { Reception } from './reception.ts';
import type { Batch, Received, ResumingOptions, StreamSource } from './stream-source.ts';

/**
 * The events of one task, over as many connections as it takes (design, "Resuming a stream").
 *
 * Where the server has the extension, a new connection goes on after the last event. Elsewhere nothing says what was
 * missed, and servers in use lose or repeat events around the snapshot with which a subscription begins. There the client
 * looks at the task and makes events of what the reader lacks; live events only say when to look, until a look shows
 * that they go on exactly where the last one ended.
 */
export class ResumingStream {
  readonly collector: TaskCollector;
  readonly #reception: Reception;
  readonly #source: StreamSource;
  readonly #options: ResumingOptions;
  #connections = 0;
  /** The connection at hand subscribes; where the server refuses that, the client polls. */
  #isSubscribing = false;
  /** When the server began to respond, if it did. */
  #openedAt: number | undefined;

  constructor(source: StreamSource, options: ResumingOptions) {
    this.#reception = new Reception(source, options);
    this.collector = this.#reception.collector;
    this.#source = source;
    this.#options = options;
  }

  get taskId(): string | undefined {
    return this.#reception.taskId;
  }

  /** The position of the last event, where the server has positions. */
  get lastEventId(): string | undefined {
    return this.#reception.lastEventId;
  }

  /** The task or message at the end; asked for where the events alone do not make it. */
  async whole(): Promise<Task | Message | undefined> {
    const { received } = this.collector;
    return this.#reception.isPartial && received ? this.#source.getTask(this.#id) : received;
  }

  /** The events that the reader lacks of a task that is over, whatever the stream still brings. Ends the stream. */
  settle(task: Task): readonly StreamEvent[] {
    this.#reception.isEnded = true;
    return [...this.#reception.adopt(task)];
  }

  async *events(): AsyncGenerator<StreamEvent, void, void> {
    const { signal } = this.#options;
    const reception = this.#reception;
    for (let attempt = 1; ; attempt += 1) {
      const { count } = reception;
      let failure: A2AError;
      try {
        signal.throwIfAborted();
        this.#openedAt = undefined;
        for (let polls = false, isDone = false; !isDone; ) {
          try {
            const batches = polls ? this.#polled() : await this.#connect();
            for await (const batch of batches) for (const event of batch) yield event;
            isDone = true;
          } catch (error) {
            if (polls || !this.#isSubscribing) throw error;
            await this.#requirePolling(error);
            polls = true;
          }
        }
        if (reception.isOver(false)) return;
        failure = new A2AError('UNREACHABLE', 'The stream ended before the task did');
      } catch (error) {
        signal.throwIfAborted();
        if (reception.isOver(true)) return;
        failure = this.#failureOf(error);
      }
      if (reception.count > count || this.#hasHeld) attempt = 1;
      await this.#pauseBefore(attempt, failure);
    }
  }

  /** Opens the next connection, in the way that fits the server and what was received. */
  async #connect(): Promise<AsyncIterable<Batch> | readonly Batch[]> {
    const { send, isPolled, resumes } = this.#source;
    this.#connections += 1;
    this.#isSubscribing = false;
    // An answer has a task from the start; one to which nothing came back is sent again under its key, as a first message is.
    if (send && (this.taskId === undefined || this.#isFirst || (resumes && !this.#reception.count))) {
      const stream = this.#opened(await send());
      return isPolled ? this.#sentAndPolled(stream) : readPositioned(stream, this.#reception, this.#isFirst);
    }
    if (isPolled) return this.#polled();
    if (resumes && send && this.#reception.showsQuestion) {
      const task = await this.#source.getTask(this.#id);
      // On disk, a question has the message before it only where that message has been answered.
      if (isInterrupted(task.status.state)) return [this.#reception.adopt(task, undefined, true)];
    }
    this.#isSubscribing = true;
    return this.#subscribe();
  }

  async #subscribe(): Promise<AsyncIterable<Batch>> {
    const { resumes, subscribe } = this.#source;
    const { lastEventId } = this.#reception;
    const isPositioned = resumes && (lastEventId !== undefined || this.#isFirst);
    const opening = subscribe(this.#id, isPositioned ? lastEventId : undefined);
    if (isPositioned) return readPositioned(this.#opened(await opening), this.#reception, this.#isFirst);
    opening.catch(() => {});
    const isPrompt = resumes || (await isSettledWithin(this.#options.timing, SLOW_OPENING_MS, opening));
    return isPrompt ? this.#compared(this.#opened(await opening)) : this.#subscribedSlowly(opening);
  }

  /**
   * Servers in use (the Go SDK's of 0.3) do not respond before something happens: the reader gets the task as it is until
   * then.
   */
  async *#subscribedSlowly(opening: Promise<Received>): AsyncGenerator<Batch, void, void> {
    const task = await this.#source.getTask(this.#id).catch(() => undefined);
    if (task && !isTerminal(task.status.state)) yield this.#reception.adopt(task);
    yield* this.#compared(this.#opened(await opening));
  }

  /** A server without streams responds to the send with the task, which may go on. */
  async *#sentAndPolled(stream: Received): AsyncGenerator<Batch, void, void> {
    yield* readPositioned(stream, this.#reception, this.#isFirst);
    if (this.taskId !== undefined && !this.#reception.isOver(false)) yield* this.#polled();
  }

  #compared(stream: Received): AsyncGenerator<Batch, void, void> {
    return readCompared(stream, this.#reception, { ...this.#options, taskId: this.#id, isFirst: this.#isFirst });
  }

  #polled(): AsyncGenerator<Batch, void, void> {
    return readPolled(this.#reception, { ...this.#options, taskId: this.#id });
  }

  get #id(): string {
    return this.taskId ?? '';
  }

  #opened(stream: Received): Received {
    this.#openedAt = this.#options.timing.now();
    return stream;
  }

  get #isFirst(): boolean {
    return this.#connections === 1;
  }

  get #hasHeld(): boolean {
    return this.#openedAt !== undefined && this.#options.timing.now() - this.#openedAt >= HELD_MS;
  }

  /** Throws the error unless it says that the task is over or not streamed, so that polling helps. 0.3 may say so in the stream. */
  async #requirePolling(error: unknown): Promise<void> {
    if (!isA2AError(error)) throw error;
    const isIdle = mayBeIdle(error);
    const isUnfollowed = this.#isFirst && !this.#options.known;
    const isSilent = error.code === 'TIMEOUT' && this.#wasNeverOpened;
    if (!isIdle && !isSilent && (!isNotStreamable(error) || isUnfollowed)) throw error;
    if (isIdle) await this.#checkIdle(error, isUnfollowed);
  }

  /** Throws where the task does not exist after all, and where it is over and was not followed. */
  async #checkIdle(refusal: A2AError, isUnfollowed: boolean): Promise<void> {
    const task = await this.#source.getTask(this.#id).catch(() => undefined);
    this.#options.signal.throwIfAborted();
    if (!task) throw refusal;
    if (!isUnfollowed || !isTerminal(task.status.state)) return;
    const text = `The task is already ${task.status.state}: get it instead`;
    throw new A2AError('UNSUPPORTED_OPERATION', text, { cause: refusal, task, httpStatus: refusal.httpStatus });
  }

  /**
   * The server has the task and does not begin to respond to its subscription. One that resumes streams responds at once,
   * so there the connection is bad; and one that fell silent in the middle of its stream is connected to again.
   */
  get #wasNeverOpened(): boolean {
    return !this.#source.resumes && this.#openedAt === undefined && this.collector.task !== undefined;
  }

  /** The failure that ended a connection. Throws what no other connection can mend. */
  #failureOf(error: unknown): A2AError {
    // Anything else comes out of an interceptor or another function of the user.
    if (!isA2AError(error)) throw error;
    // Some dialects tell the end of a task as an error.
    if (error.code === 'TASK_NOT_COMPLETED') throw error;
    // An error in the stream may be an event of the task, which would come again: the task is compared instead.
    if (this.#openedAt !== undefined && !mayPass(error)) this.#reception.lastEventId = undefined;
    return error;
  }

  /** Waits until the next connection is due; throws if there is none. */
  async #pauseBefore(attempt: number, failure: A2AError): Promise<void> {
    const { settings, timing, signal, onReconnect } = this.#options;
    if (!this.#mayGoOn(failure)) throw this.#lost((await this.#missingTask(failure)) ?? failure);
    if (attempt > settings.attempts) throw this.#lost(failure);
    const asked = Math.min(failure.retryAfter ?? 0, Math.max(settings.longestDelay, LONGEST_WAIT_MS));
    const delay = Math.max(asked, delayBefore(attempt, settings, timing.random));
    onReconnect?.({ taskId: this.taskId, attempt, delay, error: failure, resumes: this.#source.resumes });
    await sleep(timing, delay, signal);
  }

  #mayGoOn(failure: A2AError): boolean {
    if (this.taskId !== undefined && (this.collector.task || !this.#source.send)) {
      return this.collector.task ? !isFinal(failure) : mayPass(failure);
    }
    if (wasNeverSent(failure) || wasNotAccepted(failure)) return true;
    return this.#source.resumes && (mayPass(failure) || failure.code === 'INVALID_RESPONSE');
  }

  /** Finds out whether the message was for a task that does not exist: Python's server of 0.3 over HTTP+JSON then cuts the stream. */
  async #missingTask(failure: A2AError): Promise<A2AError | undefined> {
    const id = this.#source.message?.taskId;
    if (id === undefined || this.collector.task || failure.code !== 'UNREACHABLE') return undefined;
    const response = await this.#source.getTask(id).catch((error: unknown) => error);
    this.#options.signal.throwIfAborted();
    return isA2AError(response) && response.code === 'TASK_NOT_FOUND' ? response : undefined;
  }

  #lost(failure: A2AError): A2AError {
    const { task, received } = this.collector;
    const mayHaveArrived = this.#source.send && failure.code === 'UNREACHABLE' && !wasNeverSent(failure);
    if (!task && !mayHaveArrived) return failure;
    const text = task
      ? `The stream of task ${task.id} was lost and could not be resumed: ${failure.message}`
      : 'The connection was lost before an answer; the message may have arrived';
    return new A2AError('STREAM_INTERRUPTED', text, { cause: failure, received, task });
  }
}
