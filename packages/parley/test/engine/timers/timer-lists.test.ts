import { expect, it, onTestFinished, vi } from 'vitest';
import { TimerLists } from '../../../src/engine/node/timer-lists.ts';

const SHORT = 20;
const LONG = 60_000;

it('fires timers of one duration in their order, each once', async () => {
  const timers = new TimerLists();
  const fired: number[] = [];
  for (let index = 0; index < 5; index += 1) timers.start(SHORT, () => fired.push(index));
  await expect.poll(() => fired).toEqual([0, 1, 2, 3, 4]);
  timers.start(SHORT, () => fired.push(5));
  await expect.poll(() => fired).toEqual([0, 1, 2, 3, 4, 5]);
});

it('never fires a timer that was stopped, wherever it stands in its list', async () => {
  const timers = new TimerLists();
  const fired: number[] = [];
  const stops = [0, 1, 2, 3, 4].map((index) => timers.start(SHORT, () => fired.push(index)));
  for (const index of [0, 2, 4]) {
    stops[index]?.();
    stops[index]?.();
  }
  timers.start(SHORT, () => fired.push(5));
  await expect.poll(() => fired).toEqual([1, 3, 5]);
  stops[1]?.();
  expect(fired).toEqual([1, 3, 5]);
});

it('fires what was started while it fires, and what another duration has', async () => {
  const timers = new TimerLists();
  const fired: string[] = [];
  timers.start(SHORT, () => {
    fired.push('first');
    timers.start(SHORT, () => fired.push('again'));
  });
  timers.start(2 * SHORT, () => fired.push('other'));
  await expect.poll(() => fired.toSorted()).toEqual(['again', 'first', 'other']);
});

it('takes any number of durations', async () => {
  const timers = new TimerLists();
  const fired = new Set<number>();
  const durations = Array.from({ length: 60 }, (_, index) => SHORT + index);
  const stops = durations.map((duration) => timers.start(duration, () => fired.add(duration)));
  stops.at(-1)?.();
  await expect.poll(() => fired.size).toBe(59);
  expect(fired.has(durations.at(-1) ?? 0)).toBe(false);
});

it('is not earlier than it was asked for', async () => {
  const timers = new TimerLists();
  const begun = performance.now();
  const waits: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    timers.start(SHORT, () => waits.push(performance.now() - begun));
    await new Promise((resolve) => setTimeout(resolve, SHORT / 2));
  }
  await expect.poll(() => waits.length).toBe(3);
  // The platform itself is up to a millisecond early.
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(SHORT + index * (SHORT / 2 - 1) - 1);
});

it.each([
  ['and the clock with it', undefined],
  ['alone', ['setTimeout' as const]],
])('counts in the time of a test that replaces setTimeout %s, and afterwards in real time again', async (_, toFake) => {
  const timers = new TimerLists();
  const fired: string[] = [];
  timers.start(LONG, () => fired.push('real'));
  vi.useFakeTimers({ ...(toFake && { toFake }) });
  onTestFinished(() => void vi.useRealTimers());
  timers.start(LONG, () => fired.push('replaced'));
  vi.advanceTimersByTime(LONG - 1);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(['replaced']);
  timers.start(SHORT, () => fired.push('never counted'));
  vi.useRealTimers();
  timers.start(SHORT, () => fired.push('real again'));
  await expect.poll(() => fired).toEqual(['replaced', 'real again']);
});
