import type { Message, Task } from '../../model/task.ts';
import type { Content } from '../message/content.ts';
import type { CallOptions, SendOptions } from '../options.ts';
import type { EventSource } from '../stream/task-stream.ts';
import type { InputHandlers } from './inputs.ts';

/** The options of a stream at work have its signal. */
export interface Opened {
  readonly signal: AbortSignal;
}

/** The result of one send; `waits`: it was to come when the agent's turn has ended. */
export interface SentOnce {
  readonly result: Task | Message;
  readonly waits: boolean;
}

/** The client as answers need it: it sends and follows without answering. */
export interface AnsweringHost {
  sendOnce(content: Content, options: SendOptions): Promise<SentOnce>;
  /** Sends; what happens then. `known`: the task, as the reader has seen it. */
  sendStream(content: Content, options: SendOptions & Opened, known?: Task): Promise<EventSource>;
  /** The events of a task that is known already. */
  follow(options: CallOptions & Opened, place: { readonly taskId: string; readonly known: Task }): EventSource;
  getTask(id: string, options: CallOptions): Promise<Task>;
}

/** Answers the questions of one send or subscription. */
export interface Answerer {
  /** Sends, and answers for as long as the agent asks; the task at the end. */
  send(host: AnsweringHost, content: Content, options: SendOptions): Promise<Task | Message>;
  /** Sends; the stream with its questions answered as they come. */
  stream(host: AnsweringHost, content: Content, options: SendOptions & Opened): Promise<EventSource>;
  /** The subscription with the questions of its task answered as they come. */
  subscription(host: AnsweringHost, first: EventSource, options: CallOptions & Opened): EventSource;
}

/** Makes what answers questions by the handlers of a client and of one of its calls; undefined if there are none. */
export type Answering = (
  client: InputHandlers & { readonly signal?: AbortSignal | undefined },
  call: InputHandlers,
) => Answerer | undefined;
