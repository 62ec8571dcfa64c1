import { systemClock } from '../engine/node/clock.ts';
import type { Clock } from '../engine/ports.ts';
import { LONGEST_TIMER } from '../model/basics/timers.ts';
import { type Checks, checkOptions, flag, takes } from '../model/options/checks.ts';

export interface TestClockOptions {
  /** The time at the beginning. Default: now. */
  readonly start?: Date | number | undefined;
  /** Stops time until the test moves it. Default: time passes as usual, and the test can move it too. */
  readonly frozen?: boolean | undefined;
}

const time = takes('a time: a Date, or milliseconds since the epoch', isTime);

export const CLOCK_CHECKS: Checks<TestClockOptions> = { start: time, frozen: flag };

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** Time that a test moves. Turns of the event loop are real. */
export class TestClock implements Clock {
  readonly #timers = new Set<Timer>();
  /** The lead of this clock over the real one; while it is frozen, the time that it shows. */
  #offset: number;
  #frozenAt: number | undefined;

  constructor(options: TestClockOptions = {}) {
    checkOptions('TestClock', options, CLOCK_CHECKS);
    const { start, frozen = false } = options;
    const begin = start === undefined ? Date.now() : Number(start);
    this.#offset = begin - Date.now();
    if (frozen) this.#frozenAt = begin;
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#frozenAt ?? Date.now() + this.#offset;

  readonly after = (milliseconds: number, callback: () => void): (() => void) => {
    if (milliseconds === Number.POSITIVE_INFINITY) return () => {};
    let stopReal = () => {};
    const timer: Timer = {
      at: this.now() + milliseconds,
      fire: () => {
        stop();
        callback();
      },
    };
    const stop = () => {
      stopReal();
      this.#timers.delete(timer);
    };
    this.#timers.add(timer);
    if (this.#frozenAt === undefined) stopReal = realTimer(milliseconds, timer.fire);
    return stop;
  };

  readonly nextTurn = (callback: () => void): void => systemClock.nextTurn(callback);

  /** Moves the time on. Timers fire in their order, and what they set off has settled when this resolves. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.now() + milliseconds;
    await settled();
    for (let timer = this.#next(end); timer; timer = this.#next(end)) {
      this.#moveTo(timer.at);
      timer.fire();
      await settled();
    }
    this.#moveTo(end);
  }

  /** Lets the time go by from now on. */
  release(): void {
    if (this.#frozenAt === undefined) return;
    this.#offset = this.#frozenAt - Date.now();
    this.#frozenAt = undefined;
    for (const timer of [...this.#timers]) {
      this.#timers.delete(timer);
      this.after(timer.at - this.now(), timer.fire);
    }
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && timer.at < (next?.at ?? Number.POSITIVE_INFINITY)) next = timer;
    }
    return next;
  }

  #moveTo(time: number): void {
    if (this.#frozenAt !== undefined) this.#frozenAt = Math.max(this.#frozenAt, time);
    else this.#offset = Math.max(this.#offset, time - Date.now());
  }
}

/** Part of a clock that can be stopped alone: the time of a server that has crashed. */
export function stoppableClock(clock: Clock): { readonly clock: Clock; readonly stop: () => void } {
  let isStopped = false;
  const alive = (callback: () => void) => () => {
    if (!isStopped) callback();
  };
  return {
    clock: {
      now: () => clock.now(),
      after: (milliseconds, callback) => (isStopped ? () => {} : clock.after(milliseconds, alive(callback))),
      nextTurn: (callback) => clock.nextTurn(alive(callback)),
    },
    stop: () => {
      isStopped = true;
    },
  };
}

const TURNS = 20;

/** Lets everything run that waits for no timer. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => systemClock.nextTurn(resolve));
}

function realTimer(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER));
  if (typeof timer === 'object') timer.unref();
  return () => clearTimeout(timer);
}

/** What a Date can be: a task has the time of its status in words. */
function isTime(value: unknown): boolean {
  return (typeof value === 'number' || value instanceof Date) && !Number.isNaN(new Date(value).getTime());
}
