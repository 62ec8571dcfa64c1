import type { JsonObject } from '../../model/basics/json.ts';
import type { TraceContext } from '../../model/call.ts';
import { traceMark } from '../../model/extensions/trace.ts';
import type { Message, TaskStatus } from '../../model/task.ts';
import type { OpenQuestion } from '../replay/replay.ts';
import type { TurnJournal } from '../replay/turn-journal.ts';
import { TurnConversation } from './conversation.ts';
import { TurnMessages } from './messages.ts';
import { TurnQuestions } from './question.ts';
import { RunLife } from './run-life.ts';
import type { RunSlot } from './run-slots.ts';
import { RunTimer } from './run-timer.ts';
import type { CancelHandler, MessageDraft, RunHandle, TurnRequest } from './runner.ts';
import { TurnSteps } from './steps.ts';
import type { TurnStart, TurnTask } from './turn-task.ts';
import { TurnWriter } from './turn-writer.ts';

/** The last moment that a Date can hold. */
const LATEST_DATE = 8.64e15;

/**
 * One turn of an agent, until it is over or aborted. The run sees it as `RunHandle`; the parts that most runs never use
 * are made when they are first read.
 */
export class Turn implements RunHandle {
  readonly message: Message;
  readonly history: readonly Message[];
  readonly request: TurnRequest;
  readonly statusBefore: TaskStatus | undefined;
  readonly output: TurnWriter;
  readonly #task: TurnTask;
  readonly #life = new RunLife(this);
  readonly #timer: RunTimer;
  readonly #journal: TurnJournal | undefined;
  readonly #messageSeq: number;
  readonly #takenUpAt: number;
  #steps: TurnSteps | undefined;
  #questions: TurnQuestions | undefined;
  #messages: TurnMessages | undefined;
  #conversation: TurnConversation | undefined;
  #trace: TraceContext | undefined;
  #ids = 0;

