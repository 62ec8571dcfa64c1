import { isA2AError } from '../../model/errors/errors.ts';
import { type InputErrorCode, isInputError } from '../../model/errors/input-error.ts';
import { isTerminal } from '../../model/states.ts';
import type { TaskStatus } from '../../model/task.ts';
import type { TaskLog } from '../log/task-log.ts';
import type { TaskWriter } from '../log/task-writer.ts';
import { ENDLESS_TENURE } from '../node/tenure.ts';
import { leaveToAny } from '../queue/leave-turn.ts';
import type { WaitingTurn } from '../queue/queued-turn.ts';
import { TurnJournal } from '../replay/turn-journal.ts';
import type { RunSlot } from '../turn/run-slots.ts';
import type { Runner, TurnEnd } from '../turn/runner.ts';
import { Turn } from '../turn/turn.ts';
import type { TurnStart, TurnTask } from '../turn/turn-task.ts';
import { type FailureReason, failureText } from './failure-reasons.ts';
import type { Inbox, QueuedMessage } from './messages/inbox.ts';
import { SecretWords } from './secret-words.ts';
import type { TaskOutput } from './task-output.ts';
import type { TaskRecords } from './task-records.ts';
import type { TaskServices } from './task-services.ts';

export interface TaskParts {
  readonly services: TaskServices;
  readonly runner: Runner;
  readonly log: TaskLog;
  readonly writer: TaskWriter;
  readonly output: TaskOutput;
  readonly inbox: Inbox;
  readonly records: TaskRecords;
  /** The run was let go while it waits for an answer: the store has all of the task. */
  readonly parked: (answerBy: number | undefined) => void;
}

interface TurnBeginning {
  /** Called once it is known whether the turn begins at once. */
  readonly before?: (() => void) | undefined;
  /** The run waits for this when it may begin. */
  readonly ready?: Promise<void> | undefined;
}

/** The reason of a failed task, by the error that its run did not catch. */
const INPUT_FAILURES: Readonly<Record<InputErrorCode, FailureReason>> = {
  INPUT_TIMEOUT: 'input-timeout',
  INVALID_ANSWER: 'invalid-answer',
  TOOL_FAILED: 'tool-failed',
  TOOL_NOT_DECLARED: 'tool-failed',
  TOO_MANY_QUESTIONS: 'too-many-questions',
};

/** The turns of one task, one at a time: begins them, runs the agent, and appends what they end with. */
export class TaskTurns implements TaskParts, TurnTask {
  readonly services: TaskServices;
  readonly runner: Runner;
  readonly log: TaskLog;
  readonly writer: TaskWriter;
  readonly output: TaskOutput;
  readonly inbox: Inbox;
  readonly records: TaskRecords;
  readonly parked: TaskParts['parked'];
  /** The task is being canceled: a turn that ends meanwhile does not say how the task ends. */
  isCanceling = false;
  readonly secrets = new SecretWords();
  /** The next turn, while it waits for any node. */
  waiting: WaitingTurn | undefined;
  /** The slot of the turn that begins next, where it was taken before. */
  slot: RunSlot | undefined;
  #current: Turn | undefined;
  #isQueued = false;

  constructor({ services, runner, log, writer, output, inbox, records, parked }: TaskParts) {
    this.services = services;
    this.runner = runner;
    this.log = log;
    this.writer = writer;
    this.output = output;
    this.inbox = inbox;
    this.records = records;
    this.parked = parked;
  }

  get current(): Turn | undefined {
    return this.#current;
  }

  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  /** The current turn waits for a slot before it may begin, or the next one for any node. */
  get isQueued(): boolean {
    return this.#isQueued || this.isWaiting;
  }

  /** The next turn waits for any node. */
  get isWaiting(): boolean {
    return this.waiting !== undefined;
  }

  /** False while the task's first turn waits for a slot. */
  get hasBegun(): boolean {
    return this.log.status.state !== 'submitted';
  }

  newJournal(): TurnJournal | undefined {
    return this.runner.resumable ? new TurnJournal(this.services.clock) : undefined;
  }

  start(start: TurnStart, { before, ready }: TurnBeginning = {}): void {
    const turn = new Turn(this, start);
    this.#current = turn;
    const slot = this.slot ?? this.#takeSlot(turn, ready);
    this.slot = undefined;
    turn.hold(slot);
    this.#isQueued = !slot.isGranted;
    before?.();
    if (slot.isGranted) this.#run(turn, ready);
  }

