import { inputTimeout } from '../../model/input-error.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import { textOf } from '../../model/parts.ts';
import type { InterruptedState } from '../../model/states.ts';
import type { Message, Task, TaskStatus } from '../../model/task.ts';
import type { OpenQuestion } from '../replay/replay.ts';
import type { TurnJournal } from '../replay/turn-journal.ts';
import { amountOf, tailOf } from '../replay/written-amount.ts';
import type { EarlierTasksQuery } from '../task/conversations.ts';
import type { RunSlot } from './run-slots.ts';
import { RunTimer } from './run-timer.ts';
import type {
  AskDetails,
  CancelHandler,
  ChunkDraft,
  MessageDraft,
  RunHandle,
  StepAction,
  TurnRequest,
} from './runner.ts';
import type { TurnHost, TurnStart } from './turn-host.ts';

/** The last moment that a Date can hold. */
const LATEST_DATE = 8.64e15;

const ALREADY_WRITTEN = Promise.resolve();

type Phase = 'running' | 'canceling' | 'over';

/** One turn of an agent: what its run may do, until it is over or aborted. */
export class Turn implements RunHandle {
  readonly message: Message;
  readonly history: readonly Message[];
  readonly request: TurnRequest;
  readonly found: TaskStatus | undefined;
  readonly #host: TurnHost;
  #controller: AbortController | undefined;
  #abortReason: Error | undefined;
  readonly #cancelHandlers: CancelHandler[] = [];
  #phase: Phase = 'running';
  #goesOnElsewhere = false;
  readonly #journal: TurnJournal | undefined;
  readonly #messageSeq: number;
  /** How often each name of a step came. */
  readonly #steps = new Map<string, number>();
  #lastResult: Promise<void> = ALREADY_WRITTEN;
  #ids = 0;
  #question: PromiseWithResolvers<Message> | undefined;
  #openStep: string | undefined;
  /** A question is on its way to its place among the recorded ones. */
  #isReaching = false;
  #stopQuestion: (() => void) | undefined;
  #arrival: PromiseWithResolvers<boolean> | undefined;
  readonly #timer: RunTimer;
  #slot: RunSlot | undefined;

  constructor(host: TurnHost, start: TurnStart) {
    this.#host = host;
    this.message = start.message;
    this.history = start.history;
    this.request = start.request;
    this.found = start.found;
    this.#journal = start.journal;
    this.#messageSeq = start.messageSeq;
    this.#timer = new RunTimer(host, start.request.deadline);
    this.#journal?.begin(() => this.#caughtUp());
  }

  /** The right to work, or the place among those that wait for it. */
  hold(slot: RunSlot): void {
    this.#slot = slot;
    if (!slot.isGranted) this.#timer.hold();
  }

  /** A turn that had to wait begins. */
  begin(): void {
    this.#timer.begin();
  }

  get taskId(): string {
    return this.#host.taskId;
  }

  get contextId(): string {
    return this.#host.contextId;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#abortReason !== undefined;
  }

  get goesOnElsewhere(): boolean {
    return this.#goesOnElsewhere;
  }

  get deadline(): Date {
    return new Date(Math.min(this.#timer.deadline, LATEST_DATE));
  }

  /** The run waits for an answer. */
  get isAsking(): boolean {
    return this.#question !== undefined;
  }

  /** The recorded name of the question that waits. */
  get openStep(): string | undefined {
    return this.#openStep;
  }

  /** Recorded steps that the run has not come to. */
  get unreachedSteps(): readonly string[] {
    return this.#journal?.unreached ?? [];
  }

  /** A run that can be resumed gives the same things the same ids again. */
  newId(kind = 'artifact'): string {
    this.#ids += 1;
    return this.#journal ? `${kind}-${this.#messageSeq}-${this.#ids}` : this.#host.newId();
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.#host.clock.after(milliseconds, callback);
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#host.clock.nextTurn(resolve));
  }

  status(
    message: MessageDraft | undefined,
    metadata?: JsonObject,
    state: 'working' | InterruptedState = 'working',
  ): Promise<void> | undefined {
    return this.#write(1, () =>
      message && this.#journal?.repeats(message, metadata) ? undefined : this.#host.show(state, message, metadata),
    );
  }

  chunk(chunk: ChunkDraft): Promise<void> | undefined {
    const journal = this.#journal;
    if (!journal) return this.#active() ?? this.#host.chunk(chunk);
    const amount = amountOf(chunk);
    if (journal.isReplaying) journal.compare(chunk.artifactId, textOf(chunk.parts));
    return this.#write(
      amount,
      (fresh) => this.#host.chunk(journal.begins(tailOf(chunk, amount - fresh))),
      () => journal.leave(chunk.artifactId, chunk.lastChunk ? 'ended' : chunk.streamed ? 'streamed' : 'separate'),
    );
  }

