import type { ReceivedEvent } from '../../bindings/caller.ts';
import { A2AError } from '../../model/errors.ts';
import { withoutGap } from '../../model/extensions/resume.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { Message, StreamEvent, Task } from '../../model/task.ts';
import { isFinal, isNotStreamable, mayBeIdle, mayPass, wasNeverSent, wasNotAccepted } from '../call/failures.ts';
import { delayBefore, isSettledWithin, sleep, type Timing } from '../call/timing.ts';
import type { ReconnectInfo, ReconnectSettings } from '../options.ts';
import { TaskCollector } from './collect.ts';
import { hasSameArtifacts, hasSameStatus, missingEvents } from './snapshot-diff.ts';
import { Tap } from './tap.ts';

export type Received = AsyncIterableIterator<ReceivedEvent>;

/** What a stream is read from. Each function makes one request. */
export interface StreamSource {
  /** Whether the server has the resume extension: ids of events are positions, and a send can be repeated. */
  readonly resumes: boolean;
  /** Whether a subscription begins with the task as it is (1.0), or need not (0.3). */
  readonly beginsWithTask: boolean;
  /** Whether streams begin with ids and status of the task alone. */
  readonly beginsWithHead?: boolean | undefined;
  /** The server has no streams: the task is asked for now and then from the beginning. */
  readonly isPolled?: boolean | undefined;
  /** Undefined for a subscription. */
  readonly send: (() => Promise<Received>) | undefined;
  /** The message that is sent. */
  readonly message: Message | undefined;
  readonly subscribe: (taskId: string, lastEventId: string | undefined) => Promise<Received>;
  readonly getTask: (taskId: string) => Promise<Task>;
}

export interface ResumingOptions {
  readonly settings: ReconnectSettings;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  readonly onReconnect: ((info: ReconnectInfo) => void) | undefined;
  /** Called once when nothing more is wanted of it. */
  readonly onEnd?: (() => void) | undefined;
  /** The task to subscribe to, and the position behind which the stream is to begin. */
  readonly taskId?: string | undefined;
  readonly lastEventId?: string | undefined;
  /** The task as the reader has it already. */
  readonly known?: Task | undefined;
}

/** A connection that held for so long was a good one: what ended it does not count against the attempts. */
const HELD_MS = 5_000;
/** A server may ask for as much patience as this. */
const LONGEST_WAIT_MS = 60_000;
/** A subscription that is not answered after so long may wait for the task's next event. */
const SLOW_OPENING_MS = 1_000;
/** The pauses between looks at a task. */
const LEAST_LOOK_MS = 100;
const LEAST_POLL_MS = 500;
const LONGEST_POLL_MS = 5_000;
/** A state may be unknown for a moment; where it is after so many looks, nobody knows whether the task goes on. */
const MOST_UNKNOWN_LOOKS = 3;
/** Looks take at most about this part of the time. */
const LOOK_SHARE = 4;

/**
 * The events of one task, over as many connections as it takes (design, "Resuming a stream").
 *
 * Where the server has the extension, a new connection goes on behind the last event. Elsewhere nothing says what was
 * missed, and servers in use lose or repeat events around the snapshot with which a subscription begins. There the task
 * is looked at, and what the reader lacks is made into events; live events only say when to look, until a look shows
 * that they go on exactly where the last one ended.
 */
export class ResumingStream {
  readonly collector: TaskCollector;
  readonly #source: StreamSource;
  readonly #options: ResumingOptions;
  #taskId: string | undefined;
  #lastEventId: string | undefined;
  #connections = 0;
  /** Whether a status has come since the message was sent: what the first Task shows may be older than that. */
  #hasStatus = false;
  #isEnded = false;
  /** The last frame was one of several that only together have a position, such as the first ones of a snapshot. */
  #isAmidst = false;
  /** Whether the events began behind a position that the user gave, so that they alone do not make the task. */
  #isPartial: boolean;
  /** When the server began to answer, if it did. */
  #openedAt: number | undefined;
  #news = 0;

  constructor(source: StreamSource, options: ResumingOptions) {
    this.collector = new TaskCollector({ joinText: source.resumes });
    this.#source = source;
    this.#options = options;
    this.#taskId = options.taskId;
    this.#lastEventId = source.resumes ? options.lastEventId : undefined;
    if (options.known) this.collector.apply({ kind: 'task', task: options.known });
    this.#isPartial = options.lastEventId !== undefined;
  }

  get taskId(): string | undefined {
    return this.collector.taskId ?? this.#taskId;
  }

