import type { EngineLimits } from '../limits.ts';
import { alarm } from '../node/alarm.ts';
import type { Clock } from '../ports.ts';
import { limitsOfTurn } from './own-limits.ts';
import type { RunSlot } from './run-slots.ts';
import type { TurnRequest } from './runner.ts';

/** The task of the run that a timer watches. */
export interface TimedTask {
  readonly services: { readonly clock: Clock; readonly limits: EngineLimits };
  /** `lastAppend`: when something was appended last, in milliseconds since the epoch. */
  readonly log: { readonly lastAppend: number };
  expire(limit: 'runTimeout' | 'inactivityTimeout'): void;
}

/**
 * Ends a run that takes too long or stays silent for too long, and holds its slot. Time that the run spends waiting for
 * its caller does not count, and its slot is free meanwhile.
 */
export class RunTimer {
  readonly #task: TimedTask;
  readonly #clock: Clock;
  readonly #limits: EngineLimits;
  /** The deadline of the request itself. */
  readonly #given: number | undefined;
  #slot: RunSlot | undefined;
  #deadline: number;
  #lastActivity: number;
  #waitingSince: number | undefined;
  #stop: () => void;

  /** `deadline`: the run must be over by then, whatever the limits say. `limits`: those that the request brought. */
  constructor(task: TimedTask, { deadline, limits }: Pick<TurnRequest, 'deadline' | 'limits'>) {
    this.#task = task;
    this.#clock = task.services.clock;
    this.#limits = limitsOfTurn(limits, task.services.limits);
    this.#given = deadline;
    this.#lastActivity = this.#clock.now();
    this.#deadline = this.#latest();
    this.#stop = this.#start();
  }

  hold(slot: RunSlot): void {
    this.#slot = slot;
    if (!slot.isGranted) this.#waitForSlot();
  }

  /** While the run waits for its slot, only the request's own deadline counts. */
  #waitForSlot(): void {
    this.#stop();
    const deadline = this.#given;
    if (deadline === undefined) return;
    this.#stop = alarm(this.#clock, deadline, () => this.#task.expire('runTimeout'));
  }

  /** Begins a run that had to wait for its slot. */
  begin(): void {
    this.#stop();
    this.touch();
    this.#deadline = this.#latest();
    this.#stop = this.#start();
  }

  #latest(): number {
    const longest = this.#lastActivity + this.#limits.runTimeout;
    return Math.min(longest, this.#given ?? longest);
  }

  /** The limits of the turn. */
  get limits(): EngineLimits {
    return this.#limits;
  }

  get deadline(): number {
    return this.#deadline;
  }

  /** For how long the run has waited for its caller by now. */
  get waited(): number {
    return this.#waitingSince === undefined ? 0 : this.#clock.now() - this.#waitingSince;
  }

  /** The run has done something that is not in the log. */
  touch(): void {
    this.#lastActivity = this.#clock.now();
  }

  /** The run is over. */
  stop(): void {
    this.#stop();
    this.#slot?.release();
  }

  /** The run waits for its caller, since some time. */
  pause(since: number): void {
    this.#stop();
    this.#waitingSince = Math.min(since, this.#clock.now());
    this.#slot?.pause();
  }

  /** The run waits for its caller. */
  get isPaused(): boolean {
    return this.#waitingSince !== undefined;
  }

  /** Returns how long the run has waited since this was asked last, and goes on waiting. */
  lap(): number {
    const { waited } = this;
    this.#deadline += waited;
    if (this.#waitingSince !== undefined) this.#waitingSince = this.#clock.now();
    return waited;
  }

  resume(): void {
    this.#slot?.resume();
    this.#deadline += this.waited;
    this.#waitingSince = undefined;
    this.touch();
    this.#stop = this.#start();
  }

  #start(): () => void {
    const next = Math.min(this.#deadline, this.#quietSince() + this.#limits.inactivityTimeout);
    return this.#clock.after(Math.max(next - this.#clock.now(), 0), () => this.#check());
  }

  /** Outputs do not move the timer; when it fires, it looks at what has happened since. */
  #check(): void {
    const now = this.#clock.now();
    if (now >= this.#deadline) this.#task.expire('runTimeout');
    else if (now >= this.#quietSince() + this.#limits.inactivityTimeout) this.#task.expire('inactivityTimeout');
    else this.#stop = this.#start();
  }

  #quietSince(): number {
    return Math.max(this.#lastActivity, this.#task.log.lastAppend);
  }
}
