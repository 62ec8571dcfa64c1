import { ENDED } from '../../bindings/caller.ts';
import { leavable } from '../../model/basics/leavable.ts';
import { A2AError } from '../../model/errors/errors.ts';
import { isTerminal } from '../../model/states.ts';
import type { Message, StreamEvent, Task } from '../../model/task.ts';
import { type Linked, linked } from '../call/signals.ts';
import { LEAST_SIZE } from '../pace.ts';
import { JOINS_TEXT, type TaskCollector } from './collect.ts';
import { GivenTexts } from './given-texts.ts';
import { LARGEST_AHEAD } from './tap.ts';

/**
 * An event as a reader gets it. `text` is the text that is new with it: of artifacts, or of an answer in one message. Written
 * one after the other, these texts are the answer, also where chunks come again because a run was taken up after a crash.
 */
export type TaskStreamEvent = StreamEvent & { readonly text: string };

interface Link {
  event?: StreamEvent;
  next?: Link;
  /** About how much the event holds. */
  size?: number;
}

/** The place of a reader. */
interface Place {
  /** The next event; undefined where the reader begins with the task as it is, because it came late or fell behind. */
  link?: Link | undefined;
  /** The size of the events that wait for the reader. */
  held: number;
  /** Nobody may read further ahead of the reader for the sake of the end alone. */
  paces?: boolean;
}

/** The source of a stream. */
export interface EventSource {
  readonly taskId: string | undefined;
  /** The task or message so far. */
  readonly collector: Pick<TaskCollector, 'task' | 'message' | 'received' | 'joinsText' | 'lastSize'>;
  /** The position of the last event, where there are positions. */
  readonly lastEventId?: string | undefined;
  /** The task or message at the end, where the events alone do not make it. */
  whole?(): Promise<Task | Message | undefined>;
  /** Takes a task that is over as the end, and returns the events that bring the reader there. */
  settle?(task: Task): readonly StreamEvent[];
  events(): AsyncGenerator<StreamEvent, void, void>;
}

export interface TaskStreamOptions {
  /** Makes the stream; called once, at the first use. */
  readonly open: (signal: AbortSignal) => Promise<EventSource>;
  readonly cancelTask: (id: string) => Promise<Task>;
  /** The task's id, where it is known before. */
  readonly taskId?: string | undefined;
  /** Each of them ends the stream at once. */
  readonly signals?: readonly (AbortSignal | undefined)[] | undefined;
}

/**
 * The events of a task as they happen. Nothing is sent until the stream is read or one of its promises is asked for.
 *
 * Read the stream in the form you need: events, `textStream` for the text alone, `task` or `result` for the end. Several of
 * them may be used at once: a reader that comes late, or falls far behind another, begins with the task as it is by then.
 * Waiting for the end does not hurry those who read. When the last reader leaves and nobody waits for the end, the
 * connection is closed; the task itself goes on.
 */
export class TaskStream implements AsyncIterableIterator<TaskStreamEvent, undefined> {
  readonly #options: TaskStreamOptions;
  /** Ends the connection; follows the user's signals while there is one. */
  #linked: Linked | undefined;
  #stream: EventSource | undefined;
  #events: AsyncGenerator<StreamEvent, void, void> | undefined;
  /** The place of the next event. */
  #tail: Link = {};
  /** The place at the beginning, until the first read. */
  #first: Place | undefined = { link: this.#tail, held: 0 };
  readonly #places = new Set<Place>([this.#first as Place]);
  #pull: Promise<boolean> | undefined;
  #wake: (() => void) | undefined;
  /** False, or the error that ended the stream. */
  #outcome: Promise<false> | undefined;
  /** The task as its cancellation left it, which is where the stream ends. */
  #settled: Task | undefined;
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
    return known ?? leavable(this.#findId());
  }

  /** The position of the last event that was read, where the server has positions: for `subscribe` in another process. */
  get lastEventId(): string | undefined {
    return this.#stream?.lastEventId;
  }

