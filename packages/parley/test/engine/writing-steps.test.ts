import { expect, it } from 'vitest';
import { ReplayOrder } from '../../src/engine/replay/replay-order.ts';

it('a recorded step that wrote output itself is passed over at once, with its output', async () => {
  const told: unknown[] = [];
  const patience: number[] = [];
  const order = new ReplayOrder({
    steps: [
      { step: 'model 1', called: 3, written: 13, left: { answer: 'streamed' } },
      { step: 'tool 1', called: 14, written: 14 },
    ],
    nextTurn: (callback) => queueMicrotask(callback),
    after: (milliseconds) => {
      patience.push(milliseconds);
      return () => {};
    },
    onLeft: (left) => told.push(left),
    onOver: () => told.push('over'),
  });
  expect(order.wrote(3)).toBe(0);
  await order.reach('model 1');
  expect(told).toEqual([{ answer: 'streamed' }]);
  expect(order.written).toBe(13);
  // A status that the run before had shown, too.
  expect(order.wrote(1)).toBe(0);
  await order.reach('tool 1');
  expect(told).toEqual([{ answer: 'streamed' }, 'over']);
  expect(order.wrote(5)).toBe(5);
  // Nothing had to wait for a patience to end.
  expect(patience).toEqual([]);
});
