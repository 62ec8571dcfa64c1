import { A2AError } from '../../model/errors.ts';
import { InputError, type InputErrorCode } from '../../model/input-error.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { type InterruptedState, isInterrupted, isTerminal } from '../../model/states.ts';
import type { Artifact, Message, Task } from '../../model/task.ts';
import type { EngineLimits } from '../limits.ts';
import type { Committer } from '../log/committer.ts';
import { noLongerHeld } from '../log/refusals.ts';
import type { TaskLog } from '../log/task-log.ts';
import { TaskWriter } from '../log/task-writer.ts';
import type { Clock, EngineLog } from '../ports.ts';
import type { Feed } from '../read/feed.ts';
import type { JournalBody, OutputMark, Replay } from '../replay/replay.ts';
import { type ArtifactEnd, TurnJournal } from '../replay/turn-journal.ts';
import type { RunSlots } from '../turn/run-slots.ts';
import type { ChunkDraft, MessageDraft, Runner, TurnEnd, TurnRequest } from '../turn/runner.ts';
import { Turn } from '../turn/turn.ts';
import type { QuestionDetails, QueuedMessage, TurnHost, TurnStart } from '../turn/turn-host.ts';
import type { Conversations, EarlierTasksQuery } from './conversations.ts';
import { type FailureReason, failureText } from './failure-reasons.ts';
import { inTask, requireAsked, requireOpen } from './messages.ts';
import { type KeyDraft, Opening } from './opening.ts';
import { TaskVoice } from './task-voice.ts';

/** What actors share. */
export interface ActorServices {
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly log: EngineLog;
  readonly committer: Committer;
  readonly conversations: Conversations;
  readonly slots: RunSlots;
  newId(): string;
  /** The actor's task exists from now on. */
  opened(actor: Actor): void;
  /** Nothing runs and nothing is pending: the store has it all. */
  idle(actor: Actor): void;
  /** This node may or can no longer write the task. */
  lost(actor: Actor, error: A2AError): void;
}

/** Why a task failed whose run did not catch the error. */
const INPUT_FAILURES: Readonly<Record<InputErrorCode, FailureReason>> = {
  INPUT_TIMEOUT: 'input-timeout',
  INVALID_ANSWER: 'invalid-answer',
  TOOL_FAILED: 'tool-failed',
  TOOL_NOT_DECLARED: 'tool-failed',
};

/** The seq of the message that a new task starts with: `created` is 1. */
export const FIRST_MESSAGE_SEQ = 2;

/**
 * The one writer of a task. Messages, cancels, timeouts and the agent's output are calls to it, each of which runs to
 * its end without giving up the loop, so nothing interleaves; what they append is committed in groups.
 */
export class Actor implements TurnHost {
  readonly log: TaskLog;
  readonly #writer: TaskWriter;
  readonly #runner: Runner;
  readonly #services: ActorServices;
  #opening: Opening | undefined;
  #turn: Turn | undefined;
  /** The turn waits for others to end before it may begin. */
  #isQueued = false;
  readonly #queue: QueuedMessage[] = [];
  readonly #voice: TaskVoice;
  #canceling: Promise<void> | undefined;
  /** A turn that was left unfinished and can be taken up. */
  #replay: Replay | undefined;
  /** The run was given up here, to be taken up by another process. */
  #isLeft = false;
  /** Where the log was when that was done. */
  #takenUpAt = 0;

