import { InputError, inputTimeout } from '../../model/errors/input-error.ts';
import { answeredIds, answerTo, openQuestionsOf } from '../../model/extensions/open-questions.ts';
import type { InterruptedState } from '../../model/states.ts';
import type { Message } from '../../model/task.ts';
import { alarm } from '../node/alarm.ts';
import { AT_WORK } from '../ports/task-head.ts';
import { isOverdue, type OpenQuestion } from '../replay/replay.ts';
import type { TurnJournal } from '../replay/turn-journal.ts';
import type { QueuedMessage } from '../task/messages/inbox.ts';
import { isSecret, QuestionSet, type RunQuestion } from './question-set.ts';
import type { RunLife } from './run-life.ts';
import type { RunTimer } from './run-timer.ts';
import type { AskDetails, MessageDraft, RunQuestions } from './runner.ts';
import type { TurnSteps } from './steps.ts';
import type { TurnTask } from './turn-task.ts';

interface QuestionParts {
  readonly task: TurnTask;
  readonly life: RunLife;
  readonly timer: RunTimer;
  readonly steps: TurnSteps;
  readonly journal: TurnJournal | undefined;
  /** The seq of the message that began the turn. */
  readonly messageSeq: number;
  /** The last seq of the log when the turn was taken up from an earlier process. */
  readonly takenUpAt: number;
}

/**
 * The questions that a run asks its caller. Several may be open: one status shows them all, and those that are asked in one
 * turn of the loop are shown together.
 */
export class TurnQuestions implements RunQuestions {
  readonly #parts: QuestionParts;
  readonly #task: TurnTask;
  readonly #timer: RunTimer;
  readonly #journal: TurnJournal | undefined;
  readonly #set = new QuestionSet();
  /** The names of questions that are no longer open. */
  readonly #closedIds: Set<string>;
  /** The open questions are about to be shown. */
  #isArranging = false;
  /** The status shows questions that are no longer open. */
  #isOutdated = false;
  /** The log's status shows what the run before had asked, and nothing has changed since. */
  #isAsLeft: boolean;
  /**
   * Some of the questions that were open together are answered: the run works on those answers while the status shows the
   * others. A restart must take it up, and not wait for the next answer.
   */
  #isAtWork: boolean;
  #ids = 0;
  #stopParking: (() => void) | undefined;

  constructor(parts: QuestionParts) {
    this.#parts = parts;
    this.#task = parts.task;
    this.#timer = parts.timer;
    this.#journal = parts.journal;
    this.#closedIds = new Set(parts.journal?.closedIds);
    this.#isAsLeft = showsAll(parts.task, parts.journal);
    this.#isAtWork = parts.task.log.answerBy === AT_WORK;
  }

  get isOpen(): boolean {
    return this.#set.open.length > 0;
  }

  /** The open questions and those that the run has not come to yet, oldest first; they have names where there are several. */
  get openQuestions(): readonly Pick<OpenQuestion, 'id'>[] {
    return [...this.#set.open, ...(this.#journal?.openQuestions ?? [])];
  }

  get closedIds(): ReadonlySet<string> {
    return this.#closedIds;
  }

  newId(): string {
    this.#ids += 1;
    return this.#journal ? `ask-${this.#parts.messageSeq}-${this.#ids}` : this.#task.services.newId();
  }

  async ask(prompt: MessageDraft, state: InterruptedState, details: AskDetails = {}): Promise<Message> {
    const { life, steps } = this.#parts;
    const { id = this.newId(), timeout = this.#longestWait(), isFresh = false, name } = details;
    await life.refusal();
    life.requireRunning();
    const journal = this.#journal;
    const step = journal && steps.numbered(name === undefined ? 'ask' : `ask ${name}`);
    await steps.reach(step);
    const recorded = step === undefined ? undefined : journal?.takeAnswer(step);
    if (recorded) return answerTo(recorded, id);
    if (step !== undefined && journal?.takeUnanswered(step)) throw inputTimeout(timeout ?? 0);
    const left = step === undefined ? undefined : journal?.takeQuestion(step);
    if (!left) this.#requireRoom();
    const answer = Promise.withResolvers<Message>();
    this.#put({
      id,
      prompt,
      state,
      step,
      timeout,
      isFresh,
      isRepeated: step !== undefined && !left && journal?.isReplaying === true,
      isLeft: left !== undefined,
      answer,
      answerBy: left?.answerBy,
      shownAt: this.#task.services.clock.now(),
      stopWait: undefined,
      // It may have been beside others that are answered by now.
      isNamed: left !== undefined,
    });
    return answerTo(await answer.promise, id);
  }

