import type { JsonObject, JsonValue } from '../model/json.ts';
import type { Artifact, Message } from '../model/task.ts';
import type { EngineLimits } from './options.ts';
import type { Awaitable, Clock } from './ports.ts';
import type { JournalBody } from './replay.ts';
import type { ChunkDraft, MessageDraft, RunHandle, TurnRequest } from './runner.ts';
import type { TurnJournal } from './turn-journal.ts';

/** A message of the log that a run has not taken yet. */
export interface QueuedMessage {
  readonly seq: number;
  readonly message: Message;
  /** The request that brought it. */
  readonly request: TurnRequest;
}

/** What a turn asks of the actor that it runs for. */
export interface TurnHost {
  readonly taskId: string;
  readonly contextId: string;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  newId(): string;
  /** Appends a working status; makes the task first if there is none. */
  working(message: MessageDraft, metadata?: JsonObject): Promise<void> | undefined;
  chunk(chunk: ChunkDraft): Promise<void> | undefined;
  endArtifact(artifactId: string): Promise<void> | undefined;
  /** Appends the question and takes a message that is already waiting as its answer. `step`: where that is recorded. */
  question(
    prompt: MessageDraft,
    state: 'input-required' | 'auth-required',
    step: string | undefined,
  ): QueuedMessage | undefined;
  /** Takes the oldest waiting messages, at most so many. */
  takeMessages(most: number): readonly Message[];
  readonly taskMetadata: JsonObject;
  note(metadata: JsonObject): void;
  /** Makes the task if there is none. */
  makeTask(): void;
  /** Resolves when it is on disk. */
  record(body: JournalBody): Promise<void>;
  /** Puts an artifact back to an earlier content. */
  reset(artifact: Artifact): void;
  readonly hasMessages: boolean;
  /** When something was appended last, in milliseconds since the epoch. */
  readonly lastAppend: number;
  expired(limit: 'runTimeout' | 'inactivityTimeout'): void;
}

export interface TurnStart {
  readonly message: Message;
  readonly history: readonly Message[];
  readonly request: TurnRequest;
  /** The seq of the message. */
  readonly messageSeq: number;
  /** Of a turn that can be resumed. */
  readonly journal?: TurnJournal | undefined;
}

/** The last moment that a Date can hold. */
const LATEST_DATE = 8.64e15;

const ALREADY_WRITTEN = Promise.resolve();

type Phase = 'running' | 'canceling' | 'over';

/** One turn of an agent: what its run may do, until it is over or aborted. */
export class Turn implements RunHandle {
  readonly message: Message;
  readonly history: readonly Message[];
  readonly request: TurnRequest;
  readonly #host: TurnHost;
  #controller: AbortController | undefined;
  #abortReason: Error | undefined;
  readonly #cancelHandlers: (() => Awaitable<void>)[] = [];
  #phase: Phase = 'running';
  readonly #journal: TurnJournal | undefined;
  readonly #messageSeq: number;
  #ids = 0;
  #question: PromiseWithResolvers<Message> | undefined;
  #openStep: string | undefined;
  #arrival: PromiseWithResolvers<boolean> | undefined;
  #deadline: number;
  #lastActivity: number;
  #waitingSince: number | undefined;
  #stopTimer: () => void;

