import { A2AError } from '../../model/errors.ts';
import { isTerminal } from '../../model/states.ts';
import type { Message, StreamEvent, Task } from '../../model/task.ts';
import { JOINS_TEXT, type TaskCollector } from './collect.ts';
import { GivenTexts } from './given-texts.ts';

/**
 * An event as a reader gets it. `text` is the text that is new with it: of artifacts, or of an answer in one message. Written
 * one after the other, these texts are the answer, also where chunks come again because a run was taken up after a crash.
 */
export type TaskStreamEvent = StreamEvent & { readonly text: string };

interface Link {
  event?: StreamEvent;
  next?: Link;
}

/** The source of a stream: its events, and the task or message so far. */
export interface EventSource {
  readonly taskId: string | undefined;
  readonly received: Task | Message | undefined;
  readonly collector: Pick<TaskCollector, 'task' | 'message' | 'joinsText'>;
  /** The position of the last event, where there are positions. */
  readonly lastEventId?: string | undefined;
  /** The task or message at the end, where the events alone do not make it. */
  whole?(): Promise<Task | Message | undefined>;
  /** Takes a task that is over as the end, and returns the events that bring the reader there. */
  settle?(task: Task): readonly StreamEvent[];
  events(): AsyncGenerator<StreamEvent, void, void>;
}

export interface TaskStreamOptions {
  /** Makes the stream; called once, when somebody wants something of it. */
  readonly open: (signal: AbortSignal) => Promise<EventSource>;
  readonly cancelTask: (id: string) => Promise<Task>;
  /** The task's id, where it is known before. */
  readonly taskId?: string | undefined;
}

/**
 * The events of a task as they happen. Nothing is sent until the stream is read or one of its promises is asked for.
 *
 * Read the stream in the form you need: events, `textStream` for the text alone, `task` or `result` for the end. Several of
 * them may be used at once: a reader that comes late begins with the task as it is by then. When the last reader leaves
 * and nobody waits for the end, the connection is closed; the task itself goes on.
 */
export class TaskStream implements AsyncIterableIterator<TaskStreamEvent, undefined> {
  readonly #options: TaskStreamOptions;
  readonly #abort = new AbortController();
  #stream: EventSource | undefined;
  #events: AsyncGenerator<StreamEvent, void, void> | undefined;
  /** The place of the next event; held from the beginning until somebody reads. */
  #tail: Link = {};
  #head: Link | undefined = this.#tail;
  #pull: Promise<boolean> | undefined;
  #outcome: { readonly error?: unknown } | undefined;
  /** The task as its cancellation left it, which is where the stream ends. */
  #settled: Task | undefined;
  #readers = 0;
  #waiting = 0;
  #iterator: AsyncIterableIterator<TaskStreamEvent, undefined> | undefined;
  #result: Promise<Task | Message> | undefined;
  #task: Promise<Task> | undefined;

  constructor(options: TaskStreamOptions) {
    this.#options = options;
  }

