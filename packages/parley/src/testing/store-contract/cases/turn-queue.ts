import type { QueuedTurn, QueueFacet, TaskCommit, TaskHead } from '../../../engine/ports.ts';
import { accept, append, BOB, commitOne, creation, messageEvent, type NewTask, statusEvent } from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

function turn(changes: Partial<QueuedTurn> = {}): QueuedTurn {
  return { priority: 1, arrival: 10, body: { kind: 'begin', messageSeq: 2 }, ...changes };
}

/** The commit that makes a task whose first turn waits for any node. */
function queued(id: string, changes: Partial<QueuedTurn> = {}, task: NewTask = {}): TaskCommit {
  return { ...creation(id, { node: null, ...task }), queue: turn(changes) };
}

/** The promises of a store with a `queue`. Other stores have no such tests: their turns wait on one node. */
export function describeTurnQueue({ describe, it: test, expect }: TestRunner, bed: StoreTestBed): void {
  const it = (name: string, body: (queue: QueueFacet) => Promise<void>) =>
    test(name, async () => {
      if (bed.store.queue) await body(bed.store.queue);
    });
  const claimIds = async (queue: QueueFacet, node = 'node-1', limit = 100, agents: readonly string[] = ['agent']) =>
    (await queue.claim({ node, agents, limit, now: 50 })).map(({ head }) => head.id);

  describe('queue, where the store has one', () => {
    it('keeps a turn as it was written, and what replaces it', async (queue) => {
      const head = await accept(bed.store, queued('task', { deadline: 99 }));
      expect(await queue.queuedTurn('task')).toEqual(turn({ deadline: 99 }));
      expect(await queue.queuedTurn('other')).toBe(undefined);
      const later = turn({
        body: { kind: 'begin', text: 'Größe "1"\n\u2028\u0000\ud800', nested: { list: [1, null, true] } },
      });
      await accept(bed.store, { ...append(head, [messageEvent(3)]), queue: later });
      expect(await queue.queuedTurn('task')).toEqual(later);
    });

    it('keeps a turn through commits that say nothing of it, and removes it on request', async (queue) => {
      let head = await accept(bed.store, queued('task'));
      head = await accept(bed.store, append(head, [messageEvent(3)]));
      expect(await queue.queuedTurn('task')).toEqual(turn());
      await accept(bed.store, { ...append(head, [statusEvent(4, 'canceled')]), queue: null });
      expect(await queue.queuedTurn('task')).toBe(undefined);
      expect(await claimIds(queue)).toEqual([]);
    });

    it('writes nothing of a commit that is refused', async (queue) => {
      const head = await accept(bed.store, queued('task'));
      const stale: TaskHead = { ...head, lease: { number: 7, node: null } };
      const refused = { ...append(stale, [messageEvent(3)]), queue: null };
      expect(await commitOne(bed.store, refused)).toBe('conflict');
      expect(await queue.queuedTurn('task')).toEqual(turn());
    });

    it('claims by priority, then by arrival, then by id', async (queue) => {
      await bed.store.commit([
        queued('low', { priority: 0, arrival: 1 }),
        queued('b', { arrival: 20 }),
        queued('late', { arrival: 30 }),
        queued('a', { arrival: 20 }),
        queued('high', { priority: 2, arrival: 40 }),
      ]);
      expect(await claimIds(queue, 'node-1', 2)).toEqual(['high', 'a']);
      expect(await claimIds(queue, 'node-1', 0)).toEqual([]);
      await bed.store.heartbeat('node-1', 100);
      expect(await claimIds(queue, 'node-2')).toEqual(['b', 'late', 'low']);
    });

    it('takes the next lease number and returns the head with it', async (queue) => {
      const head = await accept(bed.store, queued('task'));
      const leased = { ...head, lease: { number: 2, node: 'node-1' } };
      expect(await queue.claim({ node: 'node-1', agents: ['agent'], limit: 5, now: 50 })).toEqual([
        { head: leased, turn: turn() },
      ]);
      expect(await bed.store.head('task')).toEqual(leased);
      expect(await commitOne(bed.store, append(head, [messageEvent(3)]))).toBe('conflict');
      const begun = append(leased, [statusEvent(3, 'working')]);
      expect(await commitOne(bed.store, { ...begun, queue: null })).toBe('ok');
      expect(await queue.queuedTurn('task')).toBe(undefined);
      expect(await claimIds(queue, 'node-2')).toEqual([]);
    });

    it('claims a turn again once its claimer is dead, and not before', async (queue) => {
      await accept(bed.store, queued('task'));
      await bed.store.heartbeat('node-1', 100);
      const claim = (node: string, now: number) => queue.claim({ node, agents: ['agent'], limit: 5, now });
      expect((await claim('node-1', 50)).length).toBe(1);
      expect((await claim('node-2', 99)).length).toBe(0);
      const [again] = await claim('node-2', 100);
      expect(again?.head.lease).toEqual({ number: 3, node: 'node-2' });
    });

    it('hands a turn to one node, where several claim at the same time', async (queue) => {
      await bed.store.heartbeat('node-1', 100);
      await bed.store.heartbeat('node-2', 100);
      await bed.store.heartbeat('node-3', 100);
      const ids = Array.from({ length: 30 }, (_, index) => `task-${index + 10}`);
      await bed.store.commit(ids.map((id, index) => queued(id, { arrival: index })));
      const nodes = ['node-1', 'node-2', 'node-3'];
      const found: string[] = [];
      for (let round = 0; round < 10; round += 1) {
        const claims = await Promise.all(nodes.map((node) => claimIds(queue, node, 4)));
        found.push(...claims.flat());
      }
      expect(found.sort()).toEqual(ids);
    });

    it('claims for the agents that are named alone', async (queue) => {
      await bed.store.commit([
        queued('one', {}, { agent: 'first' }),
        queued('two', {}, { agent: 'second' }),
        queued('three', {}, { agent: 'third' }),
      ]);
      expect(await claimIds(queue, 'node-1', 10, ['third', 'first'])).toEqual(['one', 'three']);
      expect(await claimIds(queue, 'node-1', 10, [])).toEqual([]);
    });

    it('claims the turns of one context, owner and agent one after the other', async (queue) => {
      await bed.store.heartbeat('node-1', 100);
      await bed.store.commit([
        queued('first', { arrival: 1 }, { contextId: 'shared' }),
        queued('second', { arrival: 2 }, { contextId: 'shared' }),
        queued('of another agent', { arrival: 3 }, { contextId: 'shared', agent: 'other' }),
        queued('of another owner', { arrival: 4 }, { contextId: 'shared', owner: BOB }),
        queued('elsewhere', { arrival: 5 }),
      ]);
      const agents = ['agent', 'other'];
      const [first, ...more] = await queue.claim({ node: 'node-1', agents, limit: 10, now: 50 });
      const others = ['of another agent', 'of another owner', 'elsewhere'];
      expect([first?.head.id, ...more.map(({ head }) => head.id)]).toEqual(['first', ...others]);
      expect(await claimIds(queue, 'node-2')).toEqual([]);
      if (!first) throw new Error('The first turn was claimed');
      await accept(bed.store, { ...append(first.head, [statusEvent(3, 'working')]), queue: null });
      expect(await claimIds(queue, 'node-2')).toEqual(['second']);
    });

    it('is no business of those who look for abandoned tasks', async (queue) => {
      await accept(bed.store, queued('task'));
      await claimIds(queue, 'dead');
      expect(await bed.store.abandoned('node-2', 50, 10)).toEqual([]);
      const [claimed] = await queue.claim({ node: 'node-1', agents: ['agent'], limit: 1, now: 50 });
      if (!claimed) throw new Error('The turn was claimed');
      const begun = await accept(bed.store, { ...append(claimed.head, [statusEvent(3, 'working')]), queue: null });
      expect(await bed.store.abandoned('node-2', 50, 10)).toEqual([begun]);
    });

    it('knows the turns whose deadline has come, unless a living node has claimed them', async (queue) => {
      await bed.store.commit([
        queued('early', { deadline: 20 }),
        queued('late', { deadline: 60 }),
        queued('never'),
        queued('claimed', { deadline: 10, priority: 2 }),
      ]);
      await bed.store.heartbeat('node-1', 100);
      expect(await claimIds(queue, 'node-1', 1)).toEqual(['claimed']);
      expect(await queue.overdueTurns(19, 10)).toEqual([]);
      expect(await queue.overdueTurns(20, 10)).toEqual(['early']);
      expect([...(await queue.overdueTurns(60, 10))].sort()).toEqual(['early', 'late']);
      expect((await queue.overdueTurns(60, 1)).length).toBe(1);
      expect([...(await queue.overdueTurns(100, 10))].sort()).toEqual(['claimed', 'early', 'late']);
    });

    it('tells how many wait, and since when', async (queue) => {
      expect(await queue.queueState()).toEqual({ turns: 0, oldest: undefined });
      const head = await accept(bed.store, queued('one', { arrival: 7 }));
      await accept(bed.store, queued('two', { arrival: 9, priority: 2 }));
      expect(await queue.queueState()).toEqual({ turns: 2, oldest: 7 });
      await accept(bed.store, { ...append(head, [statusEvent(3, 'canceled')]), queue: null });
      expect(await queue.queueState()).toEqual({ turns: 1, oldest: 9 });
    });

    it('knows the nodes that are alive', async (queue) => {
      await bed.store.heartbeat('node-1', 100);
      await bed.store.heartbeat('node-2', 60);
      expect([...(await queue.liveNodes(50))].sort()).toEqual(['node-1', 'node-2']);
      expect(await queue.liveNodes(60)).toEqual(['node-1']);
    });

    it('loses the turn of a task that is purged', async (queue) => {
      const head = await accept(bed.store, queued('task'));
      await accept(bed.store, append(head, [statusEvent(3, 'canceled')]));
      await bed.store.purge({ endedBefore: 1_000, limit: 10 });
      expect(await queue.queueState()).toEqual({ turns: 0, oldest: undefined });
    });
  });
}