  constructor(services: ActorServices, runner: Runner, log: TaskLog, feed: Feed, replay?: Replay) {
    this.#services = services;
    this.#runner = runner;
    this.log = log;
    this.#writer = new TaskWriter(log, feed, services.committer, services.limits, {
      holds: () => (this.#turn !== undefined || this.#isLeft) && !isTerminal(log.status.state),
      settled: () => this.#settled(),
      lost: (error) => this.#lost(error),
    });
    this.#voice = new TaskVoice(log, services.clock, () => services.newId());
    this.#replay = replay;
  }

  get feed(): Feed {
    return this.#writer.feed;
  }

  get taskId(): string {
    return this.log.identity.id;
  }

  get contextId(): string {
    return this.log.identity.contextId;
  }

  get clock(): Clock {
    return this.#services.clock;
  }

  get limits(): EngineLimits {
    return this.#services.limits;
  }

  get hasMessages(): boolean {
    return this.#queue.length > 0;
  }

  get lastAppend(): number {
    return this.log.lastAppend;
  }

  get isRunning(): boolean {
    return this.#turn !== undefined;
  }

  /** The run waits in memory for an answer. */
  get isAsking(): boolean {
    return this.#turn?.isAsking === true;
  }

  newId(): string {
    return this.#services.newId();
  }

  // Commands

  /**
   * Starts the first turn, before there is a task. Resolves with a bare reply, or with undefined once the task is
   * committed. The task is made at the first output, after the reply window, or at once.
   */
  begin(
    message: Message,
    request: TurnRequest,
    options: { readonly atOnce: boolean; readonly key?: KeyDraft | undefined },
  ): Promise<Message | undefined> {
    const stopWindow = this.clock.after(this.limits.replyWindow, () => this.#open(true));
    const addressed = inTask(message, this.log.identity);
    const opening = new Opening({ message: addressed, request, key: options.key, stopWindow });
    this.#opening = opening;
    this.#voice.consumed = FIRST_MESSAGE_SEQ;
    this.#startTurn(
      { message: addressed, history: [], request, messageSeq: FIRST_MESSAGE_SEQ, journal: this.#newJournal() },
      { before: options.atOnce ? () => this.#open(true) : undefined },
    );
    return opening.started;
  }

  /** Takes a message to the task; gives the seq at which it is logged. */
  receive(message: Message, request: TurnRequest, key?: KeyDraft): number {
    this.#refuseMessages();
    requireAsked(this.log, request.answers);
    const addressed = inTask(message, this.log.identity);
    const seq = this.log.appendMessage(this.clock.now(), addressed);
    if (key) this.log.bindKey({ ...key, taskId: this.taskId, messageSeq: seq });
    if (this.#turn?.isAsking) {
      this.#voice.consumed = seq;
      this.#answered(this.#turn.openStep, seq, this.#turn.waited);
      this.#voice.status('working');
      this.#turn.answer(addressed);
    } else if (this.#turn) {
      this.#queue.push({ seq, message: addressed, request });
      this.#turn.notify();
    } else if (this.log.asking && this.#replay && this.#isTooLate(this.#replay)) {
      this.#queue.push({ seq, message: addressed, request });
      this.#waitAgain(this.#replay);
    } else if (this.log.asking && this.#replay) {
      this.#voice.consumed = seq;
      const journal = new TurnJournal(this.clock, this.#replay);
      const waited = this.clock.now() - Date.parse(this.log.status.timestamp);
      this.#answered(journal.answer(addressed), seq, waited);
      this.#takeUp({ ...this.#replay, waited: this.#replay.waited + waited }, journal);
    } else if (this.log.asking) {
      this.#voice.consumed = seq;
      this.#voice.failed('run-lost');
    } else if (!isInterrupted(this.log.status.state) && this.#replay) {
      this.#queue.push({ seq, message: addressed, request });
      this.#takeUp(this.#replay, new TurnJournal(this.clock, this.#replay));
    } else if (!isInterrupted(this.log.status.state)) {
      // Its run is gone, because the store failed, and nobody has ended it yet.
      this.#voice.consumed = seq;
      this.#voice.failed('store-failed');
    } else {
      this.#nextTurn({ seq, message: addressed, request });
    }
    this.#writer.mark();
    return seq;
  }

  /** Aborts the run and ends the task as canceled, with a message if there is one; resolves when that is committed. */
  cancel(why?: MessageDraft): Promise<void> {
    const { state } = this.log.status;
    if (isTerminal(state)) {
      const metadata = { taskId: this.taskId, state };
      return Promise.reject(new A2AError('TASK_NOT_CANCELABLE', `The task is already ${state}`, { metadata }));
    }
    this.#canceling ??= this.#cancel(why);
    return this.#canceling;
  }

  async #cancel(why: MessageDraft | undefined): Promise<void> {
    const message = this.#turn
      ? await this.#turn.cancel(abortError('The task was canceled'))
      : await this.#canceledIdle();
    this.#turn = undefined;
    if (this.#writer.isLost) throw noLongerHeld();
    this.#voice.status('canceled', message ?? why);
    this.#writer.mark();
    await this.whenCommitted(this.log.seq);
  }

  /** Tells the agent of a task that waits for its caller, for as long as the handlers of a run would have. */
  async #canceledIdle(): Promise<MessageDraft | undefined> {
    const { canceled } = this.#runner;
    if (!canceled) return undefined;
    const grace = new Promise<undefined>((resolve) => {
      this.clock.after(this.limits.cancelGrace, () => resolve(undefined));
    });
    const told = Promise.resolve({ id: this.taskId, contextId: this.contextId }).then(canceled);
    told.catch((error: unknown) => this.warn('An agent failed when its task was canceled', { error }));
    return Promise.race([told, grace]).catch(() => undefined);
  }

  /** Takes up a turn that was left unfinished; false where it cannot be. */
  resume(): boolean {
    const replay = this.#replay;
    if (!replay || this.#turn || isTerminal(this.log.status.state)) return false;
    if (this.log.asking && replay.openQuestion) {
      this.#waitAgain(replay);
      this.#writer.mark();
      return true;
    }
    if (this.#hasBegun && replay.attempts >= this.limits.resumes) return false;
    this.#takeUp(replay, new TurnJournal(this.clock, replay));
    this.#writer.mark();
    return true;
  }

  /** The server stops while the run waits for an answer. */
  leaveQuestion(): void {
    this.#turn?.leaveQuestion();
  }

  /** The server stops while the run works: it is taken up by the next one, or else the task ends. */
  handOver(): void {
    if (!this.#runner.resumable) {
      this.fail('server-stopped');
      return;
    }
    this.#isLeft = true;
    this.#turn?.leave(abortError('The server stops'));
    this.#turn = undefined;
  }

  /** Ends a task whose run cannot go on. */
  fail(reason: FailureReason): void {
    if (isTerminal(this.log.status.state) || this.#canceling) return;
    this.#turn?.stop(abortError(failureText(reason)));
    this.#turn = undefined;
    this.#voice.failed(reason);
    this.#writer.mark();
  }

  // What a turn asks for

  show(
    state: 'working' | InterruptedState,
    message: MessageDraft | undefined,
    metadata?: JsonObject,
  ): Promise<void> | undefined {
    this.#open(state !== 'working');
    this.#voice.status(state, message, { metadata });
    return this.#writer.markAndWait();
  }

  chunk(chunk: ChunkDraft): Promise<void> | undefined {
    this.#open(true);
    this.log.appendChunk(this.clock.now(), chunk);
    return this.#writer.markAndWait();
  }

  endArtifact(artifactId: string): Promise<void> | undefined {
    this.log.endArtifact(this.clock.now(), artifactId);
    return this.#writer.markAndWait();
  }

  earlierTasks(query: EarlierTasksQuery): Promise<readonly Task[]> {
    return this.#services.conversations.earlier(this.log.identity, query);
  }

  contextValue(key: string): Promise<JsonValue | undefined> {
    return this.#services.conversations.value(this.log.identity, key);
  }

  changeContext(key: string, value: JsonValue | undefined): Promise<void> {
    this.#open(true);
    return this.#services.conversations.change(this.log.identity, key, value, (change) => {
      if (!this.#turn) return Promise.reject(abortError('The run is over'));
      this.log.changeContext(change);
      return this.#writer.flushed();
    });
  }

  async committedTask(): Promise<Task | undefined> {
    if (this.#opening) return undefined;
    await this.whenCommitted(this.log.seq);
    return this.snapshot();
  }

  warn(message: string, details: Readonly<Record<string, unknown>>): void {
    const { id: taskId, agent } = this.log.identity;
    this.#services.log.warn(message, { taskId, agent, ...details });
  }

  get taskMetadata(): JsonObject {
    return this.log.metadata ?? {};
  }

  note(metadata: JsonObject): void {
    this.#open(true);
    this.log.appendNote(this.clock.now(), metadata);
    this.#writer.mark();
  }

  makeTask(): void {
    this.#open(true);
  }

  record(body: JournalBody): Promise<void> {
    this.#record(body);
    this.#writer.mark();
    return this.#writer.whenRecorded();
  }

  reset(artifact: Artifact, end: ArtifactEnd): void {
    this.#voice.reset(artifact, end);
    this.#writer.mark();
  }

  leave(artifactId: string, end: ArtifactEnd): void {
    this.log.continueText(artifactId, end === 'streamed');
  }

  question(
    prompt: MessageDraft,
    state: 'input-required' | 'auth-required',
    { step, answerBy, isFresh }: QuestionDetails,
  ): QueuedMessage | undefined {
    this.#open(true);
    // Of a run that cannot be resumed nobody could end the wait.
    this.#voice.status(state, prompt, { asking: true, answerBy: step === undefined ? undefined : answerBy });
    if (step !== undefined) this.#record({ kind: 'asked', step, answerBy });
    const waiting = isFresh ? undefined : this.#queue.shift();
    if (waiting) {
      this.#voice.consumed = waiting.seq;
      this.#answered(step, waiting.seq);
      this.#voice.status('working');
    }
    this.#writer.mark();
    return waiting;
  }

  unanswered(step: string | undefined): void {
    if (step !== undefined) this.#record({ kind: 'unanswered', step });
    this.#voice.status('working');
    this.#writer.mark();
  }

  takeAnswer(step: string): QueuedMessage | undefined {
    const index = this.#queue.findIndex(({ seq }) => seq > this.#takenUpAt);
    const [waiting] = index < 0 ? [] : this.#queue.splice(index, 1);
    if (!waiting) return undefined;
    this.#voice.consumed = waiting.seq;
    this.#answered(step, waiting.seq, this.clock.now() - Date.parse(this.log.status.timestamp));
    this.#voice.status('working');
    this.#writer.mark();
    return waiting;
  }

  takeMessages(most: number, take: number | undefined): readonly Message[] {
    const taken = this.#queue.splice(0, most);
    this.#voice.consumed = taken.at(-1)?.seq ?? this.#voice.consumed;
    if (take !== undefined && taken.length > 0) {
      this.#record({ kind: 'taken', take, seqs: taken.map(({ seq }) => seq) });
      this.#writer.mark();
    }
    return taken.map((queued) => queued.message);
  }

  expired(limit: 'runTimeout' | 'inactivityTimeout'): void {
    this.#open(true);
    this.fail(limit === 'runTimeout' ? 'run-timeout' : 'inactivity-timeout');
  }

  whenCommitted(seq: number): Promise<void> {
    return this.#writer.whenCommitted(seq);
  }

  /** Resolves when all that the run has recorded is on disk. */
  whenRecorded(): Promise<void> {
    return this.log.recorded > this.log.committedRecords ? this.#writer.whenRecorded() : Promise.resolve();
  }

  snapshot(): Task {
    return this.log.snapshot();
  }

  // Inside

  /** Makes the task, if there is none yet: `working` unless the caller is about to say so itself. */
  #open(working: boolean): void {
    const opening = this.#opening;
    if (!opening) return;
    this.#opening = undefined;
    const messageSeq = opening.append(this.log, this.clock.now());
    this.#begun(messageSeq, opening.request);
    if (working && !this.#isQueued) this.#voice.status('working');
    this.#services.opened(this);
    opening.opened(this.whenCommitted(messageSeq));
    this.#writer.mark();
  }

  /** Records that a turn has begun, where it can be taken up again. */
  #begun(messageSeq: number, turn: TurnRequest): void {
    if (!this.#runner.resumable) return;
    const { owner: _, ...request } = turn;
    this.#record({ kind: 'turn', messageSeq, request });
  }

  #answered(step: string | undefined, messageSeq: number, waited?: number): void {
    if (step !== undefined) this.#record({ kind: 'answered', step, messageSeq, waited });
  }

  /** With how much the turn has written; where nothing runs, as it was at the last record. */
  #record(body: JournalBody): void {
    const replay = this.#replay;
    const mark: OutputMark = replay
      ? { written: replay.order.at(-1)?.written, upTo: replay.upTo }
      : { written: this.#turn?.written };
    this.log.record({ ...body, ...mark });
  }

  /** False while the task's first turn waits among those that may not work yet. */
  get #hasBegun(): boolean {
    return this.log.status.state !== 'submitted';
  }

  /** Runs the turn again, with what it had recorded. */
  #takeUp(replay: Replay, journal: TurnJournal): void {
    this.#record({ kind: 'resumed' });
    const hasBegun = this.#hasBegun;
    if (hasBegun && this.log.status.state !== 'working') this.#voice.status('working');
    this.#runAgain(replay, journal);
    if (!hasBegun && !this.#isQueued) this.#voice.status('working');
  }

  /** Runs the turn again up to the question that is still open, which nobody sees. */
  #waitAgain(replay: Replay): void {
    // Recorded once more, so that there is a commit that takes the lease.
    if (replay.openQuestion) this.#record({ kind: 'asked', ...replay.openQuestion });
    this.#runAgain(replay, new TurnJournal(this.clock, replay));
  }

  #isTooLate({ openQuestion }: Replay): boolean {
    return openQuestion?.answerBy !== undefined && this.clock.now() >= openQuestion.answerBy;
  }

  #runAgain(replay: Replay, journal: TurnJournal): void {
    this.#replay = undefined;
    this.#takenUpAt = this.log.seq;
    this.#voice.consumed = Math.max(this.#voice.consumed, replay.consumed);
    const { deadline } = replay.request;
    const request: TurnRequest = {
      ...replay.request,
      owner: this.log.identity.owner,
      deadline: deadline === undefined ? undefined : deadline + replay.waited,
    };
    this.#queue.unshift(...replay.unread.map((unread) => ({ ...unread, request })));
    const { message, messageSeq, beginSeq } = replay;
    const history = this.log.talkBefore(beginSeq, messageSeq);
    // Another node may be about to do the same: only the one whose commit succeeds may do anything.
    this.#startTurn({ message, history, request, messageSeq, journal }, { ready: this.whenRecorded() });
    if (!journal.isReplaying) for (const artifact of journal.resets) this.reset(artifact, 'ended');
  }

  #startTurn(start: TurnStart, { before, ready }: TurnBeginning = {}): void {
    const turn = new Turn(this, start);
    const { priority, nested = false } = start.request;
    this.#turn = turn;
    const slot = this.#services.slots.take({
      priority,
      isNested: nested,
      begin: () => {
        turn.begin();
        this.#begin(turn, ready);
      },
    });
    turn.hold(slot);
    this.#isQueued = !slot.isGranted;
    before?.();
    if (slot.isGranted) this.#run(turn, ready);
  }

  /** A turn that had to wait may begin. Its task was only submitted until now, if it is new. */
  #begin(turn: Turn, ready: Promise<void> | undefined): void {
    this.#isQueued = false;
    if (!this.#opening && !this.#hasBegun) {
      this.#voice.status('working');
      this.#writer.mark();
    }
    this.#run(turn, ready);
  }

  #run(turn: Turn, ready: Promise<void> | undefined): void {
    const run = () => (turn === this.#turn ? this.#runner.run(turn) : hangs);
    (ready ? ready.then(run) : run()).then(
      (end) => this.#ended(turn, end),
      (error: unknown) => this.#threw(turn, error),
    );
  }

  #nextTurn({ seq, message, request }: QueuedMessage): void {
    // A question that came after an unread message is known to the turn that the message starts; what is still unread
    // is not.
    const history = this.log.talkWithout(new Set([seq, ...this.#queue.map((queued) => queued.seq)]));
    this.#voice.consumed = seq;
    this.#replay = undefined;
    this.#begun(seq, request);
    const found = this.log.status;
    this.#voice.status('working');
    this.#startTurn({ message, history, request, found, messageSeq: seq, journal: this.#newJournal() });
  }

  #newJournal(): TurnJournal | undefined {
    return this.#runner.resumable ? new TurnJournal(this.clock) : undefined;
  }

  #ended(turn: Turn, end: TurnEnd): void {
    if (turn !== this.#turn || this.#canceling || this.#writer.isLost) return;
    if (end.state === 'reply' && this.#opening) {
      const opening = this.#opening;
      this.#finish(turn);
      this.#opening = undefined;
      opening.replied(this.newId(), end.message, this.contextId, this.#services.committer);
      return;
    }
    this.#open(true);
    const { unreachedSteps } = turn;
    turn.settle();
    this.#finish(turn);
    if (unreachedSteps.length > 0) {
      this.#mismatched(unreachedSteps);
      return;
    }
    this.log.endArtifacts(this.clock.now());
    this.#endStatus(end);
    const unread = this.#queue.shift();
    if (unread && !isTerminal(this.log.status.state)) this.#nextTurn(unread);
    this.#writer.mark();
  }

  #endStatus({ state, message, metadata }: TurnEnd): void {
    const { status, consumed } = this.log;
    // Whoever waits for the answer to a message that was taken since then needs another status.
    const isShown = state === status.state && !message && !metadata && consumed === this.#voice.consumed;
    if (!isShown) this.#voice.status(state === 'reply' ? 'completed' : state, message, { metadata });
  }

  #threw(turn: Turn, error: unknown): void {
    if (turn !== this.#turn || this.#canceling || this.#writer.isLost) return;
    this.#open(true);
    this.#finish(turn);
    if (InputError.isInstance(error)) {
      this.#voice.failed(INPUT_FAILURES[error.code], undefined, error.timeoutSeconds);
      this.#writer.mark();
      return;
    }
    const reference = this.newId();
    const { id: taskId, agent } = this.log.identity;
    this.#services.log.error('An agent failed', { reference, taskId, agent, error });
    const invalid = A2AError.isInstance(error) && error.code === 'INVALID_AGENT_RESPONSE';
    this.#voice.failed(invalid ? 'invalid-agent-response' : 'agent-error', reference);
    this.#writer.mark();
  }

  #mismatched(steps: readonly string[]): void {
    const { id: taskId, agent } = this.log.identity;
    this.#services.log.error('A resumed run did not do what was recorded', { taskId, agent, steps });
    this.#voice.failed('journal-mismatch');
    this.#writer.mark();
  }

  #finish(turn: Turn): void {
    turn.finish();
    this.#turn = undefined;
  }

  #refuseMessages(): void {
    requireOpen(this.log);
    const metadata = { taskId: this.taskId };
    if (this.#canceling) throw new A2AError('UNSUPPORTED_OPERATION', 'The task is being canceled', { metadata });
    const { refuseWhileWorking } = this.#runner;
    if (refuseWhileWorking !== undefined && this.#isWorking) {
      throw new A2AError('UNSUPPORTED_OPERATION', refuseWhileWorking, { metadata });
    }
    if (this.#turn && !this.#turn.isAsking && this.#queue.length >= this.limits.queuedMessages) {
      const waiting = `${this.#queue.length} messages are waiting for the agent to read them`;
      throw new A2AError('OVERLOADED', `${waiting}; try again later`, { metadata });
    }
  }

  /** A run is at work, or is about to be taken up. */
  get #isWorking(): boolean {
    return (this.#turn ?? this.#replay) !== undefined && !isInterrupted(this.log.status.state);
  }

  /** Nothing is pending: if nothing runs either, the store has it all. */
  #settled(): void {
    const isBusy = this.#turn !== undefined || this.#canceling !== undefined;
    if (!isBusy || isTerminal(this.log.committedStatus.state)) this.#services.idle(this);
  }

  #lost(error: A2AError): void {
    this.#turn?.leave(abortError('This server no longer holds the task'));
    this.#turn = undefined;
    this.#services.lost(this, error);
  }
}

interface TurnBeginning {
  /** Done once it is known whether the turn begins at once. */
  readonly before?: (() => void) | undefined;
  /** What the run has to wait for when it may begin. */
  readonly ready?: Promise<void> | undefined;
}

/** For a run that never begins. */
const hangs = new Promise<never>(() => {});

function abortError(message: string): Error {
  return new DOMException(message, 'AbortError');
}