  /** The position of the last event, where the server has positions. */
  get lastEventId(): string | undefined {
    return this.#source.resumes ? this.#lastEventId : undefined;
  }

  /** What has come so far. */
  get received(): Task | Message | undefined {
    return this.collector.task ?? this.collector.message;
  }

  /** What it all came to, once it has ended. */
  async whole(): Promise<Task | Message | undefined> {
    const { taskId, received } = this;
    return this.#isPartial && received && taskId !== undefined ? this.#source.getTask(taskId) : received;
  }

  /** What the reader lacks of a task that is over, whatever the stream still brings. Nothing is read after that. */
  settle(task: Task): readonly StreamEvent[] {
    this.#isEnded = true;
    return [...this.#adopt(task)];
  }

  async *events(): AsyncGenerator<StreamEvent, void, void> {
    try {
      yield* this.#allConnections();
    } finally {
      this.#options.onEnd?.();
    }
  }

  async *#allConnections(): AsyncGenerator<StreamEvent, void, void> {
    const { settings, timing, signal, onReconnect } = this.#options;
    let attempt = 0;
    for (;;) {
      this.#openedAt = undefined;
      const news = this.#news;
      let failure: A2AError;
      try {
        signal.throwIfAborted();
        yield* this.#connection();
        if (this.#isOver(false)) return;
        failure = new A2AError('UNREACHABLE', 'The stream ended before the task did');
      } catch (error) {
        signal.throwIfAborted();
        if (this.#isOver(true)) return;
        // Anything else comes out of an interceptor or another function of the user.
        if (!A2AError.isInstance(error)) throw error;
        failure = error;
        // Some dialects tell the end of a task as an error.
        if (failure.code === 'TASK_NOT_COMPLETED') throw failure;
        // An error in the stream may be an event of the task, which would come again: the task is looked at instead.
        if (this.#openedAt !== undefined && !mayPass(failure)) this.#lastEventId = undefined;
      }
      if (!this.#mayGoOn(failure)) throw this.#lost((await this.#missingTask(failure)) ?? failure);
      if (this.#news > news || timing.now() - (this.#openedAt ?? Number.POSITIVE_INFINITY) >= HELD_MS) attempt = 0;
      attempt += 1;
      if (attempt > settings.attempts) throw this.#lost(failure);
      const asked = Math.min(failure.retryAfter ?? 0, Math.max(settings.maxDelay, LONGEST_WAIT_MS));
      const delay = Math.max(asked, delayBefore(attempt, settings, timing.random));
      onReconnect?.({ taskId: this.taskId, attempt, delay, error: failure, resumes: this.#source.resumes });
      await sleep(timing, delay, signal);
    }
  }

  async *#connection(): AsyncGenerator<StreamEvent, void, void> {
    const { resumes, send } = this.#source;
    const id = this.taskId;
    this.#connections += 1;
    if (id === undefined || (this.#connections === 1 && send)) {
      if (!send) throw new A2AError('INVALID_PARAMS', 'There is no task to subscribe to');
      const stream = await send();
      this.#openedAt = this.#options.timing.now();
      yield* this.#live(stream);
      const begun = this.taskId;
      if (this.#source.isPolled && begun !== undefined && !this.#isOver(false)) yield* this.#poll(begun);
      return;
    }
    if (this.#source.isPolled) {
      yield* this.#poll(id);
      return;
    }
    if (resumes && send && this.#showsQuestion) {
      const task = await this.#source.getTask(id);
      // What is on disk shows a question with the message before it only where the message has been answered.
      if (isInterrupted(task.status.state)) {
        yield* this.#adopt(task);
        this.#hasStatus = true;
        return;
      }
    }
    const isPositioned = resumes && (this.#lastEventId !== undefined || this.#connections === 1);
    try {
      const stream = yield* this.#subscribed(id, isPositioned ? this.#lastEventId : undefined);
      this.#openedAt = this.#options.timing.now();
      yield* isPositioned ? this.#live(stream) : this.#follow(id, stream);
    } catch (error) {
      // The task is over, or the server does not stream it. 0.3 may say so in the stream.
      const isIdle = A2AError.isInstance(error) && mayBeIdle(error);
      const isRefused = A2AError.isInstance(error) && isNotStreamable(error);
      const isFirst = this.#connections === 1 && !this.#options.known;
      const isSilent = A2AError.isInstance(error) && error.code === 'TIMEOUT' && this.#wasNeverOpened;
      if (!isIdle && !isSilent && (!isRefused || isFirst)) throw error;
      if (isIdle) await this.#checkIdle(id, error, isFirst);
      yield* this.#poll(id);
    }
  }

  /**
   * Opens a subscription. Servers in use (the Go SDK's of 0.3) do not begin to answer before something happens, so where
   * it takes long the reader gets the task as it is.
   */
  async *#subscribed(id: string, position: string | undefined): AsyncGenerator<StreamEvent, Received, void> {
    const { resumes, subscribe, getTask } = this.#source;
    const opening = subscribe(id, position);
    opening.catch(() => {});
    if (resumes || (await isSettledWithin(this.#options.timing, SLOW_OPENING_MS, opening))) return opening;
    const task = await getTask(id).catch(() => undefined);
    if (task && !isTerminal(task.status.state)) yield* this.#adopt(task);
    return opening;
  }

  /** Throws where the task is not there after all, and where it is over and nobody has followed it. */
  async #checkIdle(id: string, refusal: A2AError, isFirst: boolean): Promise<void> {
    const task = await this.#source.getTask(id).catch(() => undefined);
    this.#options.signal.throwIfAborted();
    if (!task) throw refusal;
    if (!isFirst || !isTerminal(task.status.state)) return;
    const text = `The task is already ${task.status.state}: get it instead`;
    throw new A2AError('UNSUPPORTED_OPERATION', text, { cause: refusal, task, httpStatus: refusal.httpStatus });
  }

  /** Events as they come. */
  async *#live(stream: Received): AsyncGenerator<StreamEvent, void, void> {
    const isFirst = this.#connections === 1;
    let reached = this.#lastEventId;
    for await (const received of stream) {
      const { event, id } = received;
      const isAnew = this.#lastEventId !== undefined || (!isFirst && this.collector.taskId !== undefined);
      if (event.kind === 'task' && this.#source.beginsWithHead && isAnew) {
        // What was missed cannot be told from what comes next: the task is looked at instead.
        this.#lastEventId = undefined;
        throw new A2AError('UNREACHABLE', 'The server does not go on behind the last event');
      }
      if (event.kind !== 'task' && isUpTo(id, reached)) continue;
      if (this.#source.resumes) reached = id ?? reached;
      // Cut off before its position, it will come again.
      if (received.isCut && id === undefined && this.#lastEventId !== undefined) continue;
      // Behind a frame without a position nothing says where the reader is: the next connection compares.
      if (this.#source.resumes) this.#lastEventId = id;
      this.#isAmidst = this.#source.resumes && id === undefined && received.size !== undefined;
      if (event.kind === 'task' && !isFirst && !this.#source.beginsWithHead) yield* this.#adopt(event.task, id);
      else yield* this.#pass(event);
      // A send would end here; the subscription that took its place goes on after a question.
      if (isLast(received) || (!isFirst && this.#isOver(true))) {
        this.#isEnded = true;
        return;
      }
    }
  }

  /** Comparing what the task is with what was received, whenever something happens. */
  async *#follow(id: string, stream: Received): AsyncGenerator<StreamEvent, void, void> {
    const { timing, signal } = this.#options;
    const tap = new Tap(stream);
    try {
      let base: Task | undefined;
      if (this.#source.beginsWithTask) base = await firstTask(tap);
      base ??= await this.#source.getTask(id);
      if (this.#connections === 1 && isTerminal(base.status.state)) {
        // 0.3 may open the stream first and then refuse to subscribe to what is over.
        await tap.ready();
        tap.throwIfBroken();
      }
      yield* this.#adopt(base);
      let tookLast = 0;
      while (!this.#isOver(true)) {
        await tap.ready();
        await sleep(timing, Math.max(LEAST_LOOK_MS, tookLast * LOOK_SHARE), signal);
        const { size: count, ended: hadEnded } = tap;
        const before = timing.now();
        const task = await this.#source.getTask(id);
        tookLast = timing.now() - before;
        yield* this.#adopt(task);
        // What the stream may still bring is part of the task that was looked at.
        if (this.#isOver(true)) return;
        if (hadEnded) {
          tap.throwIfBroken();
          return;
        }
        if (isContinuedBy(base, tap.take(count), task)) {
          yield* this.#fromTap(tap);
          return;
        }
        base = task;
      }
    } finally {
      await tap.close();
    }
  }

  async *#fromTap(tap: Tap): AsyncGenerator<StreamEvent, void, void> {
    for (;;) {
      await tap.ready();
      for (const received of tap.take(tap.size)) {
        yield* this.#pass(received.event);
        if (isLast(received) || this.#isOver(true)) {
          this.#isEnded = true;
          return;
        }
      }
      if (tap.ended && tap.size === 0) {
        tap.throwIfBroken();
        return;
      }
    }
  }

  /** Asking now and then, where there is no stream. Like a stream, it goes on after a question only if it subscribed. */
  async *#poll(id: string): AsyncGenerator<StreamEvent, void, void> {
    const { timing, signal } = this.#options;
    const isSubscription = this.#source.send === undefined;
    let unknown = 0;
    for (let pause = LEAST_POLL_MS; ; pause = Math.min(pause * 2, LONGEST_POLL_MS)) {
      const news = this.#news;
      yield* this.#adopt(await this.#source.getTask(id));
      unknown = this.collector.state === 'unknown' ? unknown + 1 : 0;
      if (unknown > 0 ? unknown >= MOST_UNKNOWN_LOOKS : this.#isOver(isSubscription)) return;
      if (this.#news > news) pause = LEAST_POLL_MS;
      await sleep(timing, pause, signal);
    }
  }

  /** What the reader lacks of the task. `position` is that of the task; the one before says nothing any more. */
  *#adopt(shown: Task, position?: string): Generator<StreamEvent, void, void> {
    this.#isAmidst = false;
    if (this.#source.resumes) this.#lastEventId = position;
    // What the server says about a gap is dealt with here: the task itself has nothing of it.
    const task = withoutGap(shown);
    for (const event of missingEvents(this.collector.task, task, this.#source.message)) yield* this.#pass(event);
    // History and metadata as the server has them: events cannot carry them.
    this.collector.apply({ kind: 'task', task });
    this.#isPartial = false;
  }

  *#pass(received: StreamEvent): Generator<StreamEvent, void, void> {
    const event = this.#completed(received);
    if (event.kind === 'status' || event.kind === 'artifact') {
      const { taskId } = this.collector;
      // A stream is of one task.
      if (taskId !== undefined && event.taskId !== taskId) return;
      // Updates behind a position that the user gave have no task before them.
      const isBare = taskId === undefined && this.#options.lastEventId === undefined;
      if (isBare) yield* this.#pass({ kind: 'task', task: this.#begun(event) });
    }
    if (event.kind === 'status') this.#hasStatus = true;
    if (received.kind === 'task') this.#isPartial = this.#isHead(received.task) && !this.#isNew(received.task);
    this.collector.apply(withoutNote(event));
    this.#news += 1;
    yield event;
  }

  /** The event with what its stream leaves out: the context of updates, and all but the head of a task. */
  #completed(event: StreamEvent): StreamEvent {
    const { contextId } = this.collector;
    if (event.kind === 'status' || event.kind === 'artifact') {
      return event.contextId === '' && contextId ? { ...event, contextId } : event;
    }
    if (event.kind !== 'task' || !this.#isHead(event.task)) return event;
    const { id: taskId, contextId: context } = event.task;
    const known = this.collector.task;
    const { artifacts, history } = known?.id === taskId ? known : { artifacts: [], history: [] };
    const { message } = this.#source;
    const sent = message ? [{ ...message, contextId: context, taskId }] : [];
    return { kind: 'task', task: { ...event.task, artifacts, history: [...history, ...sent] } };
  }

  /** Whether this is all that such a stream shows of a task: every task has a message in its history. */
  #isHead({ history }: Task): boolean {
    return this.#source.beginsWithHead === true && history.length === 0;
  }

  /** Whether the message begins this task, whose history is then known. A send under a key may join one that goes on. */
  #isNew({ status }: Task): boolean {
    const { message, resumes } = this.#source;
    const begins = message !== undefined && message.taskId === undefined;
    return begins && (!resumes || status.state === 'submitted');
  }

  /** The task before its first update (reference: mapping §6: 0.3 streams may begin with one). */
  #begun({ taskId, contextId }: { readonly taskId: string; readonly contextId: string }): Task {
    const timestamp = new Date(this.#options.timing.now()).toISOString();
    const { message } = this.#source;
    const history = message ? [{ ...message, taskId, contextId: contextId || message.contextId }] : [];
    return { id: taskId, contextId, status: { state: 'submitted', timestamp }, artifacts: [], history };
  }

  /**
   * The server has the task and does not begin to answer its subscription. One that resumes streams answers at once, so
   * there it is the connection that is bad; and one that fell silent in the middle of its stream is connected to again.
   */
  get #wasNeverOpened(): boolean {
    return !this.#source.resumes && this.#openedAt === undefined && this.collector.task !== undefined;
  }

  get #isTerminal(): boolean {
    const { state } = this.collector;
    return state !== undefined && isTerminal(state);
  }

  /**
   * All that came is a task that asks something, and nothing tells whether before or after the message: the first Task
   * of a send shows the question that is answered, but a send that is repeated may join a turn that has ended.
   */
  get #showsQuestion(): boolean {
    const { state } = this.collector;
    const isAnswer = this.#source.message?.taskId !== undefined;
    return isAnswer && !this.#hasStatus && state !== undefined && isInterrupted(state);
  }

  /** Whether there is nothing more to come; `broken` = the connection was lost rather than closed. */
  #isOver(broken: boolean): boolean {
    const { state, message } = this.collector;
    if (this.#isEnded || message) return true;
    if (this.#isAmidst) return false;
    if (this.#isTerminal) return true;
    // An agent that cannot tell and closes the stream has no more to say; a lost connection is another matter.
    if (state === 'unknown') return !broken;
    if (state === undefined || !isInterrupted(state)) return false;
    if (this.#showsQuestion) return false;
    // A subscription goes on after a question, and an authorization may come without anybody's message.
    return broken ? this.#source.send !== undefined && state === 'input-required' : true;
  }

  #mayGoOn(failure: A2AError): boolean {
    if (this.taskId !== undefined && (this.collector.task || !this.#source.send)) {
      return this.collector.task ? !isFinal(failure) : mayPass(failure);
    }
    if (wasNeverSent(failure) || wasNotAccepted(failure)) return true;
    return this.#source.resumes && (mayPass(failure) || failure.code === 'INVALID_RESPONSE');
  }

  /**
   * The refusal of a message to a task that is not there, which servers in use (Python's of 0.3 over HTTP+JSON) tell by
   * cutting the stream.
   */
  async #missingTask(failure: A2AError): Promise<A2AError | undefined> {
    const id = this.#source.message?.taskId;
    if (id === undefined || this.collector.task || failure.code !== 'UNREACHABLE') return undefined;
    const answer = await this.#source.getTask(id).catch((error: unknown) => error);
    this.#options.signal.throwIfAborted();
    return A2AError.isInstance(answer) && answer.code === 'TASK_NOT_FOUND' ? answer : undefined;
  }

  #lost(failure: A2AError): A2AError {
    const { task, message } = this.collector;
    const details = { cause: failure, received: task ?? message, ...(task && { task }) };
    if (task) {
      const text = `The stream of task ${task.id} was lost and could not be resumed: ${failure.message}`;
      return new A2AError('STREAM_INTERRUPTED', text, details);
    }
    const mayHaveArrived = this.#source.send && failure.code === 'UNREACHABLE' && !wasNeverSent(failure);
    if (!mayHaveArrived) return failure;
    const text =
      'The connection was lost before the agent answered. The message may have arrived, so it is not sent again';
    return new A2AError('STREAM_INTERRUPTED', text, details);
  }
}

/** The event without what its server says about a gap. */
function withoutNote(event: StreamEvent): StreamEvent {
  if (event.kind === 'task') return { ...event, task: withoutGap(event.task) };
  return event.kind === 'message' ? event : withoutGap(event);
}

/** Whether a position is one that the reader had reached before. */
function isUpTo(id: string | undefined, reached: string | undefined): boolean {
  if (id === undefined || reached === undefined) return false;
  const [one, other] = [id, reached].map((text) => POSITION.exec(text));
  if (!one || !other) return id === reached;
  const [seq, otherSeq] = [Number(one[1]), Number(other[1])];
  return seq === otherSeq ? Number(one[2] ?? 0) <= Number(other[2] ?? 0) : seq < otherSeq;
}

/** A seq, or a seq and a number of frames of the event after it. */
const POSITION = /^(\d+)(?:\.(\d+))?$/;

/**
 * Whether these events, and no others, made the one task of the other; false where they say nothing of that. A look may be
 * ahead of the stream: then the events that come next are in the task already.
 */
function isContinuedBy(base: Task, events: readonly ReceivedEvent[], task: Task): boolean {
  if (hasSameArtifacts(base, task)) return false;
  const foreseen = new TaskCollector();
  foreseen.apply({ kind: 'task', task: base });
  for (const { event } of events) foreseen.apply(event);
  return foreseen.task !== undefined && hasSameArtifacts(foreseen.task, task) && hasSameStatus(foreseen.task, task);
}

/** The Task that a subscription begins with, if it does. */
async function firstTask(tap: Tap): Promise<Task | undefined> {
  await tap.ready();
  const [first] = tap.take(1);
  return first?.event.kind === 'task' ? first.event.task : undefined;
}

/** 0.3: `final` ends the stream, whatever the state (reference: mapping §6). */
function isLast(received: ReceivedEvent): boolean {
  return received.final;
}
