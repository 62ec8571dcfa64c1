import { inputTimeout } from '../../model/errors/input-error.ts';
import { awaitsSecret } from '../../model/secrets.ts';
import type { Message } from '../../model/task.ts';
import type { TurnJournal } from '../replay/turn-journal.ts';
import type { RunLife } from './run-life.ts';
import type { RunTimer } from './run-timer.ts';
import type { AskDetails, MessageDraft, RunQuestions } from './runner.ts';
import type { TurnSteps } from './steps.ts';
import type { TurnTask } from './turn-task.ts';

type AskingState = 'input-required' | 'auth-required';

interface RecordedQuestion {
  /** The name under which the question is recorded; undefined in a turn that cannot be resumed. */
  readonly step: string | undefined;
  /** In milliseconds since the epoch. */
  readonly answerBy: number | undefined;
  readonly isFresh: boolean;
  /** The run before had an answer, a secret that nobody has any more. Its place among the steps is recorded. */
  readonly isRepeated: boolean;
}

interface OpenQuestion {
  readonly step: string | undefined;
  readonly isRepeated: boolean;
  readonly answer: PromiseWithResolvers<Message>;
}

export interface QuestionParts {
  readonly task: TurnTask;
  readonly life: RunLife;
  readonly timer: RunTimer;
  readonly steps: TurnSteps;
  readonly journal: TurnJournal | undefined;
  /** The last seq of the log when the turn was taken up from an earlier process. */
  readonly takenUpAt: number;
}

/** The questions that a run asks its caller, one at a time. */
export class TurnQuestions implements RunQuestions {
  readonly #task: TurnTask;
  readonly #life: RunLife;
  readonly #timer: RunTimer;
  readonly #steps: TurnSteps;
  readonly #journal: TurnJournal | undefined;
  readonly #takenUpAt: number;
  #open: OpenQuestion | undefined;
  /** A question waits for its place in the recorded order. */
  #isReaching = false;
  #stopWait: (() => void) | undefined;
  #stopParking: (() => void) | undefined;

