import { isTerminal } from '../../model/states.ts';
import type { StreamEvent, Task } from '../../model/task.ts';
import { abortable } from '../call/signals.ts';
import type { MessageInput } from '../message/content.ts';
import { MOST_ANSWERS } from '../pace.ts';
import { TaskCollector } from '../stream/collect.ts';
import { missingEvents } from '../stream/snapshot-diff.ts';
import type { EventSource } from '../stream/task-stream.ts';
import type { PreparedAnswer } from './input-answers.ts';
import { Secrets } from './secrets.ts';

/** The client as a stream that answers needs it. */
export interface StreamHost {
  /** A subscription goes on after a question; the stream of a send ends with it. */
  readonly isSubscription: boolean;
  readonly signal: AbortSignal;
  newId(): string;
  /** Sends the answer; what happens then. */
  follow(task: Task, message: MessageInput): Promise<EventSource>;
  /** Sends the answer, without waiting for what happens. */
  tell(task: Task, message: MessageInput): Promise<void>;
  subscribe(task: Task): Promise<EventSource>;
  getTask(id: string): Promise<Task>;
}

/** A stream in which questions are answered as they come; its reader sees one stream. */
export class AnsweringStream implements EventSource {
  readonly collector: TaskCollector;
  readonly #first: EventSource;
  readonly #host: StreamHost;
  readonly #secrets = new Secrets();
  /** The ids of questions' messages, each with that of its answer. */
  readonly #answered = new Map<string, string>();

  readonly #answer: (task: Task) => Promise<PreparedAnswer | undefined>;

  constructor(first: EventSource, host: StreamHost, answer: (task: Task) => Promise<PreparedAnswer | undefined>) {
    this.#answer = answer;
    this.collector = new TaskCollector({ joinText: first.collector.joinsText });
    this.#first = first;
    this.#host = host;
  }

  get taskId(): string | undefined {
    return this.collector.taskId ?? this.#first.taskId;
  }

  settle(task: Task): readonly StreamEvent[] {
    return [...this.#adopt(this.#inOrder(this.#secrets.task(task)))];
  }

  async *events(): AsyncGenerator<StreamEvent, void, void> {
    try {
      let source: EventSource | undefined = this.#first;
      while (source) {
        yield* this.#pass(source);
        source = this.#host.isSubscription ? yield* this.#rejoined() : await this.#continued();
      }
    } catch (error) {
      throw this.#secrets.error(error);
    }
  }

  async *#pass(source: EventSource): AsyncGenerator<StreamEvent, void, void> {
    for await (const event of source.events()) {
      const shown = this.#secrets.event(event);
      if (shown.kind === 'task' && this.collector.task) yield* this.#adopt(shown.task);
      else yield* this.#show(shown, source.collector.lastSize);
      if (this.#host.isSubscription && asks(event)) await this.#answerLive();
    }
    // Its history and metadata: events cannot carry them.
    const { task } = source.collector;
    if (task) this.collector.apply({ kind: 'task', task: this.#inOrder(this.#secrets.task(task)) });
  }

  *#show(event: StreamEvent, size?: number): Generator<StreamEvent, void, void> {
    this.collector.apply(event, size);
    yield event;
  }

  *#adopt(task: Task): Generator<StreamEvent, void, void> {
    for (const event of missingEvents(this.collector.task, task)) yield* this.#show(event);
    this.collector.apply({ kind: 'task', task });
  }

  /** A status message is put into the history by the next status, and so after its answer. */
  #inOrder(task: Task): Task {
    const history = [...task.history];
    for (const [question, answer] of this.#answered) {
      const from = history.findIndex(({ messageId }) => messageId === answer);
      const to = history.findIndex(({ messageId }) => messageId === question);
      if (from >= 0 && from < to) history.splice(to, 0, ...history.splice(from, 1));
    }
    return { ...task, history };
  }

  /** The stream that begins with the answer, where the last one ended with a question that has one. */
  async #continued(): Promise<EventSource | undefined> {
    const { task } = this.collector;
    const message = task && (await this.#answerFor(task));
    return task && message && this.#host.follow(task, message);
  }

  /** Answers a question if the task still waits with it, which the client asks first: the event may be an old one. */
  async #answerLive(): Promise<void> {
    const { task: seen } = this.collector;
    const task = seen && (await this.#host.getTask(seen.id));
    if (!task || questionId(task) !== questionId(seen) || this.#answered.has(questionId(task))) return;
    const message = await this.#answerFor(task);
    if (message) await this.#host.tell(task, message);
  }

  /** 0.3 ends subscriptions with a question as well. */
  async *#rejoined(): AsyncGenerator<StreamEvent, EventSource | undefined, void> {
    const { task: seen } = this.collector;
    if (!seen || this.#answered.size === 0 || isTerminal(seen.status.state)) return undefined;
    const task = this.#secrets.task(await this.#host.getTask(seen.id));
    yield* this.#adopt(task);
    if (isTerminal(task.status.state)) return undefined;
    if (task.status.state === 'input-required') await this.#answerLive();
    if (task.status.state === 'input-required' && !this.#answered.has(questionId(task))) return undefined;
    return this.#host.subscribe(task);
  }

  async #answerFor(task: Task): Promise<MessageInput | undefined> {
    if (task.status.state !== 'input-required' || this.#answered.size >= MOST_ANSWERS) return undefined;
    const answer = await abortable(this.#answer(task), this.#host.signal);
    this.#host.signal.throwIfAborted();
    if (!answer) return undefined;
    const messageId = answer.message.messageId ?? this.#host.newId();
    this.#answered.set(questionId(task), messageId);
    if (answer.isSensitive) this.#secrets.add(messageId);
    return { ...answer.message, messageId };
  }
}

function asks(event: StreamEvent): boolean {
  const status = event.kind === 'task' ? event.task.status : event.kind === 'status' ? event.status : undefined;
  return status?.state === 'input-required';
}

function questionId({ status }: Task): string {
  return status.message?.messageId ?? status.timestamp;
}
