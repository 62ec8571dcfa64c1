import { A2AError } from '../../model/errors/errors.ts';
import { withoutGap } from '../../model/extensions/resume.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { StreamEvent, Task } from '../../model/task.ts';
import { TaskCollector } from './collect.ts';
import { completeEvent, isPartialTask, taskBefore, withoutNote } from './completed-events.ts';
import { missingEvents } from './snapshot-diff.ts';
import type { ResumingOptions, StreamSource } from './stream-source.ts';

/** The state of a stream's reader: all it has received over all connections, and whether that is all. */
export class Reception {
  readonly source: StreamSource;
  readonly collector: TaskCollector;
  /** The position that the next connection begins after; undefined where only a comparison tells. */
  lastEventId: string | undefined;
  /** The server said that its stream ends, or the task was settled elsewhere. */
  isEnded = false;
  /** The last frame was one of several that only together have a position, such as the first ones of a snapshot. */
  isAmidst = false;
  /** The events began after a position that the user set, so that they alone do not make the task. */
  isPartial: boolean;
  /** The number of events passed on. */
  count = 0;
  readonly #options: ResumingOptions;
  /** A status has come since the message was sent: the first Task may be older than that. */
  #hasStatus = false;

  constructor(source: StreamSource, options: ResumingOptions) {
    this.source = source;
    this.#options = options;
    this.collector = new TaskCollector({ joinText: source.resumes });
    this.lastEventId = source.resumes ? options.lastEventId : undefined;
    this.isPartial = options.lastEventId !== undefined;
    if (options.known) this.collector.apply({ kind: 'task', task: options.known });
  }

  get taskId(): string | undefined {
    return this.collector.taskId ?? this.#options.taskId;
  }

  /** Passes an event on to the reader, with what its stream leaves out. A stream is of one task, and nothing follows its end. */
  *pass(received: StreamEvent, size = 0): Generator<StreamEvent, void, void> {
    const { collector, source } = this;
    const { lastEventId, timing, taskBytes } = this.#options;
    const event = completeEvent(received, source, collector);
    const id = 'taskId' in event ? event.taskId : event.kind === 'task' ? event.task.id : this.taskId;
    if (this.#isOther(id)) return;
    // Updates after a position that the user set have no task before them.
    if ('taskId' in event && !collector.taskId && lastEventId === undefined)
      yield* this.pass({ kind: 'task', task: taskBefore(event, source, timing.now()) });
    if (event.kind === 'status') this.#hasStatus = true;
    if (received.kind === 'task') this.isPartial = isPartialTask(received.task, source);
    collector.apply(withoutNote(event), size);
    if (collector.size > taskBytes)
      throw new A2AError('PAYLOAD_TOO_LARGE', `The task is larger than the ${taskBytes} bytes that are allowed`);
    this.count += 1;
    yield event;
  }

  /**
   * Brings the reader to a task: passes on the events it lacks. `position` is the task's; the one before is void. `isAnswer`:
   * it shows how a repeated send ended, so that the question in it is newer than the message.
   */
  *adopt(shown: Task, position?: string, isAnswer = false): Generator<StreamEvent, void, void> {
    this.isAmidst = false;
    if (this.source.resumes) this.lastEventId = position;
    if (this.#isOther(shown.id)) throw new A2AError('INVALID_RESPONSE', 'The response is another task');
    // The server's note of a gap is dealt with here and is no part of the task.
    const task = withoutGap(shown);
    for (const event of missingEvents(this.collector.task, task, this.source.message)) yield* this.pass(event);
    // History and metadata as the server has them: events cannot carry them.
    this.collector.apply({ kind: 'task', task });
    this.isPartial = false;
    this.#hasStatus ||= isAnswer;
  }

  #isOther(taskId: string | undefined): boolean {
    return this.taskId !== undefined && taskId !== this.taskId;
  }

  /**
   * All that came is a task that asks something, and nothing tells whether before or after the message: the first Task
   * of a send shows the question that is answered, but a send that is repeated may join a turn that has ended.
   */
  get showsQuestion(): boolean {
    const { state } = this.collector;
    const isAnswer = this.source.message?.taskId !== undefined;
    return isAnswer && !this.#hasStatus && state !== undefined && isInterrupted(state);
  }

  /** True if nothing can follow, whatever the server says. */
  get isFinal(): boolean {
    const { state, message } = this.collector;
    return message !== undefined || (!this.isAmidst && state !== undefined && isTerminal(state));
  }

  /** Tells whether no more events will come; `isBroken`: the connection was lost rather than closed. */
  isOver(isBroken: boolean): boolean {
    const { state } = this.collector;
    if (this.isEnded || this.isFinal) return true;
    if (this.isAmidst || state === undefined) return false;
    // An agent that cannot tell and closes the stream has no more to say; a lost connection is another matter.
    if (state === 'unknown') return !isBroken;
    if (!isInterrupted(state) || this.showsQuestion) return false;
    // A subscription goes on after a question, and an authorization may come without anybody's message. A server that
    // resumes streams closes them earlier only because it stops, or because they have lasted for as long as they may.
    return !(isBroken || this.source.resumes) || (this.source.send !== undefined && state === 'input-required');
  }
}
