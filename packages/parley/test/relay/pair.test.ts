import fc from 'fast-check';
import type { Message, Task, TaskState } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import type { Side } from '../../../../examples/relay/epoch.ts';
import { Pair } from '../../../../examples/relay/pair.ts';
import { openPair } from '../../../../examples/relay/pair-name.ts';
import { Pairs } from '../../../../examples/relay/pairs.ts';
import { markedStatus } from '../../../../examples/relay/side-mark.ts';
import { View } from '../../../../examples/relay/view/view.ts';

const message = (id: string, role: Message['role'] = 'user'): Message => ({
  messageId: id,
  role,
  parts: [{ kind: 'text', text: id }],
});

/** A participant's task as the store has it, after so many messages. */
function taskOf(side: Side, said: number, epoch = 1, state: TaskState = 'working'): Task {
  const marked = { ...message('welcome', 'agent'), ...(markedStatus(side, epoch, '') as object) };
  const [first, ...rest] = Array.from({ length: said }, (_, index) => message(`${side}${index}`));
  const history = first ? [first, marked, ...rest.flatMap((next) => [message('heard', 'agent'), next])] : [];
  const status = { state, timestamp: '2026-01-01T00:00:00Z' } as const;
  return { id: `task-${epoch}-${side}`, contextId: 'pair', status, history, artifacts: [] };
}

const numbered = (pair: Pair) => pair.after(0).map(({ number, message: { messageId } }) => `${number} ${messageId}`);

describe('a pair', () => {
  it('has its order from the two tasks alone', () => {
    const pair = Pair.restore('pair', [taskOf('b', 4), taskOf('a', 3)]);
    expect(numbered(pair)).toEqual(['1 a0', '2 b0', '3 b1', '4 a1', '5 b2', '6 a2', '7 b3']);
    expect(pair.standing).toEqual({
      epoch: 1,
      a: 'input-required',
      b: 'working',
      turn: 'a',
      isOver: false,
      isSettled: false,
    });
  });

  it('has one talk after the other, numbered through (S4.7)', () => {
    const ended = [taskOf('a', 2, 1, 'canceled'), taskOf('b', 2, 1, 'canceled')];
    const pair = Pair.restore('pair', [taskOf('b', 1, 2), ...ended, taskOf('a', 1, 2)]);
    expect(pair.after(0).map(({ number, epoch, side }) => `${number} ${epoch}${side}`)).toEqual([
      ...['1 1a', '2 1b', '3 1b', '4 1a'],
      ...['5 2a', '6 2b'],
    ]);
    expect(pair.after(3).map(({ number }) => number)).toEqual([4, 5, 6]);
    expect(pair.after(5).map(({ number }) => number)).toEqual([6]);
    expect([pair.length, pair.standing.epoch, pair.standing.turn]).toEqual([6, 2, 'b']);
    expect(pair.seatFor('task-1-a')).toMatchObject({ side: 'a', epoch: { number: 1 } });
    expect(pair.seatFor('another')).toBeUndefined();

    const over = Pair.restore('pair', ended);
    expect(over.standing).toMatchObject({ epoch: 1, isOver: true, isSettled: true });
    expect(over.seatFor('third')).toMatchObject({ side: 'a', epoch: { number: 2 } });
    expect(over.seatFor('fourth')).toMatchObject({ side: 'b', epoch: { number: 2 } });
    expect(over.seatFor('fifth')).toBeUndefined();
  });

  it('knows what is half ended in any talk', () => {
    const tasks = [taskOf('a', 1, 1, 'canceled'), taskOf('b', 1, 1), taskOf('a', 1, 2), taskOf('b', 1, 2, 'failed')];
    expect(Pair.restore('pair', tasks).openAfterEnd).toEqual([
      { taskId: 'task-1-b', because: 'canceled' },
      { taskId: 'task-2-a', because: 'failed' },
    ]);
  });

  it('is the same whether it was told or read, at every moment', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.integer({ min: 0, max: 40 }), (length, readAt) => {
        const told = new Pair('pair');
        const said = { a: 0, b: 0 };
        let pair = told;
        for (let number = 1; number <= length; number += 1) {
          const side = number === 1 ? 'a' : number === 2 ? 'b' : (pair.standing.turn ?? 'a');
          const seat = pair.seatFor(`task-1-${side}`);
          expect(seat?.side).toBe(side);
          seat?.epoch.say(side, said[side], message(`${side}${said[side]}`));
          // Once more, as a run does that begins again.
          seat?.epoch.say(side, said[side], message('again'));
          said[side] += 1;
          if (number === readAt) {
            const tasks = (['a', 'b'] as const).filter((one) => said[one] > 0).map((one) => taskOf(one, said[one]));
            const read = Pair.restore('pair', tasks);
            expect(numbered(read)).toEqual(numbered(pair));
            expect(read.standing).toEqual(pair.standing);
            pair = read;
          }
        }
        expect(pair.after(0)).toHaveLength(length);
      }),
    );
  });
});

describe('the pairs', () => {
  /** Pairs of one store, and how often that was asked. */
  function counted(fails = false) {
    const asked: string[] = [];
    const pairs = new Pairs({
      tasksOf: async ({ contextId }) => {
        asked.push(contextId);
        if (fails) throw new Error('The store is away');
        return [taskOf('a', 1)];
      },
      endTask: async () => {},
    });
    return { pairs, asked };
  }

  it('are one for all who have to do with them, and are not kept longer', async () => {
    const { pairs, asked } = counted();
    const [one, other] = await Promise.all([pairs.hold(openPair('pair')), pairs.hold(openPair('pair'))]);
    expect(other.pair).toBe(one.pair);
    one.release();
    const third = await pairs.hold(openPair('pair'));
    expect(third.pair).toBe(one.pair);
    expect(asked).toEqual(['pair']);
    other.release();
    third.release();
    expect((await pairs.hold(openPair('pair'))).pair).not.toBe(one.pair);
  });

  it('can be read again after they could not be', async () => {
    const { pairs, asked } = counted(true);
    await expect(pairs.hold(openPair('pair'))).rejects.toThrow('away');
    await expect(pairs.hold(openPair('pair'))).rejects.toThrow('away');
    expect(asked).toEqual(['pair', 'pair']);
  });

  it.each(['a reader who leaves', 'the end of the relay'])('are let go of by %s', async (who) => {
    const { pairs, asked } = counted();
    const view = new View(pairs, async () => []);
    const response = await view.answer(new Request('http://127.0.0.1/pairs/pair/events'));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.read();
    if (who === 'a reader who leaves') {
      await reader.cancel();
    } else {
      view.close();
      expect((await reader.read()).done).toBe(true);
    }
    (await pairs.hold(openPair('pair'))).release();
    expect(asked).toEqual(['pair', 'pair']);
  });
});
