import { describe, expect, it } from 'vitest';
import type { LogBatch, TaskEvent } from '../../src/engine/log/events.ts';
import { READ_LIMIT } from '../../src/engine/read/records.ts';
import { Replays } from '../../src/engine/read/replays.ts';

const EVENTS = 2_000;

/** A store whose tasks have many events, and a clock whose turns the test makes. */
function bed(read?: (taskId: string) => void) {
  const reads: string[] = [];
  const turns: (() => void)[] = [];
  const timers = new Set<() => void>();
  const replays = new Replays(
    {
      read: async (taskId, after, { events }) => {
        reads.push(`${taskId} ${after}`);
        read?.(taskId);
        return Array.from({ length: Math.min(events, EVENTS - after) }, (_, index) => eventOf(after + index + 1));
      },
    },
    {
      nextTurn: (callback) => void turns.push(callback),
      after: (_, callback) => {
        timers.add(callback);
        return () => timers.delete(callback);
      },
    },
  );
  const turn = async () => {
    for (const callback of turns.splice(0)) callback();
    await settle();
  };
  return { replays, reads, turns, timers, turn };
}

const eventOf = (seq: number): TaskEvent =>
  ({ kind: 'status', seq, time: 0, status: { state: 'working', timestamp: 0 } }) as never;

async function settle(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await Promise.resolve();
}

/** Reads a task to its end, asking for the next slice as soon as it has one. */
function replay(replays: Replays, taskId: string) {
  const got = { position: 0, slices: [] as LogBatch[], error: undefined as unknown };
  const ask = () =>
    replays.ask(taskId, got.position, {
      take: (slice) => {
        got.slices.push(slice);
        got.position += slice.records.length;
        if (got.position < EVENTS) ask();
      },
      fail: (error) => {
        got.error = error;
      },
    });
  return { got, stop: ask() };
}

describe('readers of old events', () => {
  it('take turns: each gets a slice, then everybody else has a turn of the event loop', async () => {
    const { replays, reads, turn } = bed();
    const readers = Array.from({ length: 6 }, (_, index) => replay(replays, `task-${index}`).got);
    await settle();
    expect(reads).toEqual(['task-0 0', 'task-1 0']);
    await turn();
    expect(reads.slice(2)).toEqual(['task-2 0', 'task-3 0']);
    await turn();
    expect(readers.map(({ position }) => position)).toEqual(readers.map(() => READ_LIMIT.events));
    for (let count = 0; count < 12; count += 1) await turn();
    expect(readers.map(({ position }) => position)).toEqual(readers.map(() => EVENTS));
  });

  it('share what is read when they are at the same place', async () => {
    const { replays, reads, turn } = bed();
    const readers = Array.from({ length: 10 }, () => replay(replays, 'task').got);
    for (let count = 0; count < 20; count += 1) await turn();
    expect(reads).toEqual([0, 512, 1024, 1536].map((after) => `task ${after}`));
    for (const { slices } of readers) expect(slices).toEqual(readers[0]?.slices);
    expect(readers[9]?.slices[3]).toBe(readers[0]?.slices[3]);
  });

  it('are served in groups, because each of them writes to its socket, and the last group reads nothing again', async () => {
    const { replays, reads, turn } = bed();
    const readers = Array.from({ length: 100 }, () => replay(replays, 'task').got);
    await settle();
    expect(readers.filter(({ position }) => position > 0).length).toBeLessThanOrEqual(32);
    for (let count = 0; count < 60; count += 1) await turn();
    expect(readers.every(({ position }) => position === EVENTS)).toBe(true);
    expect(reads.length).toBe(4);
  });

  it('who have gone away cost no read', async () => {
    const { replays, reads, turn, turns } = bed();
    const all = Array.from({ length: 50 }, (_, index) => replay(replays, `task-${index}`));
    for (const { stop } of all) stop();
    while (turns.length > 0) await turn();
    await settle();
    expect(reads.length).toBeLessThanOrEqual(2);
  });

  it('fail alone', async () => {
    const { replays, turn } = bed((taskId) => {
      if (taskId === 'broken') throw new Error('disk');
    });
    const broken = replay(replays, 'broken').got;
    const whole = replay(replays, 'whole').got;
    for (let count = 0; count < 10; count += 1) await turn();
    expect(broken.error).toMatchObject({ message: 'disk' });
    expect(whole.position).toBe(EVENTS);
  });

  it('leave nothing behind a moment after the last of them has asked', async () => {
    const { replays, reads, timers, turn } = bed();
    const first = replay(replays, 'task').got;
    while (first.position < EVENTS) await turn();
    const once = reads.length;
    await turn();
    expect(timers.size).toBe(1);
    const second = replay(replays, 'task').got;
    expect(timers.size).toBe(0);
    while (second.position < EVENTS) await turn();
    await turn();
    expect(reads.length).toBe(once);
    for (const callback of timers) callback();
    const third = replay(replays, 'task').got;
    while (third.position < EVENTS) await turn();
    expect(reads.length).toBe(2 * once);
  });
});
