import { describe, expect, it } from 'vitest';
import { LoadGauge } from '../../src/server/limits/load/load-gauge.ts';

/** A loop whose turns and time a test makes itself. */
class Loop {
  time = 1000;
  #due: (() => void)[] = [];

  readonly now = () => this.time;
  readonly after = () => () => undefined;
  readonly nextTurn = (callback: () => void) => void this.#due.push(callback);

  get pending(): number {
    return this.#due.length;
  }

  endTurn(): void {
    const due = this.#due;
    this.#due = [];
    for (const callback of due) callback();
  }
}

/** Requests that arrive in one turn, each of which takes so long; returns how many were let in. */
function turn(gauge: LoadGauge, loop: Loop, requests: number, cost: number): number {
  let entered = 0;
  for (let index = 0; index < requests; index += 1) {
    if (!gauge.enter()) continue;
    entered += 1;
    loop.time += cost;
    gauge.leave();
  }
  loop.endTurn();
  return entered;
}

describe('the gauge of the load', () => {
  it('lets in what waits no longer than the limit in one turn', () => {
    const loop = new Loop();
    const gauge = new LoadGauge({ delay: 8 }, loop);
    expect(turn(gauge, loop, 100, 2)).toBe(5);
    expect(loop.time).toBe(1010);
  });

  it('counts the turn before where the loop had no rest, and forgets it where it had', () => {
    const loop = new Loop();
    const gauge = new LoadGauge({ delay: 8 }, loop);
    turn(gauge, loop, 3, 2);
    // These may have waited in their sockets for six milliseconds already.
    expect(turn(gauge, loop, 100, 2)).toBe(2);
    loop.time += 50;
    expect(turn(gauge, loop, 100, 2)).toBe(5);
    // The turn before took longer than anybody may wait.
    expect(turn(gauge, loop, 100, 2)).toBe(0);
    expect(turn(gauge, loop, 100, 2)).toBe(5);
  });

  it('costs one look at the loop in a turn, and none without requests or without a delay', () => {
    const loop = new Loop();
    const gauge = new LoadGauge({ delay: 8 }, loop);
    expect(loop.pending).toBe(0);
    for (let index = 0; index < 10; index += 1) gauge.enter();
    expect(loop.pending).toBe(1);
    loop.endTurn();
    expect(loop.pending).toBe(0);
    new LoadGauge({ requests: 8 }, loop).enter();
    expect(loop.pending).toBe(0);
  });

  it('bounds the requests at work', () => {
    const gauge = new LoadGauge({ requests: 2 }, new Loop());
    expect([gauge.enter(), gauge.enter(), gauge.enter()]).toEqual([true, true, false]);
    gauge.leave();
    expect([gauge.enter(), gauge.enter()]).toEqual([true, false]);
    expect(gauge.requests).toBe(2);
  });

  it.each([{ delay: 0 }, { requests: -1 }, { delay: Number.NaN }])('refuses %j as a setting', (load) => {
    expect(() => new LoadGauge(load, new Loop())).toThrow(/limits\.load\.\w+ must be a number above 0/);
  });
});