  endArtifact(artifactId: string): Promise<void> | undefined {
    return this.#write(
      1,
      () => this.#host.endArtifact(artifactId),
      () => this.#journal?.leave(artifactId, 'ended'),
    );
  }

  /** `fresh`: how much of it the log does not have yet, which is written when it is its turn. */
  #write(
    amount: number,
    write: (fresh: number) => Promise<void> | undefined,
    skipped?: () => void,
  ): Promise<void> | undefined {
    const inactive = this.#active();
    if (inactive || !this.#journal) return inactive ?? write(amount);
    const { isReplaying } = this.#journal;
    const fresh = this.#journal.wrote(amount);
    if (!isReplaying) return write(amount);
    if (fresh < amount) skipped?.();
    if (fresh > 0) this.#journal.hold(() => void write(fresh)?.catch(ignore));
    return ALREADY_WRITTEN;
  }

  #nameOf(step: string): string {
    const count = (this.#steps.get(step) ?? 0) + 1;
    this.#steps.set(step, count);
    return `${step} ${count}`;
  }

  async ask(
    prompt: MessageDraft,
    state: 'input-required' | 'auth-required',
    { timeout, isFresh = false }: AskDetails = {},
  ): Promise<Message> {
    await this.#active();
    if (this.#phase !== 'running') throw this.#abortReason;
    if (this.#question || this.#isReaching) {
      throw new Error('A question of this run is still open: await it before asking the next one');
    }
    const step = this.#journal && this.#nameOf('ask');
    this.#isReaching = true;
    await this.#reach(step).finally(() => {
      this.#isReaching = false;
    });
    const known = step === undefined ? undefined : this.#journal?.takeAnswer(step);
    if (known) return known;
    if (step !== undefined && this.#journal?.takeUnanswered(step)) throw inputTimeout(timeout ?? 0);
    const open = step === undefined ? undefined : this.#journal?.takeQuestion(step);
    const now = this.#host.clock.now();
    const answerBy = open ? open.answerBy : timeout === undefined ? undefined : now + timeout;
    const isLate = answerBy !== undefined && now >= answerBy;
    const answerOf = ({ step: asked }: OpenQuestion) => (isLate ? undefined : this.#host.takeAnswer(asked));
    const waiting = open ? answerOf(open) : this.#host.question(prompt, state, { step, answerBy, isFresh });
    if (waiting) return waiting.message;
    this.#timer.pause();
    this.#slot?.pause();
    this.#openStep = step;
    this.#question = Promise.withResolvers();
    if (answerBy !== undefined) this.#waitUntil(answerBy, timeout ?? 0);
    return this.#question.promise;
  }

  #waitUntil(answerBy: number, timeout: number): void {
    const { clock } = this.#host;
    this.#stopQuestion = clock.after(Math.max(answerBy - clock.now(), 0), () => {
      // A clock's timer may be shorter than what it was asked for.
      if (clock.now() < answerBy) this.#waitUntil(answerBy, timeout);
      else this.#unanswered(timeout);
    });
  }

  #unanswered(timeout: number): void {
    const question = this.#question;
    this.#host.unanswered(this.#openStep);
    this.#closeQuestion();
    question?.reject(inputTimeout(timeout));
  }

  /** A server that stops no longer ends the wait: whoever takes the run up does. */
  leaveQuestion(): void {
    this.#stopQuestion?.();
  }

  async step(name: string, action: StepAction): Promise<JsonValue | undefined> {
    await this.#active();
    const step = this.#nameOf(name);
    const id = encodeURIComponent(step.toWellFormed());
    const perform = () => action({ idempotencyKey: `${this.taskId}/${this.#messageSeq}/${id}` });
    // What a cancel handler does is not taken up again.
    if (this.#phase === 'canceling') return perform();
    const called = this.#journal?.written;
    await this.#reach(step);
    const recorded = this.#journal?.takeResult(step);
    if (recorded) return recorded.result;
    this.#host.makeTask();
    if (this.#journal) await this.#host.whenRecorded();
    if (this.#phase !== 'running') throw this.#abortReason;
    const result = await perform();
    if (this.#phase !== 'running') throw this.#abortReason;
    if (!this.#journal) return result;
    await this.#host.record({ kind: 'step', step, result, called });
    await this.#nextResult();
    return result;
  }

  /** Waits until it is this step's turn, where the run repeats another. */
  async #reach(step: string | undefined): Promise<void> {
    const turn = step === undefined ? undefined : this.#journal?.reach(step);
    if (!turn) return;
    await turn;
    if (this.#phase !== 'running') throw this.#abortReason;
  }

  /** Results are given back in turns of the loop of their own, as a replay gives them. */
  #nextResult(): Promise<void> {
    this.#lastResult = this.#lastResult.then(() => this.nextTurn());
    return this.#lastResult;
  }

  /** The run is where the one before it was: from now on what it writes counts. */
  #caughtUp(): void {
    const journal = this.#journal;
    if (!journal || this.#phase !== 'running') return;
    const resets = new Set(journal.resets.map(({ artifactId }) => artifactId));
    for (const [artifactId, end] of journal.ends) if (!resets.has(artifactId)) this.#host.leave(artifactId, end);
    // What this turn had not touched was left by the turns before it.
    for (const artifact of journal.resets) this.#host.reset(artifact, journal.ends.get(artifact.artifactId) ?? 'ended');
    if (this.#host.hasMessages) this.notify();
  }

  /** The run has returned: what it has written counts, whether or not it came to all that was recorded. */
  settle(): void {
    for (const artifactId of this.#journal?.finish() ?? []) {
      this.#host.reset({ artifactId, parts: [{ kind: 'text', text: '' }] }, 'ended');
    }
  }

  /** How much the turn has written. */
  get written(): number | undefined {
    return this.#journal?.written;
  }

  /** For how long the open question has waited. */
  get waited(): number {
    return this.#timer.waited;
  }

  /** Gives the open question its answer. */
  answer(message: Message): void {
    const question = this.#question;
    this.#closeQuestion();
    question?.resolve(message);
  }

  #closeQuestion(): void {
    this.#stopQuestion?.();
    this.#stopQuestion = undefined;
    this.#question = undefined;
    this.#openStep = undefined;
    this.#slot?.resume();
    this.#timer.resume();
  }

  earlierTasks(query: EarlierTasksQuery): Promise<readonly Task[]> {
    return this.#host.earlierTasks(query);
  }

  async contextValue(key: string): Promise<JsonValue | undefined> {
    const read = () => this.#host.contextValue(key);
    return this.#journal ? this.step(`context.get ${key}`, read) : read();
  }

  async changeContext(key: string, value: JsonValue | undefined): Promise<void> {
    await this.step(`context.set ${key}`, async () => {
      await this.#host.changeContext(key, value);
      return undefined;
    });
  }

  async snapshot(): Promise<Task | undefined> {
    return this.#host.committedTask();
  }

  warn(message: string, details: Readonly<Record<string, unknown>>): void {
    this.#host.warn(message, details);
  }

  get taskMetadata(): JsonObject {
    return this.#host.taskMetadata;
  }

  note(metadata: JsonObject): void {
    if (this.#phase !== 'over') this.#host.note(metadata);
  }

  takeMessages(most: number): readonly Message[] {
    this.#timer.touch();
    if (this.#phase !== 'running') return [];
    const known = this.#journal?.take();
    return known?.messages ?? this.#host.takeMessages(most, known?.take);
  }

  messageReady(): Promise<boolean> {
    if (this.#phase !== 'running') return Promise.resolve(false);
    const isRepeated = this.#journal?.repeatsTake === true;
    if (isRepeated || (this.#host.hasMessages && !this.#journal?.isReplaying)) return Promise.resolve(true);
    this.#arrival ??= Promise.withResolvers();
    return this.#arrival.promise;
  }

  /** A message is waiting. */
  notify(): void {
    if (this.#journal?.isReplaying) return;
    this.#arrival?.resolve(true);
    this.#arrival = undefined;
  }

  onCancel(handler: CancelHandler): void {
    this.#cancelHandlers.push(handler);
  }

  /**
   * Aborts the signal, then lets the cancel handlers write for a while. Resolves at once if there are none, else with
   * the last message that one of them gave.
   */
  async cancel(reason: Error): Promise<MessageDraft | undefined> {
    this.#release(reason, 'canceling');
    let message: MessageDraft | undefined;
    if (this.#cancelHandlers.length > 0) {
      const { clock, limits } = this.#host;
      const grace = new Promise<void>((resolve) => void clock.after(limits.cancelGrace, resolve));
      const handled = this.#cancelHandlers.map(async (handler) => {
        message = (await handler()) ?? message;
      });
      await Promise.race([Promise.allSettled(handled), grace]);
    }
    this.#phase = 'over';
    return message;
  }

  /** Ends the turn here; another process takes it up. */
  leave(reason: Error): void {
    this.#goesOnElsewhere = this.#journal !== undefined;
    this.stop(reason);
  }

  /** Ends the turn; whatever the run still writes is dropped. */
  stop(reason: Error): void {
    this.#release(reason, 'over');
  }

  /** The run has returned: no signal to abort, but nothing more is taken. */
  finish(): void {
    this.#phase = 'over';
    this.#timer.stop();
    this.#slot?.release();
    this.#arrival?.resolve(false);
  }

  #release(reason: Error, phase: Phase): void {
    this.#phase = phase;
    this.#timer.stop();
    this.#slot?.release();
    this.#stopQuestion?.();
    this.#journal?.abandon();
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    this.#question?.promise.catch(ignore);
    this.#question?.reject(reason);
    this.#question = undefined;
    this.#arrival?.resolve(false);
  }

  /** Undefined while the run may write; otherwise a rejection that need not be handled. */
  #active(): Promise<void> | undefined {
    if (this.#phase !== 'over') return undefined;
    const dropped = Promise.reject(this.#abortReason ?? new Error('The run is over'));
    dropped.catch(ignore);
    return dropped;
  }
}

function ignore(): void {}