  #takeSlot(turn: Turn, ready: Promise<void> | undefined): RunSlot {
    const { priority, nested = false } = turn.request;
    return this.services.slots.take({
      priority,
      isNested: nested,
      begin: () => {
        turn.begin();
        this.#beginQueued(turn, ready);
      },
    });
  }

  /** Begins another turn with a message that is in the log, or leaves it to any node. */
  beginNext(next: QueuedMessage): void {
    const statusBefore = this.log.status;
    this.inbox.consumed = next.seq;
    this.records.unfinished = undefined;
    // Another node may take the same task up: only the one whose commit succeeds may run the agent.
    const isHeld = this.services.tenure === ENDLESS_TENURE || this.log.isHeldHere;
    if (leaveToAny(this, next.request, next, statusBefore)) {
      this.output.appendStatus('working', undefined, { queued: true });
      return;
    }
    this.beginWith(next, statusBefore, isHeld ? undefined : this.writer.flushed());
  }

  /** Begins a turn with a message that is in the log. */
  beginWith(
    { seq, message, request, isSecret }: QueuedMessage,
    statusBefore: TaskStatus | undefined,
    ready?: Promise<void>,
  ): void {
    // The turn knows a question that was asked after its message came, but no message that is still unread.
    const history = this.log.talkWithout(new Set([seq, ...this.inbox.seqs]));
    this.inbox.consumed = seq;
    if (this.runner.resumable) this.records.appendTurn(seq, request, isSecret);
    this.showWorking(this.slot === undefined && this.services.slots.mustWait(request.nested === true));
    this.start({ message, history, request, statusBefore, messageSeq: seq, journal: this.newJournal() }, { ready });
  }

  /** Says that the task works, and once more when a turn that had to wait begins: so the log tells the one from the other. */
  showWorking(isQueued: boolean): void {
    if (this.log.status.state === 'working' && !this.log.queued) return;
    const isFirst = !this.hasBegun;
    this.output.appendStatus('working', undefined, isQueued || isFirst ? { queued: isQueued } : undefined);
  }

  /** The turn that waited for any node begins here, or never. */
  stopWaiting(): void {
    if (!this.waiting) return;
    this.waiting = undefined;
    this.log.queue(null);
  }

  /** Stops the turn, if there is one, and ends the task as failed. */
  fail(reason: FailureReason): void {
    if (isTerminal(this.log.status.state) || this.isCanceling) return;
    this.#current?.stop(abortError(failureText(reason)));
    this.#current = undefined;
    this.stopWaiting();
    this.output.appendFailure(reason);
    this.writer.mark();
  }

  expire(limit: 'runTimeout' | 'inactivityTimeout'): void {
    this.output.makeTask();
    this.fail(limit === 'runTimeout' ? 'run-timeout' : 'inactivity-timeout');
  }

  /** Ends the turn here; another process may take it up. */
  leave(why: string): void {
    this.#current?.leave(abortError(why));
    this.#current = undefined;
  }

  park(answerBy: number | undefined): boolean {
    const { log, inbox, secrets, services } = this;
    const { isEmpty, nextCommit, commits } = log.pending;
    const isSettled = isEmpty && nextCommit === commits + 1 && inbox.size === 0 && !this.isCanceling;
    // Without a key the journal has no secrets, and the run would ask for them again.
    const isKept = secrets.isEmpty || services.vault !== undefined;
    if (!isSettled || !isKept || this.writer.isLost || !this.#current?.onlyAsks) return false;
    this.leave('The run waits for its answer outside of the memory');
    this.parked(answerBy);
    return true;
  }

  /** Forgets the turn, which was canceled. */
  drop(): void {
    this.#current = undefined;
    this.stopWaiting();
  }

  /** A turn that waited for a slot begins. Until now a new task has only been submitted. */
  #beginQueued(turn: Turn, ready: Promise<void> | undefined): void {
    this.#isQueued = false;
    if (!this.output.opening && (!this.hasBegun || this.log.queued)) {
      this.showWorking(false);
      this.writer.mark();
    }
    this.#run(turn, ready);
  }

  #run(turn: Turn, ready: Promise<void> | undefined): void {
    const fail = (error: unknown) => this.#endWithError(turn, error);
    const run = () => {
      // Otherwise it was dropped before it could begin.
      if (turn === this.#current) void this.runner.run(turn).then((end) => this.#end(turn, end), fail);
    };
    const { tenure } = this.services;
    // Past its lease a node begins nothing: another one may be about to do the same.
    const held = tenure.isGood ? ready : Promise.all([ready, tenure.renewed()]);
    if (held) held.then(run).catch(fail);
    else run();
  }

  #isStale(turn: Turn): boolean {
    return turn !== this.#current || this.isCanceling || this.writer.isLost;
  }

  #finish(turn: Turn): void {
    turn.finish();
    this.#current = undefined;
  }

  #end(turn: Turn, end: TurnEnd): void {
    if (this.#isStale(turn)) return;
    const { opening } = this.output;
    if (end.state === 'reply' && opening) {
      this.#finish(turn);
      this.output.opening = undefined;
      opening.reply(this.services.newId(), end.message, this.log.identity.contextId, this.services.committer);
      return;
    }
    this.output.makeTask();
    const { unreachedSteps } = turn;
    turn.output.settle();
    this.#finish(turn);
    if (unreachedSteps.length > 0) {
      this.#endMismatched(unreachedSteps);
      return;
    }
    this.output.appendEnd(end);
    const unread = isTerminal(this.log.status.state) ? undefined : this.inbox.takeNext();
    if (unread) this.beginNext(unread);
    this.writer.mark();
  }

  #endWithError(turn: Turn, error: unknown): void {
    if (this.#isStale(turn)) return;
    this.output.makeTask();
    this.#finish(turn);
    if (isInputError(error)) {
      // Only the caller can declare the missing tool.
      const said = error.code === 'TOOL_NOT_DECLARED' ? this.secrets.hideIn(error.message) : undefined;
      this.output.appendFailure(INPUT_FAILURES[error.code], undefined, error.timeoutSeconds, said);
      this.writer.mark();
      return;
    }
    const reference = this.services.newId();
    const isInvalid = isA2AError(error) && error.code === 'INVALID_AGENT_RESPONSE';
    this.output.appendFailure(isInvalid ? 'invalid-agent-response' : 'agent-error', reference);
    this.writer.mark();
    // After the task has ended: nothing that logs can keep it from that.
    const { id: taskId, agent } = this.log.identity;
    this.services.logger.error('An agent failed', this.secrets.hideInDetails({ reference, taskId, agent, error }));
  }

  #endMismatched(steps: readonly string[]): void {
    const { id: taskId, agent } = this.log.identity;
    this.services.logger.error(
      'A resumed run did not do what was recorded: its code has changed, or it did this inside a step',
      { taskId, agent, steps },
    );
    this.output.appendFailure('journal-mismatch');
    this.writer.mark();
  }
}

export function abortError(message: string): Error {
  return new DOMException(message, 'AbortError');
}
