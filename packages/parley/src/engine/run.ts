import type { JsonObject } from '../model/json.ts';
import type { Message } from '../model/task.ts';
import type { EngineLimits } from './options.ts';
import type { Awaitable, Clock } from './ports.ts';
import type { ChunkDraft, MessageDraft, RunHandle, TurnRequest } from './runner.ts';

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
  /** Appends the question and takes a message that is already waiting as its answer. */
  question(prompt: MessageDraft, state: 'input-required' | 'auth-required'): QueuedMessage | undefined;
  /** Takes the oldest waiting messages, at most so many. */
  takeMessages(most: number): readonly Message[];
  readonly hasMessages: boolean;
  /** When something was appended last, in milliseconds since the epoch. */
  readonly lastAppend: number;
  expired(limit: 'runTimeout' | 'inactivityTimeout'): void;
}

export interface TurnStart {
  readonly message: Message;
  readonly history: readonly Message[];
  readonly request: TurnRequest;
}

/** The last moment that a Date can hold. */
const LATEST_DATE = 8.64e15;

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
  #question: PromiseWithResolvers<Message> | undefined;
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
    this.#lastActivity = host.clock.now();
    this.#deadline = this.#lastActivity + host.limits.runTimeout;
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

  newId(): string {
    return this.#host.newId();
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#host.clock.nextTurn(resolve));
  }

  status(message: MessageDraft, metadata?: JsonObject): Promise<void> | undefined {
    return this.#active() ?? this.#host.working(message, metadata);
  }

  chunk(chunk: ChunkDraft): Promise<void> | undefined {
    return this.#active() ?? this.#host.chunk(chunk);
  }

  endArtifact(artifactId: string): Promise<void> | undefined {
    return this.#active() ?? this.#host.endArtifact(artifactId);
  }

  async ask(prompt: MessageDraft, state: 'input-required' | 'auth-required'): Promise<Message> {
    await this.#active();
    if (this.#phase !== 'running') throw this.#abortReason;
    if (this.#question) throw new Error('A question of this run is still open: await it before asking the next one');
    const waiting = this.#host.question(prompt, state);
    if (waiting) return waiting.message;
    this.#pauseTimer();
    this.#question = Promise.withResolvers();
    return this.#question.promise;
  }

  /** Gives the open question its answer. */
  answer(message: Message): void {
    const question = this.#question;
    this.#question = undefined;
    this.#resumeTimer();
    question?.resolve(message);
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
