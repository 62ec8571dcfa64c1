import { type StreamEvent, toObservable } from 'parley-a2a';
import { type A2AMatchers, a2aMatchers, testAgent } from 'parley-a2a/testing';
import { expect, it, onTestFinished } from 'vitest';
import { counter } from './countdown.ts';

declare module 'vitest' {
  interface Matchers<R, T> extends A2AMatchers<R, T> {}
}

expect.extend(a2aMatchers);

function served() {
  const kit = testAgent(counter);
  onTestFinished(() => kit.close());
  return kit.client;
}

it('streams what the observable emits, and ends with its outcome', async () => {
  const task = await served().sendMessageStream('3').task;
  expect(task).toHaveText('3 … 2 … 1 … ');
  expect(task.status.message?.parts).toMatchObject([{ text: 'Lift-off' }]);
});

it('refuses what is no number', async () => {
  await expect(served().sendMessage('many')).toFailWith('Send a number from 1 to 100');
});

it('can be observed from afar, and left at any time', async () => {
  const client = served();
  const stream = client.sendMessageStream('100');
  const first = await new Promise<StreamEvent>((resolve, reject) => {
    const subscription = toObservable(stream).subscribe({
      next(event) {
        if (event.kind !== 'artifact') return;
        subscription.unsubscribe();
        resolve(event);
      },
      error: reject,
    });
  });
  expect(first).toMatchObject({ artifact: { parts: [{ text: '100 … ' }] } });
  // The task goes on without its reader.
  expect((await client.cancelTask(await stream.id)).status.state).toBe('canceled');
});
