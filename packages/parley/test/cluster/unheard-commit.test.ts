import { memory } from 'parley-a2a';
import { expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { startServer } from '../support/rpc.ts';
import { agentOf, hang } from '../support/script.ts';

it('a node goes on after a position that others have shown, though it has not heard yet that its commit was made [rule:resume.any-node]', async () => {
  const shared = memory({ shared: true });
  let held: PromiseWithResolvers<void> | undefined;
  // A connection that is lost, or slow, after the database has committed.
  const slow = withStore(shared, {
    commit: async (entries) => {
      const results = await shared.commit(entries);
      await held?.promise;
      return results;
    },
  });
  const written = Promise.withResolvers<void>();
  const agent = agentOf(async function* (task) {
    yield 'one ';
    await written.promise;
    yield 'two ';
    await hang(task);
  });
  const bus = localBus();
  const options = { bus, limits: { pollInterval: 20, cancelGrace: 10 }, drainTimeout: 0 };
  const writer = startServer(agent, { ...options, store: slow }).peer;
  const other = startServer(agent, { ...options, store: shared }).peer;
  const { id } = await writer.send('go', {}, { returnImmediately: true });
  const watched = await other.open('SubscribeToTask', { id }, { 'last-event-id': '0' });
  const before = await watched.until(({ result }) => JSON.stringify(result).includes('one '));
  held = Promise.withResolvers();
  written.resolve();
  const [shown] = (await watched.until(({ result }) => JSON.stringify(result).includes('two '))).slice(-1);
  expect(shown?.id).toBeGreaterThan(before.at(-1)?.id ?? 0);
  // The node that writes the task does not show it as it was before that.
  expect(await writer.call('GetTask', { id })).toMatchObject({ artifacts: [{ parts: [{ text: 'one two ' }] }] });
  // The client loses its connection, and comes there.
  const resumed = await writer.open('SubscribeToTask', { id }, { 'last-event-id': String(shown?.id) });
  const next = resumed.next();
  held.resolve();
  held = undefined;
  await other.call('CancelTask', { id });
  const frame = await next;
  expect(frame?.result).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } });
  expect(frame?.id).toBeGreaterThan(shown?.id ?? 0);
  await watched.close();
});
