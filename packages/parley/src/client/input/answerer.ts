import type { Message, Task } from '../../model/task.ts';
import type { MessageInput } from '../message/content.ts';
import type { SendOptions } from '../options.ts';
import type { EventSource } from '../stream/task-stream.ts';
import type { InputHandlers } from './inputs.ts';

/** The client as a stream that answers needs it. */
export interface AnsweringHost {
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

/** Answers the questions of one send or subscription. */
export interface Answerer {
  /** The options of a send that says which tools there are. */
  declaring(options: SendOptions): SendOptions;
  /** The options of a send that answers: those of the first one, without what was for that one alone. */
  followingUp(options: SendOptions, task: Task): SendOptions;
  /** Answers for as long as the agent asks; the task at the end. */
  answered(
    first: Task | Message,
    signal: AbortSignal,
    send: (task: Task, message: MessageInput & { readonly messageId: string }) => Promise<Task | Message>,
    newId: () => string,
  ): Promise<Task | Message>;
  /** The stream with its questions answered as they come. */
  stream(first: EventSource, host: AnsweringHost): EventSource;
}

/** Makes what answers questions by the handlers of a client and of one of its calls; undefined where there are none. */
export type Answering = (client: InputHandlers, call: InputHandlers) => Answerer | undefined;
