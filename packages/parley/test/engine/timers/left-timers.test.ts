import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/engine/ports.ts';
import { Deadlines } from '../../../src/engine/queue/deadlines.ts';
import { RunLife } from '../../../src/engine/turn/run-life.ts';
import { manualClock } from '../support/manual-clock.ts';

/** A clock that counts its timers. */
function countingClock() {
  const clock = manualClock();
  const timers = new Set<object>();
  const after: Clock['after'] = (milliseconds, callback) => {
    const timer = {};
    timers.add(timer);
    const stop = clock.after(milliseconds, () => {
      timers.delete(timer);
      callback();
    });
    return () => {
      timers.delete(timer);
      stop();
    };
  };
  return { ...clock, after, timers };
}

describe('the handlers of a cancel', () => {
  it('leave no timer behind when they are done before their time', async () => {
    const clock = countingClock();
    const life = new RunLife({ warn: () => {} });
    life.onCancel(() => Promise.resolve({ parts: [{ kind: 'text', text: 'cleaned up' }] }));
    const message = await life.runCancelHandlers(clock, 2000);
    expect(message?.parts).toEqual([{ kind: 'text', text: 'cleaned up' }]);
    expect(clock.timers.size).toBe(0);
  });

  it('are waited for no longer than their time', async () => {
    const clock = countingClock();
    const life = new RunLife({ warn: () => {} });
    life.onCancel(() => new Promise(() => {}));
    const over = life.runCancelHandlers(clock, 2000);
    await clock.advance(2000);
    expect(await over).toBeUndefined();
    expect(life.phase).toBe('over');
  });
});

describe('deadlines', () => {
  function deadlines() {
    const clock = countingClock();
    const start = clock.now();
    const reached: number[] = [];
    return { clock, start, reached, all: new Deadlines(clock, () => reached.push(clock.now() - start)) };
  }

  it('have one timer together, and each is reached', async () => {
    const { clock, start, reached, all } = deadlines();
    for (const time of [300, 100, 200, 100, 400]) all.add(start + time);
    expect(clock.timers.size).toBe(1);
    for (let step = 0; step < 6; step += 1) await clock.advance(50);
    expect(reached).toEqual([100, 200, 300]);
    await clock.advance(500);
    expect(reached).toEqual([100, 200, 300, 800]);
    expect(clock.timers.size).toBe(0);
  });

  it('are looked at at once where they have passed', async () => {
    const { clock, start, reached, all } = deadlines();
    all.add(start - 1);
    await clock.advance(0);
    expect(reached).toEqual([0]);
  });

  it('leave no timer behind when they are stopped, and take none on', () => {
    const { clock, start, all } = deadlines();
    all.add(start + 100);
    all.stop();
    all.add(start + 200);
    expect(clock.timers.size).toBe(0);
  });
});