  /** The task's id; a promise until it is known, which rejects where the agent answers without a task. */
  get id(): string | Promise<string> {
    const known = this.#options.taskId ?? this.#stream?.taskId;
    return known ?? quiet(this.#findId());
  }

  /** The position of the last event that was read, where the server has positions: for `subscribe` in another process. */
  get lastEventId(): string | undefined {
    return this.#stream?.lastEventId;
  }

  /** The end of the stream: the task as its events make it when the turn has ended, or the message that was replied. */
  get result(): Promise<Task | Message> {
    this.#result ??= quiet(this.#toEnd());
    return this.#result;
  }

  /** The task when the turn has ended. Rejects where the agent answers with a message alone. */
  get task(): Promise<Task> {
    this.#task ??= quiet(this.#toTask());
    return this.#task;
  }

  /** The text of artifacts, or of an answer in one message, as it comes: the `text` of each event that has some. */
  get textStream(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#texts() };
  }

  /** For `collect`. */
  get [JOINS_TEXT](): boolean {
    return this.#stream?.collector.joinsText ?? false;
  }

  /** Asks the agent to stop the task. Where it has, that is the stream's end too: some servers leave theirs open. */
  async cancel(): Promise<Task> {
    const task = await this.#options.cancelTask(await this.id);
    if (isTerminal(task.status.state)) this.#settle(task);
    return task;
  }

  /** The next event, for those who read without a loop. */
  next(): Promise<IteratorResult<TaskStreamEvent, undefined>> {
    this.#iterator ??= this[Symbol.asyncIterator]();
    return this.#iterator.next();
  }

  /** Leaves the stream that was read by `next`. */
  async return(): Promise<IteratorResult<TaskStreamEvent, undefined>> {
    await this.#iterator?.return?.();
    return ENDED;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<TaskStreamEvent, undefined> {
    const texts = new GivenTexts();
    let link: Link | undefined = this.#enter();
    const leave = () => {
      if (!link) return;
      link = undefined;
      this.#leave();
    };
    const iterator: AsyncIterableIterator<TaskStreamEvent, undefined> = {
      next: async () => {
        if (!link) return ENDED;
        try {
          while (link && !link.next) {
            if (!(await this.#advance())) {
              leave();
              return ENDED;
            }
          }
        } catch (error) {
          // Who has left is not told of what became of the rest.
          if (!link) return ENDED;
          leave();
          throw error;
        }
        const event = link?.event;
        link = link?.next;
        return event ? { done: false, value: { ...event, text: texts.newIn(event) } } : ENDED;
      },
      return: async () => {
        leave();
        return ENDED;
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /** The first reader gets everything from the beginning; later ones what is there by then, in one event. */
  #enter(): Link {
    this.#readers += 1;
    const head = this.#head;
    this.#head = undefined;
    if (head) return head;
    const received = this.#stream?.received;
    if (!received) return this.#tail;
    const event: StreamEvent =
      'status' in received ? { kind: 'task', task: received } : { kind: 'message', message: received };
    return { event, next: this.#tail };
  }

  #leave(): void {
    this.#readers -= 1;
    if (this.#readers === 0 && this.#waiting === 0) this.#close();
  }

  #close(): void {
    if (this.#outcome) return;
    const problem = new A2AError('STREAM_INTERRUPTED', 'The stream was left before its end', {
      received: this.#stream?.received,
      task: this.#stream?.collector.task,
    });
    this.#outcome = { error: problem };
    this.#abort.abort(problem);
    this.#events?.return().catch(() => {});
  }

  #settle(task: Task): void {
    const known = this.#stream?.collector.task;
    if (!this.#stream?.settle || this.#outcome || this.#settled) return;
    if (known?.id !== task.id || isTerminal(known.status.state)) return;
    this.#settled = task;
    this.#abort.abort(new A2AError('STREAM_INTERRUPTED', 'The task was canceled'));
    // An event that is on its way comes first.
    if (!this.#pull) this.#end(task);
  }

  /** Ends the stream with a task that is over, and lets go of the connection. */
  #end(task: Task): void {
    for (const event of this.#stream?.settle?.(task) ?? []) this.#append(event);
    this.#outcome ??= {};
    this.#events?.return().catch(() => {});
  }

  #append(event: StreamEvent): void {
    const next: Link = {};
    this.#tail.event = event;
    this.#tail.next = next;
    this.#tail = next;
  }

  /** Brings the next event for all; false at the end. Those who wait for one wait for the same. */
  #advance(): Promise<boolean> {
    if (this.#outcome) {
      return 'error' in this.#outcome ? Promise.reject(this.#outcome.error) : Promise.resolve(false);
    }
    this.#pull ??= this.#next().finally(() => {
      this.#pull = undefined;
    });
    return this.#pull;
  }

  async #next(): Promise<boolean> {
    try {
      if (!this.#events) {
        this.#stream = await this.#options.open(this.#abort.signal);
        this.#events = this.#stream.events();
      }
      const step = await this.#events.next();
      if (!step.done) this.#append(step.value);
      if (this.#settled) this.#end(this.#settled);
      else if (step.done) this.#outcome ??= {};
      return !step.done || this.#settled !== undefined;
    } catch (error) {
      if (this.#settled && !this.#outcome) {
        this.#end(this.#settled);
        return true;
      }
      this.#outcome ??= { error };
      throw error;
    }
  }

  /** Reads on until the end. Readers that are slower find what came meanwhile. */
  async #toEnd(): Promise<Task | Message> {
    this.#waiting += 1;
    try {
      while (await this.#advance());
    } finally {
      this.#waiting -= 1;
    }
    const received = this.#stream?.whole ? await this.#stream.whole() : this.#stream?.received;
    if (!received) throw new A2AError('INVALID_RESPONSE', 'The agent ended the stream without an answer');
    return received;
  }

  async #toTask(): Promise<Task> {
    const result = await this.result;
    if ('status' in result) return result;
    throw new A2AError('INVALID_RESPONSE', 'The agent answered with a message and made no task: see result', {
      received: result,
    });
  }

  async #findId(): Promise<string> {
    while (this.#stream?.taskId === undefined && (await this.#advance())) {
      if (this.#stream?.collector.message) break;
    }
    const id = this.#stream?.taskId;
    if (id === undefined) throw new A2AError('INVALID_RESPONSE', 'The agent answered without a task');
    return id;
  }

  async *#texts(): AsyncGenerator<string, void, void> {
    for await (const { text } of this) if (text !== '') yield text;
  }
}

/** The same promise; nobody has to look at it. */
const ENDED = { done: true, value: undefined } as const;

function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
