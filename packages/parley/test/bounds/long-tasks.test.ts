import { inputRequired, memory } from 'parley-a2a';
import type { LoadDetail } from 'parley-a2a/ports';
import { describe, expect, it } from 'vitest';
import { localBus } from '../../src/bus/local.ts';
import { type RpcPeer, startServer } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { storeWith } from '../support/stores/store-with.ts';

/** Says how many messages it knows. */
const counting = (resumable = false) =>
  agentOf((task) => inputRequired(`${task.history.length} before`), { resumable });

/** A store that counts how often whole tasks are loaded, and journals read. */
function counted() {
  const counts = { loads: 0, journals: 0 };
  const store = storeWith((inner) => ({
    load: (ids: readonly string[], detail: LoadDetail) => {
      counts.loads += 1;
      return inner.load(ids, detail);
    },
    journal: (taskId: string) => {
      counts.journals += 1;
      return inner.journal(taskId);
    },
  }));
  return { counts, store };
}

async function turns(peer: RpcPeer, count: number) {
  const first = await peer.send('go');
  const { id: taskId, contextId } = first;
  let task = first;
  for (let turn = 0; turn < count; turn += 1) task = await peer.send(`turn ${turn}`, { taskId, contextId });
  return task;
}

describe.each([false, true])('where runs are resumable: %s', (resumable) => {
  it('a turn reads nothing of the turns before it from the store', async () => {
    const { counts, store } = counted();
    const { peer } = startServer(counting(resumable), { store });
    const task = await turns(peer, 50);
    expect(task.status.message.parts).toEqual([{ text: '100 before' }]);
    expect(task.history).toHaveLength(101);
    expect(counts).toEqual({ loads: 0, journals: 0 });
  });

  it('a task that is too large to be held goes on from the store', async () => {
    const { counts, store } = counted();
    const { peer } = startServer(counting(resumable), { store, limits: { waitingBytes: 0 } });
    const task = await turns(peer, 3);
    expect(task.status.message.parts).toEqual([{ text: '6 before' }]);
    expect(counts.loads).toBe(3);
  });

  it('of many tasks those are held that were written last', async () => {
    const { counts, store } = counted();
    const { peer } = startServer(counting(resumable), { store, limits: { waitingBytes: 2000 } });
    const tasks = [await peer.send('one'), await peer.send('two'), await peer.send('three')];
    const answer = ({ id, contextId }: (typeof tasks)[number]) => peer.send('more', { taskId: id, contextId });
    await answer(tasks[2]);
    expect(counts.loads).toBe(0);
    await answer(tasks[0]);
    expect(counts.loads).toBe(1);
  });
});

it('a task that another node has written since is read again', async () => {
  const [store, bus] = [memory({ shared: true }), localBus()];
  const [one, other] = [startServer(counting(), { store, bus }), startServer(counting(), { store, bus })];
  const { id: taskId, contextId } = await one.peer.send('go');
  for (const [turn, { peer }] of [other, one, other, one].entries()) {
    const { status } = await peer.send('more', { taskId, contextId });
    expect(status.message.parts).toEqual([{ text: `${2 * turn + 2} before` }]);
  }
});