  constructor(task: TurnTask, start: TurnStart) {
    this.#task = task;
    this.message = start.message;
    this.history = start.history;
    this.request = start.request;
    this.statusBefore = start.statusBefore;
    this.#journal = start.journal;
    this.#messageSeq = start.messageSeq;
    this.#takenUpAt = start.takenUpAt ?? 0;
    this.#timer = new RunTimer(task, start.request);
    this.output = new TurnWriter(task, this.#life, start.journal);
    task.output.endMetadata = undefined;
    this.#journal?.begin(() => this.#catchUp());
    this.trace = start.request.traceContext;
  }

  // The run's view

  get taskId(): string {
    return this.#task.log.identity.id;
  }

  get contextId(): string {
    return this.#task.log.identity.contextId;
  }

  get trace(): TraceContext | undefined {
    return this.#trace;
  }

  set trace(trace: TraceContext | undefined) {
    const { extensions, showsTrace } = this.request;
    this.#trace = trace;
    this.#task.output.mark = trace && traceMark(trace, extensions, showsTrace);
  }

  get signal(): AbortSignal {
    return this.#life.signal;
  }

  get isAborted(): boolean {
    return this.#life.isAborted;
  }

  get goesOnElsewhere(): boolean {
    return this.#life.goesOnElsewhere;
  }

  get attempt(): number {
    return this.#journal?.attempt ?? 1;
  }

  get deadline(): Date {
    return new Date(Math.min(this.#timer.deadline, LATEST_DATE));
  }

  get steps(): TurnSteps {
    this.#steps ??= new TurnSteps(this.#task, this.#life, this.#journal, this.#messageSeq);
    return this.#steps;
  }

  get questions(): TurnQuestions {
    this.#questions ??= new TurnQuestions({
      task: this.#task,
      life: this.#life,
      timer: this.#timer,
      steps: this.steps,
      journal: this.#journal,
      messageSeq: this.#messageSeq,
      takenUpAt: this.#takenUpAt,
    });
    return this.#questions;
  }

  get messages(): TurnMessages {
    this.#messages ??= new TurnMessages(this.#task, this.#life, this.#timer, this.#journal);
    return this.#messages;
  }

  get conversation(): TurnConversation {
    this.#conversation ??= new TurnConversation(this.#task, this.steps, this.#journal !== undefined, this.#messageSeq);
    return this.#conversation;
  }

  newId(kind = 'artifact'): string {
    this.#ids += 1;
    return this.#journal ? `${kind}-${this.#messageSeq}-${this.#ids}` : this.#task.services.newId();
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.#task.services.clock.after(milliseconds, callback);
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#task.services.clock.nextTurn(resolve));
  }

  warn(message: string, details: Readonly<Record<string, unknown>>): void {
    const { id: taskId, agent } = this.#task.log.identity;
    const { services, secrets } = this.#task;
    services.logger.warn(secrets.hideIn(message), secrets.hideInDetails({ taskId, agent, ...details }));
  }

  onCancel(handler: CancelHandler): void {
    this.#life.onCancel(handler);
  }

  atEnd(metadata: JsonObject): void {
    if (!this.isAborted) this.#task.output.endMetadata = metadata;
  }

  // The task's view

  /** The run waits for answers. */
  get isAsking(): boolean {
    return this.#questions?.isOpen === true;
  }

  /** The questions that an answer may name, oldest first. */
  get openQuestions(): readonly Pick<OpenQuestion, 'id'>[] {
    return this.#questions?.openQuestions ?? this.#journal?.openQuestions ?? [];
  }

  /** The names of questions that are no longer open. */
  get closedIds(): ReadonlySet<string> | undefined {
    return this.#questions?.closedIds ?? this.#journal?.closedIds;
  }

  /** The run does nothing but wait for an answer, as far as the task knows. */
  get onlyAsks(): boolean {
    return this.isAsking && this.#steps?.areUnderWay !== true && this.#messages?.areAwaited !== true;
  }

  /** The amount that the turn has written. */
  get written(): number | undefined {
    return this.#journal?.written;
  }

  /** Recorded steps that the run has not come to. */
  get unreachedSteps(): readonly string[] {
    return this.#journal?.unreached ?? [];
  }

  /** Gives the turn its right to work, or its place among those that wait for it. */
  hold(slot: RunSlot): void {
    this.#timer.hold(slot);
  }

  /** Begins a turn that had to wait for its slot. */
  begin(): void {
    this.#timer.begin();
  }

  leaveQuestion(): void {
    this.#questions?.leave();
  }

  /** A message has come to the task. */
  notify(): void {
    this.#messages?.notify();
  }

  /** Aborts the signal, then lets the cancel handlers write for a while; resolves with their last message. */
  cancel(reason: Error): Promise<MessageDraft | undefined> {
    this.#abort(reason, 'canceling');
    const { clock, limits } = this.#task.services;
    return this.#life.runCancelHandlers(clock, limits.cancelGrace);
  }

  /** Ends the turn here; another process takes it up. */
  leave(reason: Error): void {
    this.#life.goesOnElsewhere = this.#journal !== undefined;
    this.stop(reason);
  }

  /** Ends the turn; whatever the run still writes is dropped. */
  stop(reason: Error): void {
    this.#abort(reason, 'over');
  }

  /** Ends a turn whose run has returned. */
  finish(): void {
    this.#life.end();
    this.#timer.stop();
    this.#questions?.leave();
    this.#messages?.close();
  }

  #abort(reason: Error, phase: 'canceling' | 'over'): void {
    this.#life.abort(reason, phase);
    this.#timer.stop();
    this.#questions?.leave();
    this.#journal?.abandon();
    this.#life.signalAbort();
    this.#questions?.abort(reason);
    this.#messages?.close();
  }

  /** The run is where the one before it was. */
  #catchUp(): void {
    if (!this.#journal || this.#life.phase !== 'running') return;
    this.output.catchUp(this.#journal);
    this.#questions?.catchUp();
    if (this.#task.inbox.size > 0) this.notify();
  }
}
