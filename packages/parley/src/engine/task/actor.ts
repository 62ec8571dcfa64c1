import { A2AError } from '../../model/errors/errors.ts';
import { awaitsSecret } from '../../model/secrets.ts';
import { isInterrupted, isTerminal } from '../../model/states.ts';
import type { Message, Task, TaskStatus } from '../../model/task.ts';
import { noLongerHeld } from '../log/refusals.ts';
import type { TaskLog } from '../log/task-log.ts';
import { TaskWriter, type WriterOwner } from '../log/task-writer.ts';
import type { Awaitable, PushConfigDraft } from '../ports.ts';
import { giveBack, restoreWaiting } from '../queue/begin-turn.ts';
import { leaveToAny } from '../queue/leave-turn.ts';
import type { Feed } from '../read/feed.ts';
import { type SecretArrival, sealSecret } from '../replay/sealed-secret.ts';
import { limitsOfTurn } from '../turn/own-limits.ts';
import type { MessageDraft, Runner, TurnRequest } from '../turn/runner.ts';
import type { ActorKeeper, ActorOptions } from './actor-options.ts';
import { tellCanceled } from './cancel-notice.ts';
import type { FailureReason } from './failure-reasons.ts';
import { Inbox } from './messages/inbox.ts';
import {
  cannotHandOn,
  inTask,
  requireAsked,
  requireFewer,
  requireOpen,
  requireOpenQuestion,
  requireRoom,
} from './messages/messages.ts';
import { handleMessage } from './messages/receive.ts';
import { standingOf } from './messages/standing.ts';
import { type KeyDraft, Opening, pendingSeqOf, SECRET_DIGEST } from './opening.ts';
import { resumeTurn } from './takeover.ts';
import { TaskOutput } from './task-output.ts';
import { TaskRecords } from './task-records.ts';
import type { TaskServices } from './task-services.ts';
import { abortError, TaskTurns } from './task-turns.ts';

/** The details that come with a message to a task. */
export interface Arrival {
  readonly key?: KeyDraft | undefined;
  readonly push?: PushConfigDraft | undefined;
  /** The message is a secret. */
  readonly secret?: SecretArrival | undefined;
}

/** The seq of the message that a new task starts with: `created` is 1. */
export const FIRST_MESSAGE_SEQ = 2;

/**
 * The one writer of a task, and the commands to it. Each command runs to its end without giving up the loop, as do the
 * calls of the agent's run, so nothing interleaves; what they append is committed in groups.
 */
export class Actor implements WriterOwner {
  readonly log: TaskLog;
  readonly feed: Feed;
  /** The feed is kept for it. An actor that was forgotten may still hear of a refusal, and must not let go of its feed again. */
  holdsFeed = true;
  /** For those who begin its turns: recovery and the queue. */
  readonly turns: TaskTurns;
  readonly #keeper: ActorKeeper;
  readonly #services: TaskServices;
  readonly #runner: Runner;
  readonly #writer: TaskWriter;
  readonly #output: TaskOutput;
  readonly #inbox: Inbox;
  readonly #records: TaskRecords;
  #asksAgain: TaskStatus | undefined;
  #canceling: Promise<void> | undefined;
  /** The run was given up here, for another process to take up. */
  #isHandedOver = false;

  constructor({ services, keeper, runner, log, feed, replay, asksAgain, queued, queuedSecret }: ActorOptions) {
    const { clock, committer, limits } = services;
    this.log = log;
    this.feed = feed;
    this.#keeper = keeper;
    this.#services = services;
    this.#runner = runner;
    this.#asksAgain = asksAgain;
    const writer = new TaskWriter(log, feed, committer, limits, this);
    this.#writer = writer;
    const inbox = new Inbox(log.consumed);
    this.#inbox = inbox;
    const output = new TaskOutput(log, writer, inbox, clock, services.newId);
    this.#output = output;
    const records = new TaskRecords(log, writer, () => this.turns.current?.written, replay);
    this.#records = records;
    const parked = (answerBy: number | undefined) => keeper.parked(this, answerBy);
    this.turns = new TaskTurns({ services, runner, log, writer, output, inbox, records, parked });
    if (queued) restoreWaiting(this.turns, queued, queuedSecret);
  }

  get taskId(): string {
    return this.log.identity.id;
  }

  get contextId(): string {
    return this.log.identity.contextId;
  }

  get isRunning(): boolean {
    return this.turns.isRunning;
  }

  /** The task's next turn waits for any node. */
  get isWaiting(): boolean {
    return this.turns.isWaiting;
  }

  /** The run waits in memory for an answer. */
  get isAsking(): boolean {
    return this.turns.current?.isAsking === true;
  }

  /** This node may or can no longer write the task. */
  get isLost(): boolean {
    return this.#writer.isLost;
  }

