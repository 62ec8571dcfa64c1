import { expect, it } from 'vitest';
import { alarm } from '../../../src/engine/node/alarm.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import { manualClock } from '../support/manual-clock.ts';

const LONGEST = 1000;

/** A clock whose timers are never longer than `LONGEST`. */
function hastyClock() {
  const clock = manualClock();
  let timers = 0;
  const after: Clock['after'] = (milliseconds, callback) => {
    timers += 1;
    const stop = clock.after(Math.min(milliseconds, LONGEST), () => {
      timers -= 1;
      callback();
    });
    return () => {
      timers -= 1;
      stop();
    };
  };
  return { ...clock, after, timers: () => timers };
}

it('goes off once and in time, although the timers of its clock are shorter', async () => {
  const clock = hastyClock();
  const times: number[] = [];
  const due = clock.now() + 2.5 * LONGEST;
  alarm(clock, due, () => times.push(clock.now()));
  for (let step = 0; step < 10; step += 1) await clock.advance(LONGEST / 2);
  expect(times).toEqual([due]);
});

it('can be stopped in the middle of its time, and leaves no timer', async () => {
  const clock = hastyClock();
  const times: number[] = [];
  const stop = alarm(clock, clock.now() + 3 * LONGEST, () => times.push(clock.now()));
  await clock.advance(LONGEST);
  expect(clock.timers()).toBe(1);
  stop();
  expect(clock.timers()).toBe(0);
  for (let step = 0; step < 5; step += 1) await clock.advance(LONGEST);
  expect(times).toEqual([]);
});

it('goes off in a later turn where its time is over', async () => {
  const clock = hastyClock();
  const times: number[] = [];
  alarm(clock, clock.now() - 1, () => times.push(clock.now()));
  expect(times).toEqual([]);
  await clock.advance(0);
  expect(times).toHaveLength(1);
});