  constructor(host: TurnHost, start: TurnStart) {
    this.#host = host;
    this.message = start.message;
    this.history = start.history;
    this.request = start.request;
    this.#journal = start.journal;
    this.#messageSeq = start.messageSeq;
    this.#lastActivity = host.clock.now();
    const longest = this.#lastActivity + host.limits.runTimeout;
    this.#deadline = Math.min(longest, start.request.deadline ?? longest);
    this.#stopTimer = this.#startTimer();
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

  get deadline(): Date {
    return new Date(Math.min(this.#deadline, LATEST_DATE));
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
  newId(): string {
    this.#ids += 1;
    return this.#journal ? `artifact-${this.#messageSeq}-${this.#ids}` : this.#host.newId();
  }

  after(milliseconds: number, callback: () => void): () => void {
    return this.#host.clock.after(milliseconds, callback);
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#host.clock.nextTurn(resolve));
  }

  status(message: MessageDraft, metadata?: JsonObject): Promise<void> | undefined {
    return this.#writing() ?? this.#host.working(message, metadata);
  }

  chunk(chunk: ChunkDraft): Promise<void> | undefined {
    return this.#writing() ?? this.#host.chunk(chunk);
  }

  endArtifact(artifactId: string): Promise<void> | undefined {
    return this.#writing() ?? this.#host.endArtifact(artifactId);
  }

  async ask(prompt: MessageDraft, state: 'input-required' | 'auth-required'): Promise<Message> {
    await this.#active();
    if (this.#phase !== 'running') throw this.#abortReason;
    if (this.#question) throw new Error('A question of this run is still open: await it before asking the next one');
    const step = this.#journal?.nameOf('ask');
    const known = step === undefined ? undefined : this.#journal?.takeAnswer(step);
    if (known) {
      this.#repeated();
      return known;
    }
    const isOpen = step !== undefined && this.#journal?.takeQuestion(step) === true;
    if (isOpen) this.#repeated();
    const waiting = isOpen ? undefined : this.#host.question(prompt, state, step);
    if (waiting) return waiting.message;
    this.#pauseTimer();
    this.#openStep = step;
    this.#question = Promise.withResolvers();
    return this.#question.promise;
  }

  async step(name: string, action: () => Promise<JsonValue | undefined>): Promise<JsonValue | undefined> {
    await this.#active();
    const step = this.#journal?.nameOf(name);
    const recorded = step === undefined ? undefined : this.#journal?.takeResult(step);
    if (recorded) {
      this.#repeated();
      return recorded.result;
    }
    this.#host.makeTask();
    const result = await action();
    if (this.#phase !== 'running') throw this.#abortReason;
    if (step !== undefined) await this.#host.record({ kind: 'step', step, result });
    return result;
  }

  /** One more thing of the run before is behind this one; after the last, what it writes counts. */
  #repeated(): void {
    if (this.#journal?.isReplaying) return;
    for (const artifact of this.#journal?.takeResets() ?? []) this.#host.reset(artifact);
  }

  /** Gives the open question its answer. */
  answer(message: Message): void {
    const question = this.#question;
    this.#question = undefined;
    this.#openStep = undefined;
    this.#resumeTimer();
    question?.resolve(message);
  }

  get taskMetadata(): JsonObject {
    return this.#host.taskMetadata;
  }

  note(metadata: JsonObject): void {
    if (this.#phase !== 'over') this.#host.note(metadata);
  }

  takeMessages(most: number): readonly Message[] {
    this.#lastActivity = this.#host.clock.now();
    return this.#phase === 'running' ? this.#host.takeMessages(most) : [];
  }

  messageReady(): Promise<boolean> {
    if (this.#phase !== 'running') return Promise.resolve(false);
    if (this.#host.hasMessages) return Promise.resolve(true);
    this.#arrival ??= Promise.withResolvers();
    return this.#arrival.promise;
  }

  /** A message is waiting. */
  notify(): void {
    this.#arrival?.resolve(true);
    this.#arrival = undefined;
  }

  onCancel(handler: () => Awaitable<void>): void {
    this.#cancelHandlers.push(handler);
  }

  /** Aborts the signal, then lets the cancel handlers write for a while. Resolves at once if there are none. */
  async cancel(reason: Error): Promise<void> {
    this.#release(reason, 'canceling');
    if (this.#cancelHandlers.length > 0) {
      const { clock, limits } = this.#host;
      const grace = new Promise<void>((resolve) => void clock.after(limits.cancelGrace, resolve));
      await Promise.race([Promise.allSettled(this.#cancelHandlers.map(async (handler) => handler())), grace]);
    }
    this.#phase = 'over';
  }

  /** Ends the turn; whatever the run still writes is dropped. */
  stop(reason: Error): void {
    this.#release(reason, 'over');
  }

  /** The run has returned: no signal to abort, but nothing more is taken. */
  finish(): void {
    this.#phase = 'over';
    this.#stopTimer();
    this.#arrival?.resolve(false);
  }

  #release(reason: Error, phase: Phase): void {
    this.#phase = phase;
    this.#stopTimer();
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    this.#question?.promise.catch(ignore);
    this.#question?.reject(reason);
    this.#question = undefined;
    this.#arrival?.resolve(false);
  }

  /** Undefined where something is to be written; what the log has already is dropped. */
  #writing(): Promise<void> | undefined {
    return this.#active() ?? (this.#journal?.isReplaying ? ALREADY_WRITTEN : undefined);
  }

  /** Undefined while the run may write; otherwise a rejection that need not be handled. */
  #active(): Promise<void> | undefined {
    if (this.#phase !== 'over') return undefined;
    const dropped = Promise.reject(this.#abortReason ?? new Error('The run is over'));
    dropped.catch(ignore);
    return dropped;
  }

  #startTimer(): () => void {
    const { clock, limits } = this.#host;
    const now = clock.now();
    const next = Math.min(this.#deadline, this.#quietSince() + limits.inactivityTimeout);
    return clock.after(Math.max(next - now, 0), () => this.#check());
  }

  /** The timer is not moved with each output; it looks at what happened since when it fires. */
  #check(): void {
    const now = this.#host.clock.now();
    if (now >= this.#deadline) this.#host.expired('runTimeout');
    else if (now >= this.#quietSince() + this.#host.limits.inactivityTimeout) this.#host.expired('inactivityTimeout');
    else this.#stopTimer = this.#startTimer();
  }

  #quietSince(): number {
    return Math.max(this.#lastActivity, this.#host.lastAppend);
  }

  #pauseTimer(): void {
    this.#stopTimer();
    this.#waitingSince = this.#host.clock.now();
  }

  /** Time spent waiting for the caller does not count. */
  #resumeTimer(): void {
    const now = this.#host.clock.now();
    this.#deadline += now - (this.#waitingSince ?? now);
    this.#waitingSince = undefined;
    this.#lastActivity = now;
    this.#stopTimer = this.#startTimer();
  }
}

function ignore(): void {}
