import type { EngineLimits } from '../limits.ts';
import type { Clock } from '../ports.ts';

/** What a timer must know of the run that it watches. */
export interface TimedRun {
  readonly clock: Clock;
  readonly limits: EngineLimits;
  /** When something was appended last, in milliseconds since the epoch. */
  readonly lastAppend: number;
  expired(limit: 'runTimeout' | 'inactivityTimeout'): void;
}

/** Ends a run that takes too long or stays silent for too long. Time spent waiting for the caller does not count. */
export class RunTimer {
  readonly #run: TimedRun;
  /** What the request itself allows. */
  readonly #given: number | undefined;
  #deadline: number;
  #lastActivity: number;
  #waitingSince: number | undefined;
  #stop: () => void;

  /** `deadline`: the run must be over by then, whatever the limits say. */
  constructor(run: TimedRun, deadline: number | undefined) {
    this.#run = run;
    this.#given = deadline;
    this.#lastActivity = run.clock.now();
    this.#deadline = this.#latest();
    this.#stop = this.#start();
  }

  /** The run has to wait before it may begin: only the request's own deadline counts. */
  hold(): void {
    this.#stop();
    const { clock } = this.#run;
    const deadline = this.#given;
    if (deadline === undefined) return;
    this.#stop = clock.after(Math.max(deadline - clock.now(), 0), () => {
      // A clock's timer may be shorter than what it was asked for.
      if (clock.now() < deadline) this.hold();
      else this.#run.expired('runTimeout');
    });
  }

  /** A run that had to wait begins. */
  begin(): void {
    this.#stop();
    this.touch();
    this.#deadline = this.#latest();
    this.#stop = this.#start();
  }

  #latest(): number {
    const longest = this.#lastActivity + this.#run.limits.runTimeout;
    return Math.min(longest, this.#given ?? longest);
  }

  get deadline(): number {
    return this.#deadline;
  }

  /** For how long the run has waited for the caller by now. */
  get waited(): number {
    return this.#waitingSince === undefined ? 0 : this.#run.clock.now() - this.#waitingSince;
  }

  /** The run has done something that is not in the log. */
  touch(): void {
    this.#lastActivity = this.#run.clock.now();
  }

  stop(): void {
    this.#stop();
  }

  pause(): void {
    this.#stop();
    this.#waitingSince = this.#run.clock.now();
  }

  resume(): void {
    this.#deadline += this.waited;
    this.#waitingSince = undefined;
    this.touch();
    this.#stop = this.#start();
  }

  #start(): () => void {
    const { clock, limits } = this.#run;
    const next = Math.min(this.#deadline, this.#quietSince() + limits.inactivityTimeout);
    return clock.after(Math.max(next - clock.now(), 0), () => this.#check());
  }

  /** The timer is not moved with each output; it looks at what happened since when it fires. */
  #check(): void {
    const { clock, limits } = this.#run;
    const now = clock.now();
    if (now >= this.#deadline) this.#run.expired('runTimeout');
    else if (now >= this.#quietSince() + limits.inactivityTimeout) this.#run.expired('inactivityTimeout');
    else this.#stop = this.#start();
  }

  #quietSince(): number {
    return Math.max(this.#lastActivity, this.#run.lastAppend);
  }
}
