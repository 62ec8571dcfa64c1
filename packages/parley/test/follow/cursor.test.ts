import { describe, expect, it } from 'vitest';
import { Cursor, type CursorOptions } from '../../src/engine/follow/cursor.ts';
import { Slots } from '../../src/engine/follow/slots.ts';
import { manualClock } from '../engine/support/manual-clock.ts';
import { settle } from '../engine/support/puppet.ts';

function cursorOf(step: CursorOptions['step'], more: Partial<CursorOptions> = {}) {
  const clock = manualClock();
  const failures: unknown[] = [];
  const retry = { firstDelay: 100, longestDelay: 400 };
  const onFailure = (error: unknown) => void failures.push(error);
  return { clock, failures, cursor: new Cursor({ clock, step, retry, onFailure, ...more }) };
}

describe('a cursor', () => {
  it('takes steps until it has reached its goal, at once where they do not wait', () => {
    const steps: number[] = [];
    let idle = 0;
    const step = (position: number) => {
      steps.push(position);
      return position + 1;
    };
    const { cursor } = cursorOf(step, { onIdle: () => (idle += 1) });
    cursor.wake(3);
    expect(steps).toEqual([0, 1, 2]);
    expect(cursor.position).toBe(3);
    expect(idle).toBe(1);
  });

  it('has one step under way, and the next deals with all that came meanwhile', async () => {
    const goals: number[] = [];
    const { cursor } = cursorOf(async (_, goal) => {
      goals.push(goal);
      await settle(2);
      return goal;
    });
    for (let goal = 1; goal <= 50; goal += 1) cursor.wake(goal);
    await cursor.settled();
    expect(goals).toEqual([1, 50]);
  });

  it('repeats a step that fails, after delays that double up to a limit', async () => {
    let failing = 5;
    let attempts = 0;
    const { cursor, clock, failures } = cursorOf((_, goal) => {
      attempts += 1;
      failing -= 1;
      if (failing >= 0) throw new Error('not yet');
      return goal;
    });
    cursor.wake(1);
    for (const delay of [100, 200, 400, 400]) {
      const before = attempts;
      await clock.advance(delay - 1);
      expect(attempts).toBe(before);
      await clock.advance(1);
      expect(attempts).toBe(before + 1);
    }
    await clock.advance(400);
    expect(cursor.position).toBe(1);
    expect(failures).toHaveLength(5);
  });

  it('counts a step that gets nowhere as one that fails', async () => {
    const { cursor, failures } = cursorOf((position) => position);
    cursor.wake(1);
    await cursor.settled();
    expect(failures).toMatchObject([{ message: expect.stringContaining('stays at 0') }]);
  });

  it('pauses between steps unless it is hurried', async () => {
    const goals: number[] = [];
    const step = (_: number, goal: number) => {
      goals.push(goal);
      return goal;
    };
    const { cursor, clock } = cursorOf(step, { pause: 50 });
    cursor.wake(1);
    cursor.wake(2);
    expect(goals).toEqual([1]);
    await clock.advance(50);
    expect(goals).toEqual([1, 2]);
    cursor.wake(3);
    cursor.hurry();
    expect(goals).toEqual([1, 2, 3]);
  });

  it('shares slots with others', async () => {
    const slots = new Slots(2);
    let now = 0;
    let most = 0;
    const cursors = Array.from({ length: 6 }, () =>
      cursorOf(
        async (_, goal) => {
          now += 1;
          most = Math.max(most, now);
          await settle(2);
          now -= 1;
          return goal;
        },
        { slots },
      ),
    );
    for (const { cursor } of cursors) cursor.wake(1);
    cursors[5]?.cursor.close();
    await Promise.all(cursors.map(({ cursor }) => cursor.settled()));
    expect(most).toBe(2);
    expect(cursors.map(({ cursor }) => cursor.position)).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it('finishes without waiting, and gives up what fails then', async () => {
    let attempts = 0;
    const { cursor } = cursorOf(() => {
      attempts += 1;
      throw new Error('never');
    });
    cursor.wake(1);
    expect(attempts).toBe(1);
    await cursor.finish();
    expect(attempts).toBe(2);
    cursor.wake(2);
    expect(attempts).toBe(2);
  });
});