  constructor({ task, life, timer, steps, journal, takenUpAt }: QuestionParts) {
    this.#task = task;
    this.#life = life;
    this.#timer = timer;
    this.#steps = steps;
    this.#journal = journal;
    this.#takenUpAt = takenUpAt;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Records the message at this seq as the answer to the open question. */
  recordAnswer(seq: number, waited: number): void {
    if (this.#open) this.#recordAnswer(this.#open, seq, waited);
  }

  async ask(prompt: MessageDraft, state: AskingState, details: AskDetails = {}): Promise<Message> {
    const { timeout = this.#longestWait(), isFresh = false } = details;
    await this.#life.refusal();
    this.#life.requireRunning();
    if (this.#open || this.#isReaching) {
      throw new Error('A question of this run is still open: await it before asking the next one');
    }
    const step = this.#journal && this.#steps.numbered('ask');
    this.#isReaching = true;
    await this.#steps.reach(step).finally(() => {
      this.#isReaching = false;
    });
    const recorded = step === undefined ? undefined : this.#journal?.takeAnswer(step);
    if (recorded) return recorded;
    if (step !== undefined && this.#journal?.takeUnanswered(step)) throw inputTimeout(timeout ?? 0);
    const left = step === undefined ? undefined : this.#journal?.takeQuestion(step);
    const now = this.#task.services.clock.now();
    const answerBy = left ? left.answerBy : timeout === undefined ? undefined : now + timeout;
    const isRepeated = step !== undefined && !left && this.#journal?.isReplaying === true;
    const isLate = answerBy !== undefined && now >= answerBy;
    const waiting = left
      ? !isLate && this.#takeAnswer(left.step)
      : this.#show(prompt, state, { step, answerBy, isFresh, isRepeated });
    if (waiting) return waiting;
    this.#timer.pause();
    const answer = Promise.withResolvers<Message>();
    this.#open = { step, answer, isRepeated };
    if (answerBy !== undefined) this.#waitUntil(answerBy, timeout ?? 0);
    if (step !== undefined) this.#parkLater(answerBy);
    return answer.promise;
  }

  /** Gives the open question its answer. */
  answer(message: Message): void {
    this.#close()?.resolve(message);
  }

  /** Stops the wait, because the server stops: the process that takes the run up ends it. */
  leave(): void {
    this.#stopWait?.();
    this.#stopParking?.();
  }

  /** Rejects the open question, because the run was aborted. */
  abort(reason: Error): void {
    this.#open?.answer.promise.catch(() => {});
    this.#open?.answer.reject(reason);
    this.#open = undefined;
  }

  /** Appends the question; takes a message that is already waiting as its answer, unless that must be a new one. */
  #show(prompt: MessageDraft, state: AskingState, question: RecordedQuestion): Message | undefined {
    const { step, answerBy, isFresh, isRepeated } = question;
    const { output, inbox, records, writer } = this.#task;
    output.makeTask();
    // In a run that cannot be resumed nothing could end the wait after a restart.
    output.appendStatus(state, prompt, { asking: true, answerBy: step === undefined ? undefined : answerBy });
    if (step !== undefined && !isRepeated) records.append({ kind: 'asked', step, answerBy });
    // A message that came before the question was not meant to be a secret.
    const waiting = isFresh ? undefined : inbox.takeNext(0, awaitsSecret({ state, message: prompt }));
    if (waiting) {
      this.#recordAnswer(question, waiting.seq);
      output.appendStatus('working');
    }
    writer.mark();
    return waiting?.message;
  }

  /** Takes a message that came since the run was taken up as the answer to a question that was open then. */
  #takeAnswer(step: string): Message | undefined {
    const { output, inbox, records, writer, log, services } = this.#task;
    const waiting = inbox.takeNext(this.#takenUpAt);
    if (!waiting) return undefined;
    records.appendAnswered(step, waiting.seq, services.clock.now() - Date.parse(log.status.timestamp));
    output.appendStatus('working');
    writer.mark();
    return waiting.message;
  }

  #recordAnswer({ step, isRepeated }: Pick<OpenQuestion, 'step' | 'isRepeated'>, seq: number, waited?: number): void {
    const { records } = this.#task;
    if (isRepeated && step !== undefined) records.append({ kind: 'answered-again', step, messageSeq: seq });
    else records.appendAnswered(step, seq, waited);
  }

  #waitUntil(answerBy: number, timeout: number): void {
    const { clock } = this.#task.services;
    this.#stopWait = clock.after(Math.max(answerBy - clock.now(), 0), () => {
      // A clock's timer may be shorter than what it was asked for.
      if (clock.now() < answerBy) this.#waitUntil(answerBy, timeout);
      else this.#giveUp(timeout);
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
  #parkLater(answerBy: number | undefined): void {
    const { clock } = this.#task.services;
    const { limits } = this.#timer;
    if (!Number.isFinite(limits.parkAfter)) return;
    this.#stopParking = clock.after(limits.parkAfter, () => {
      if (this.#task.park(answerBy)) return;
      if (answerBy === undefined && this.#timer.waited >= limits.askTimeout) this.#giveUp(limits.askTimeout);
      else this.#parkLater(answerBy);
    });
  }

  #giveUp(timeout: number): void {
    const { output, records, writer } = this.#task;
    const { step, isRepeated } = this.#open ?? {};
    if (step !== undefined && !isRepeated) records.append({ kind: 'unanswered', step });
    output.appendStatus('working');
    writer.mark();
    this.#close()?.reject(inputTimeout(timeout));
  }

  #close(): PromiseWithResolvers<Message> | undefined {
    const answer = this.#open?.answer;
    this.leave();
    this.#stopWait = undefined;
    this.#stopParking = undefined;
    this.#open = undefined;
    this.#timer.resume();
    return answer;
  }
}