  /** Takes a message that came while questions are open. */
  receive(received: QueuedMessage): void {
    const { inbox } = this.#task;
    const answered = this.#set.answeredBy(received.message);
    // A run that repeats another gets what is new when it is where that was.
    const isEarly = this.#journal?.isReplaying === true && !answered.some(({ isRepeated }) => isRepeated);
    if (isEarly || answered.length === 0) {
      inbox.add(received);
      return;
    }
    inbox.consumed = received.seq;
    this.#close(answered, received);
    this.#settle();
  }

  /** Stops the waits, because the server stops: the process that takes the run up ends them. */
  leave(): void {
    for (const { stopWait } of this.#set.open) stopWait?.();
    this.#stopParking?.();
  }

  /** Rejects the open questions, because the run was aborted. */
  abort(reason: Error): void {
    for (const { answer } of this.#set.clear()) {
      answer.promise.catch(() => {});
      answer.reject(reason);
    }
  }

  #requireRoom(): void {
    const most = this.#timer.limits.openQuestions;
    if (this.#set.size < most) return;
    throw new InputError(
      'TOO_MANY_QUESTIONS',
      `${most} questions are open, which is as many as may be (openQuestions)`,
    );
  }

  #put(question: RunQuestion): void {
    if (question.isLeft && this.#isAsLeft) {
      this.#set.addOpen(question);
      this.#begin(question);
      if (this.#journal?.isReplaying !== true && this.#giveUnread([question])) this.#settle();
      return;
    }
    this.#set.add(question);
    // A run that repeats another comes to all that was open before it shows what is left of that.
    if (question.isRepeated || this.#journal?.isReplaying !== true) this.#arrangeLater();
  }

  /** The run is where the one before it was, but for the last step of that, which it gets in this turn of the loop. */
  catchUp(): void {
    const { clock } = this.#task.services;
    clock.nextTurn(() => {
      if (this.#parts.life.phase !== 'running') return;
      if (this.#giveUnread(this.#set.open)) this.#settle();
      const now = clock.now();
      for (const question of this.#set.open)
        if (isOverdue(question, now)) this.#giveUp(question, question.timeout ?? 0);
      if (!this.#set.isEmpty) this.#arrangeLater();
    });
  }

  /** Questions asked in one turn of the event loop are shown together, also those repeated after an unfit answer. */
  #arrangeLater(): void {
    if (this.#isArranging) return;
    this.#isArranging = true;
    this.#task.services.clock.nextTurn(() => {
      this.#isArranging = false;
      if (this.#parts.life.phase === 'running') this.#arrange();
    });
  }

  /** Shows all open questions, with those that may be shown from now on. */
  #arrange(): void {
    const { output, records, writer, services } = this.#task;
    const admitted = this.#set.admit();
    const [first] = this.#set.open;
    if (!first || (admitted.length === 0 && !this.#isOutdated)) return;
    this.#isOutdated = false;
    const now = services.clock.now();
    for (const question of admitted) {
      const { timeout, isLeft } = question;
      question.shownAt = now;
      if (!isLeft && timeout !== undefined) question.answerBy = now + timeout;
    }
    output.makeTask();
    // In a run that cannot be resumed nothing could end the wait after a restart.
    const answerBy = this.#journal && (this.#isAtWork ? AT_WORK : this.#set.answerBy);
    output.appendStatus(first.state, this.#set.prompt(), { asking: true, answerBy });
    this.#isAsLeft = false;
    for (const { step, isRepeated, isLeft, answerBy: until, id } of admitted) {
      if (step !== undefined && !isRepeated && !isLeft) records.append({ kind: 'asked', step, answerBy: until, id });
    }
    for (const question of admitted) this.#begin(question);
    if (this.#giveUnread(admitted)) this.#settle();
    writer.mark();
  }

  /** Some questions were closed: shows those that are left, or that the run goes on. */
  #settle(): void {
    const { output, writer } = this.#task;
    if (this.#set.open.length === 0) {
      this.#timer.resume();
      this.#stopParking?.();
      this.#stopParking = undefined;
      // Also where others are about to be shown: answered questions must not be answered again.
      output.appendStatus('working');
      this.#isAtWork = false;
    } else if (this.#journal) {
      this.#isAtWork = true;
      this.#task.log.answerBy = AT_WORK;
    }
    if (!this.#set.isEmpty) this.#arrangeLater();
    writer.mark();
  }

  /** Begins to wait for the answer to a question that is shown. */
  #begin(question: RunQuestion): void {
    const { clock } = this.#task.services;
    const since = question.isLeft ? Date.parse(this.#task.log.status.timestamp) : clock.now();
    if (!this.#timer.isPaused) this.#timer.pause(since);
    if (question.answerBy !== undefined) this.#waitUntil(question, question.answerBy);
    if (question.step !== undefined && !this.#stopParking) this.#parkLater();
  }

  /** Takes messages that are already waiting as answers; returns true if there was one. */
  #giveUnread(questions: readonly RunQuestion[]): boolean {
    const { inbox, services } = this.#task;
    const now = services.clock.now();
    let hasGiven = false;
    for (const question of questions) {
      const { isLeft, isFresh } = question;
      if (!this.#set.open.includes(question) || isOverdue(question, now) || (isFresh && !isLeft)) continue;
      const waiting = inbox.takeNext(0, (message) => this.#isFor(question, message));
      if (!waiting) continue;
      this.#close(this.#set.answeredBy(waiting.message), waiting);
      hasGiven = true;
    }
    return hasGiven;
  }

  /**
   * A message that came before the question was not meant to be a secret. One that was there before the run was taken up was
   * not meant for a question that was open then, unless it names it.
   */
  #isFor(question: RunQuestion, { seq, message, isSecret: isSecretMessage }: QueuedMessage): boolean {
    if (question.isLeft && seq <= this.#parts.takenUpAt && !answeredIds(message).includes(question.id)) return false;
    if (isSecret(question) && !question.isLeft && isSecretMessage !== true) return false;
    return this.#set.answeredBy(message).includes(question);
  }

  #close(questions: readonly RunQuestion[], { seq, message }: Pick<QueuedMessage, 'seq' | 'message'>): void {
    const { records } = this.#task;
    for (const question of questions) {
      const { step, isRepeated, answer } = question;
      const waited = this.#timer.lap();
      question.stopWait?.();
      this.#remove(question);
      if (isRepeated && step !== undefined) records.append({ kind: 'answered-again', step, messageSeq: seq });
      else records.appendAnswered(step, seq, waited);
      this.#parts.steps.afterResults(() => answer.resolve(message));
    }
  }

  #remove(question: RunQuestion): void {
    this.#set.remove(question);
    this.#closedIds.add(question.id);
    this.#isOutdated = true;
  }

  #waitUntil(question: RunQuestion, answerBy: number): void {
    question.stopWait = alarm(this.#task.services.clock, answerBy, () => {
      // A run that repeats another finds it out when it is where that was.
      if (this.#journal?.isReplaying !== true || question.isRepeated) this.#giveUp(question, question.timeout ?? 0);
    });
  }

  /** A run that cannot be resumed is held in memory while it waits, which is not for ever. */
  #longestWait(): number | undefined {
    const { askTimeout } = this.#timer.limits;
    return this.#journal || !Number.isFinite(askTimeout) ? undefined : askTimeout;
  }

  /**
   * Lets the run go once its caller has taken long: it is taken up from its journal with the answer. A run that cannot be
   * let go waits no longer than one that cannot be resumed.
   */
  #parkLater(): void {
    const { clock } = this.#task.services;
    const { parkAfter, askTimeout } = this.#timer.limits;
    if (!Number.isFinite(parkAfter)) return;
    this.#stopParking = clock.after(parkAfter, () => {
      if (this.#task.park(this.#set.answerBy)) return;
      const now = clock.now();
      const overdue = this.#set.open.filter(
        ({ answerBy, shownAt }) => answerBy === undefined && now - shownAt >= askTimeout,
      );
      this.#stopParking = undefined;
      for (const question of overdue) this.#giveUp(question, askTimeout);
      if (this.isOpen) this.#parkLater();
    });
  }

  #giveUp(question: RunQuestion, timeout: number): void {
    const { step, isRepeated, stopWait, answer } = question;
    stopWait?.();
    this.#remove(question);
    if (step !== undefined && !isRepeated) this.#task.records.append({ kind: 'unanswered', step });
    this.#settle();
    this.#parts.steps.afterResults(() => answer.reject(inputTimeout(timeout)));
  }
}

/** True where the status of the log shows all the questions that the run before has left open, and no others. */
function showsAll({ log }: TurnTask, journal: TurnJournal | undefined): boolean {
  if (!log.asking || !journal) return false;
  const shown = log.status.message ? openQuestionsOf(log.status.message).length : 0;
  return Math.max(shown, 1) === journal.openQuestions.length;
}