  /** Takes the lease again with its next number; resolves when that is committed. A task that is not yet stored has none. */
  async retake(): Promise<void> {
    if (this.#writer.isLost || this.log.committedSeq === 0) return;
    this.log.retake();
    await this.#writer.flushed();
  }

  whenCommitted(seq: number): Promise<void> {
    return this.#writer.whenCommitted(seq);
  }

  /** Resolves when everything that is pending is on disk. */
  flushed(): Promise<void> {
    return this.#writer.flushed();
  }

  /** Resolves when everything that the run has recorded is on disk. */
  whenRecorded(): Promise<void> {
    return this.#records.whenCommitted();
  }

  snapshot(): Task {
    return this.log.snapshot();
  }

  /**
   * Starts the first turn, before there is a task. Resolves with a bare reply, or with undefined once the task is
   * committed. The task is made at the first output, after the reply window, or at once.
   */
  begin(
    message: Message,
    request: TurnRequest,
    options: {
      readonly atOnce: boolean;
      readonly key?: KeyDraft | undefined;
      readonly push?: PushConfigDraft | undefined;
    },
  ): Promise<Message | undefined> {
    const { clock, limits } = this.#services;
    const addressed = inTask(message, this.log.identity);
    const opening = new Opening({
      message: addressed,
      request,
      key: options.key,
      push: options.push,
      stopWindow: clock.after(limits.replyWindow, () => this.#output.makeTask()),
      open: (from, state) => this.#open(from, state),
    });
    this.#output.opening = opening;
    this.#inbox.consumed = FIRST_MESSAGE_SEQ;
    const first = { seq: FIRST_MESSAGE_SEQ, message: addressed, request };
    if (leaveToAny(this.turns, request, first)) {
      this.#output.makeTask('submitted');
      return opening.started;
    }
    const journal = this.turns.newJournal();
    this.turns.start(
      { message: addressed, history: [], request, messageSeq: FIRST_MESSAGE_SEQ, journal },
      { before: options.atOnce ? () => this.#output.makeTask() : undefined },
    );
    return opening.started;
  }

  /**
   * Prepares a message that is a secret, because the task waits for one now or the caller says so; undefined for any
   * other. Its journal keeps the content encrypted, or not at all.
   */
  prepareSecret(message: Message, request: TurnRequest, isSecret = false): Promise<SecretArrival> | undefined {
    if (!isSecret && !awaitsSecret(this.log.status)) return undefined;
    const { vault, queue } = this.#services;
    if (!vault && queue?.isFront && !this.isRunning) return Promise.reject(cannotHandOn());
    if (!vault || (!this.#runner.resumable && !queue)) return Promise.resolve({});
    const content = { message: inTask(message, this.log.identity), metadata: request.metadata };
    return sealSecret(vault, this.taskId, content);
  }

  /** Takes a message to the task, which may be a secret; returns the seq at which it is logged. */
  receive(message: Message, request: TurnRequest, { key, push, secret }: Arrival = {}): number {
    const earlier = pendingSeqOf(this.log, key);
    if (earlier !== undefined) return earlier;
    this.#requireTakesMessages(request);
    requireAsked(this.log, message, request.answers);
    const asked = this.log.asking ? (this.turns.current ?? this.#records.unfinished) : undefined;
    if (asked) requireOpenQuestion(asked, message, this.log);
    const { clock } = this.#services;
    const addressed = inTask(message, this.log.identity);
    const isSecret = secret !== undefined || awaitsSecret(this.log.status);
    if (isSecret) this.turns.secrets.add({ parts: message.parts, metadata: message.metadata });
    const now = clock.now();
    if (push) this.log.bindPush(push, this.log.seq);
    const seq = isSecret ? this.log.appendSecret(now, addressed) : this.log.appendMessage(now, addressed);
    if (secret?.sealed !== undefined && this.#runner.resumable) {
      this.#records.append({ kind: 'secret', messageSeq: seq, sealed: secret.sealed });
    }
    const digest = isSecret ? SECRET_DIGEST : key?.digest;
    if (key && digest) this.log.bindKey({ ...key, digest, taskId: this.taskId, messageSeq: seq });
    const standing = standingOf({
      turn: this.turns.current,
      state: this.log.status.state,
      isQuestion: this.log.asking,
      isWaiting: this.turns.isWaiting,
      unfinished: this.#records.unfinished,
      now: clock.now(),
    });
    handleMessage(this.turns, { seq, message: addressed, request, isSecret, sealed: secret?.sealed }, standing);
    this.#writer.mark();
    return seq;
  }

  /** Aborts the run and ends the task as canceled, with a message if there is one; resolves when that is committed. */
  cancel(why?: MessageDraft): Promise<void> {
    const { state } = this.log.status;
    if (isTerminal(state) && !this.#canceling) {
      const metadata = { taskId: this.taskId, state };
      return Promise.reject(new A2AError('TASK_NOT_CANCELABLE', `The task is already ${state}`, { metadata }));
    }
    this.turns.isCanceling = true;
    this.#canceling ??= this.#cancel(why);
    return this.#services.committer.inTime(this.#canceling);
  }

  /** Takes up a turn that was left unfinished; returns false where that is not possible. */
  resume(): boolean {
    if (this.turns.isWaiting) {
      giveBack(this.turns);
      return true;
    }
    return resumeTurn(this.turns) || this.#askAgain();
  }

  /** Stops the wait for an answer, because the server stops; the next process waits on. */
  leaveQuestion(): void {
    this.turns.current?.leaveQuestion();
  }

  /** Gives the run up, because the server stops: the next process takes it up, or else the task ends here. */
  handOver(): void {
    if (!this.#runner.resumable) {
      this.fail('server-stopped');
      return;
    }
    const request = this.turns.current?.request;
    this.turns.leave('The server stops');
    // On a shared store it waits for any node, which need not wait until this one counts as dead.
    this.#isHandedOver = !request || !leaveToAny(this.turns, request);
  }

  /** Ends a task whose run cannot go on. */
  fail(reason: FailureReason): void {
    this.turns.fail(reason);
  }

  /** Asks once more for the secret that began the turn, which was lost with its run. */
  #askAgain(): boolean {
    const asked = this.#asksAgain;
    this.#asksAgain = undefined;
    if (!asked || this.isRunning || this.log.status.state !== 'working') return false;
    const { parts, metadata, extensions, referenceTaskIds } = asked.message ?? { parts: [] };
    const prompt = asked.message && { parts, metadata, extensions, referenceTaskIds };
    this.#output.appendStatus(asked.state, prompt);
    this.#writer.mark();
    return true;
  }

  #open(opening: Opening, state: 'submitted' | 'working'): void {
    const messageSeq = opening.append(this.log, this.#services.clock.now());
    const isRecorded = this.#runner.resumable && !this.turns.isWaiting;
    if (isRecorded) this.#records.appendTurn(messageSeq, opening.request);
    if (state === 'working' && !this.turns.isQueued) this.#output.appendStatus('working');
    this.#keeper.opened(this);
    opening.startWith(this.#writer.whenCreated(messageSeq));
    this.#writer.mark();
  }

  async #cancel(why: MessageDraft | undefined): Promise<void> {
    const { current } = this.turns;
    const message = await (current ? current.cancel(abortError('The task was canceled')) : this.#tellAgent());
    this.turns.drop();
    if (this.#writer.isLost) throw noLongerHeld();
    this.#output.appendStatus('canceled', message ?? why);
    this.#writer.mark();
    await this.#writer.whenWritten(this.log.seq);
  }

  /** Only the caller knows of a task that has not begun. */
  #tellAgent(): Awaitable<MessageDraft | undefined> {
    return this.isWaiting ? undefined : tellCanceled(this.#runner, this.log.identity, this.#services);
  }

  #requireTakesMessages({ limits: own }: TurnRequest): void {
    requireOpen(this.log);
    requireFewer(this.log, limitsOfTurn(own, this.#services.limits).messagesPerTask);
    const metadata = { taskId: this.taskId };
    if (this.#canceling) throw new A2AError('UNSUPPORTED_OPERATION', 'The task is being canceled', { metadata });
    const { refuseWhileWorking } = this.#runner;
    if (refuseWhileWorking !== undefined && this.#isWorking) {
      throw new A2AError('UNSUPPORTED_OPERATION', refuseWhileWorking, { metadata });
    }
    const isWorking = (this.isRunning || this.isWaiting) && !this.isAsking;
    if (isWorking) requireRoom(this.log, this.#inbox.size, this.#services.limits.queuedMessages);
  }

  /** A run is at work, or is about to be taken up. */
  get #isWorking(): boolean {
    return (
      (this.isRunning || this.isWaiting || this.#records.unfinished !== undefined) &&
      !isInterrupted(this.log.status.state)
    );
  }

  // For the writer

  holds(): boolean {
    return (this.isRunning || this.#isHandedOver) && !isTerminal(this.log.status.state);
  }

  /** Nothing is pending; if nothing runs either, the store has everything. */
  settled(): void {
    const isBusy = this.isRunning || this.#canceling !== undefined;
    if (!isBusy || isTerminal(this.log.committedStatus.state)) this.#keeper.idle(this);
  }

  lost(): void {
    this.turns.leave('This server no longer holds the task');
    this.#keeper.lost(this);
  }
}
