import { expect, it } from 'vitest';
import { TaskCollector } from '../../../src/client/stream/collect.ts';
import { relayed } from '../../../src/client/stream/relayed.ts';
import { TaskStream } from '../../../src/client/stream/task-stream.ts';
import type { StreamEvent } from '../../../src/model/task.ts';
import { settle } from '../../support/manual-clock.ts';

const MEGABYTE = 2 ** 20;
/** As much as a stream may hold for a reader that is slow, and one event more. */
const MOST_HELD = 9 * MEGABYTE;

/** A stream of pieces without an end, which counts them. */
function endless(piece: string) {
  const collector = new TaskCollector();
  let given = 0;
  let isOver = false;
  const events = async function* (): AsyncGenerator<StreamEvent, void, void> {
    const status = { state: 'working' as const, timestamp: new Date(0).toISOString() };
    yield { kind: 'status', taskId: 't', contextId: 'c', status };
    while (!isOver) {
      given += 1;
      const artifact = { artifactId: String(given), parts: [{ kind: 'text' as const, text: piece }] };
      yield { kind: 'artifact', taskId: 't', contextId: 'c', artifact, append: false, lastChunk: true };
    }
  };
  const source = { collector, taskId: 't', events };
  const stream = new TaskStream({ open: async () => source, cancelTask: () => Promise.reject(new Error('none')) });
  const stop = () => {
    isOver = true;
  };
  return { stream, given: () => given, stop };
}

it.each([
  ['small', 100],
  ['large', MEGABYTE],
])('a call whose end is awaited beside a slow loop reads no more %s events than fit', async (_, length) => {
  const child = endless('x'.repeat(length));
  const call = new TaskStream({
    open: async () =>
      relayed(
        child.stream,
        () => {},
        () => {},
      ),
    cancelTask: () => Promise.reject(new Error('none')),
  });
  const reader = call[Symbol.asyncIterator]();
  await reader.next();
  void call.result.catch(() => undefined);
  // The loop has taken one piece, and is busy with it.
  await reader.next();
  let before = -1;
  while (before !== child.given()) {
    before = child.given();
    await settle();
  }
  expect(child.given()).toBeGreaterThan(2);
  expect(child.given() * length).toBeLessThanOrEqual(MOST_HELD);
  child.stop();
  await reader.return?.();
});
