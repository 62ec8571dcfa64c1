import { memory, type StreamEvent, type TaskContext } from 'parley-a2a';
import { childrenOf } from 'parley-a2a/extensions';
import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../../src/engine/log/events.ts';
import { MOST_CHILDREN } from '../../../src/model/extensions/calls.ts';
import { withStore } from '../../../src/stores/with-store.ts';
import { sendParams, startServer, type Wire } from '../../support/rpc.ts';
import { agentOf, pause } from '../../support/script.ts';

const child = agentOf(() => 'done', { name: 'child' });

/** A parent that calls its child as often as its message says, and the events of its log. */
function calling(between: (task: TaskContext) => Promise<void> | void = () => {}) {
  const inner = memory();
  const events: TaskEvent[] = [];
  const store = withStore(inner, {
    commit(commits) {
      for (const commit of commits)
        if (commit.kind === 'task' && commit.head.agent === 'test') events.push(...commit.events);
      return inner.commit(commits);
    },
  });
  const parent = agentOf(async (task) => {
    for (let call = 0; call < Number(task.text); call += 1) {
      await task.call(child, `call ${call}`);
      await between(task);
    }
  });
  return { ...startServer([parent, child], { store }), events };
}

const bytesOf = (events: readonly TaskEvent[]) => JSON.stringify(events).length;
const taskIdsOf = (metadata: Wire) => childrenOf(metadata).map(({ taskId }) => taskId);

it('what a child says is forwarded as fast as the store takes it', async () => {
  const inner = memory();
  let forwarded = 0;
  let committed = 0;
  let most = 0;
  const store = withStore(inner, {
    async commit(commits) {
      await pause(5);
      const results = await inner.commit(commits);
      for (const commit of commits) {
        if (commit.kind !== 'task' || commit.head.agent !== 'test') continue;
        committed += commit.events.filter(({ kind }) => kind === 'status').length;
      }
      return results;
    },
  });
  const talker = agentOf(
    async (task) => {
      for (let count = 0; count < 300; count += 1) await task.status(`Said ${count}`);
    },
    { name: 'talker' },
  );
  const there = await startServer(talker).server.listen({ port: 0 });
  const parent = agentOf(async (task) => {
    const forward = (event: StreamEvent) => {
      if (event.kind !== 'status') return undefined;
      forwarded += 1;
      most = Math.max(most, forwarded - committed);
      return 'heard';
    };
    await task.call(there.url ?? '', 'go', { forward });
  });
  const { peer } = startServer(parent, { store, limits: { pendingEvents: 10 } });
  expect((await peer.send('go')).status.state).toBe('TASK_STATE_COMPLETED');
  expect(forwarded).toBeGreaterThan(300);
  expect(most).toBeLessThan(15);
});

describe('a task that starts many others', () => {
  it.each([
    ['nothing', () => {}],
    ['a status', (task: TaskContext) => task.status('Next')],
  ])('has a log that grows by as much with each of them, with %s in between', async (_, between) => {
    const sizes = [];
    for (const calls of ['100', '200']) {
      const { peer, events } = calling(between);
      const { metadata } = await peer.send(calls);
      expect(new Set(taskIdsOf(metadata)).size).toBe(Number(calls));
      sizes.push(bytesOf(events));
    }
    const [small = 0, large = 0] = sizes;
    expect(large / small).toBeLessThan(2.2);
  });

  it('shows a few of them with each status, and all with the one that ends it', async () => {
    const { peer } = calling((task) => task.status('Next'));
    const frames = await peer.stream('SendStreamingMessage', sendParams('30'));
    const updates = frames.flatMap(({ result }) => result.statusUpdate ?? []);
    const shown = updates.flatMap(({ metadata }) => (childrenOf(metadata).length > 0 ? [taskIdsOf(metadata)] : []));
    expect(shown.map(({ length }) => length)).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 30]);
    const { metadata } = await peer.call('GetTask', { id: updates[0].taskId });
    expect(shown.at(-1)).toEqual(taskIdsOf(metadata));
  });

  it(`lists no more than ${MOST_CHILDREN} of them, and the log of the server says so`, async () => {
    const { peer, logged } = calling();
    const { metadata, status } = await peer.send(String(MOST_CHILDREN + 2));
    expect(status.state).toBe('TASK_STATE_COMPLETED');
    expect(childrenOf(metadata)).toHaveLength(MOST_CHILDREN);
    expect(logged.map(({ message }) => message)).toEqual([expect.stringContaining('lists no further tasks')]);
  });
});