  /** The end of the stream: the task as its events make it when the turn has ended, or the message that was replied. */
  get result(): Promise<Task | Message> {
    // A reader that waits for the end itself is not waited for, until it reads on.
    for (const place of this.#places) place.paces = false;
    this.#wake?.();
    this.#result ??= leavable(this.#toEnd());
    return this.#result;
  }

  /** The task when the turn has ended. Rejects where the agent answers with a message alone. */
  get task(): Promise<Task> {
    const { result } = this;
    this.#task ??= leavable(toTask(result));
    return this.#task;
  }

  /** The text of artifacts, or of an answer in one message, as it comes: the `text` of each event that has some. */
  get textStream(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#texts() };
  }

  /** For `collect`. */
  get [JOINS_TEXT](): boolean {
    return this.#collector?.joinsText ?? false;
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
    return this.#iterator?.return?.() ?? ENDED;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<TaskStreamEvent, undefined> {
    const texts = new GivenTexts();
    const place = this.#first ?? { held: 0 };
    this.#first = undefined;
    this.#places.add(place);
    const leave = () => {
      if (this.#places.delete(place)) this.#leave();
    };
    const iterator: AsyncIterableIterator<TaskStreamEvent, undefined> = {
      next: async () => {
        try {
          for (;;) {
            if (!this.#places.has(place)) return ENDED;
            for (const signal of this.#options.signals ?? []) signal?.throwIfAborted();
            const event = this.#take(place);
            if (event) return { done: false, value: { ...event, text: texts.newIn(event) } };
            if (!(await this.#advance())) {
              leave();
              return ENDED;
            }
          }
        } catch (error) {
          // A reader that has left is not told of later errors.
          if (!this.#places.has(place)) return ENDED;
          leave();
          throw error;
        }
      },
      return: async () => {
        leave();
        return ENDED;
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /** The next event of a reader, if it is there. The reader sets the pace from now on. */
  #take(place: Place): StreamEvent | undefined {
    const { link } = place;
    place.paces = true;
    if (link) {
      if (!link.next) return undefined;
      place.link = link.next;
      place.held -= link.size ?? 0;
    } else {
      place.link = this.#tail;
      place.held = 0;
    }
    this.#wake?.();
    if (link) return link.event;
    const received = this.#collector?.received;
    return received && eventOf(received);
  }

  get #collector(): EventSource['collector'] | undefined {
    return this.#stream?.collector;
  }

  #leave(): void {
    if (this.#places.size + this.#waiting === 0) this.#close();
    this.#wake?.();
  }

  #close(): void {
    if (this.#outcome) return;
    const problem = new A2AError('STREAM_INTERRUPTED', 'The stream was left before its end', {
      received: this.#collector?.received,
      task: this.#collector?.task,
    });
    this.#finish(Promise.reject(problem));
    this.#linked?.abort(problem);
  }

  #settle(task: Task): void {
    const known = this.#collector?.task;
    if (!this.#stream?.settle || this.#outcome || this.#settled) return;
    if (known?.id !== task.id || isTerminal(known.status.state)) return;
    this.#settled = task;
    this.#linked?.abort();
    // An event that is on its way comes first.
    if (!this.#pull) this.#end(task);
  }

  /** Ends the stream with a task that is over, and lets go of the connection. */
  #end(task: Task): void {
    for (const event of this.#stream?.settle?.(task) ?? []) this.#append(event);
    this.#finish();
  }

  #finish(outcome = Promise.resolve<false>(false)): void {
    outcome.catch(() => {});
    this.#outcome ??= outcome;
    this.#linked?.release();
    this.#events?.return().catch(() => {});
    this.#wake?.();
  }

  #append(event: StreamEvent): void {
    const next: Link = {};
    const size = LEAST_SIZE + (this.#collector?.lastSize ?? 0);
    Object.assign(this.#tail, { event, next, size });
    this.#tail = next;
    for (const place of this.#places) {
      if (place.held >= LARGEST_AHEAD) place.link = undefined;
      place.held += size;
    }
  }

  /** Brings the next event for all; false at the end. Those who wait for one wait for the same. */
  #advance(): Promise<boolean> {
    if (this.#outcome) return this.#outcome;
    this.#pull ??= this.#next().finally(() => {
      this.#pull = undefined;
    });
    return this.#pull;
  }

  async #next(): Promise<boolean> {
    try {
      if (!this.#events) {
        this.#linked = linked(...(this.#options.signals ?? []));
        this.#linked.signal.addEventListener('abort', () => this.#wake?.());
        this.#stream = await this.#options.open(this.#linked.signal);
        this.#events = this.#stream.events();
      }
      const step = await this.#events.next();
      if (!step.done) this.#append(step.value);
      if (this.#settled) this.#end(this.#settled);
      else if (step.done) this.#finish();
      return !step.done || this.#settled !== undefined;
    } catch (error) {
      if (this.#settled && !this.#outcome) {
        this.#end(this.#settled);
        return true;
      }
      this.#finish(Promise.reject(error));
      throw error;
    }
  }

  /** Reads on until the end, and so far ahead of those who read that they find something, but no further. */
  async #toEnd(): Promise<Task | Message> {
    this.#waiting += 1;
    try {
      do while (this.#isHeld) await this.#change();
      while (await this.#advance());
    } finally {
      this.#waiting -= 1;
    }
    const received = this.#stream?.whole ? await this.#stream.whole() : this.#collector?.received;
    if (!received) throw new A2AError('INVALID_RESPONSE', 'The agent ended the stream without a response');
    return received;
  }

  get #isHeld(): boolean {
    if (this.#outcome || this.#linked?.signal.aborted) return false;
    for (const { paces, held } of this.#places) if (paces && held >= LARGEST_AHEAD) return true;
    return false;
  }

  /** Resolves when a reader has taken something or left, and when the stream ends. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #findId(): Promise<string> {
    while (this.#stream?.taskId === undefined && (await this.#advance())) {
      if (this.#collector?.message) break;
    }
    const id = this.#stream?.taskId;
    if (id === undefined) throw new A2AError('INVALID_RESPONSE', 'The agent responded without a task');
    return id;
  }

  async *#texts(): AsyncGenerator<string, void, void> {
    for await (const { text } of this) if (text !== '') yield text;
  }
}

/** All that was received, in one event. */
export function eventOf(received: Task | Message): StreamEvent {
  return 'status' in received ? { kind: 'task', task: received } : { kind: 'message', message: received };
}

async function toTask(end: Promise<Task | Message>): Promise<Task> {
  const result = await end;
  if ('status' in result) return result;
  throw new A2AError('INVALID_RESPONSE', 'The agent responded without a task: see result', {
    received: result,
  });
}
