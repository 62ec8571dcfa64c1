import { accept, append, creation, statusEvent } from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

export function describeLiveness({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('nodes', () => {
    it('are alive until their heartbeat runs out', async () => {
      expect(await bed.store.isAlive('node-1', 0)).toBe(false);
      await bed.store.heartbeat('node-1', 100);
      expect(await bed.store.isAlive('node-1', 99)).toBe(true);
      expect(await bed.store.isAlive('node-1', 100)).toBe(false);
      await bed.store.heartbeat('node-1', 200);
      expect(await bed.store.isAlive('node-1', 150)).toBe(true);
      expect(await bed.store.isAlive('node-2', 0)).toBe(false);
    });

    it('other than the one that uses an exclusive store are dead', async () => {
      await bed.store.heartbeat('node-1', 100);
      await bed.store.heartbeat('node-2', 100);
      expect(await bed.store.isAlive('node-1', 50)).toBe(!bed.store.exclusive);
      expect(await bed.store.isAlive('node-2', 50)).toBe(true);
    });

    it('that are alive outlive a sweep', async () => {
      await bed.store.heartbeat('node-1', 100);
      await bed.store.sweep(50);
      expect(await bed.store.isAlive('node-1', 50)).toBe(true);
      await bed.store.sweep(100);
      expect(await bed.store.isAlive('node-1', 100)).toBe(false);
    });
  });

  describe('abandoned', () => {
    const idsOf = async (node: string, now = 0, limit = 100) =>
      (await bed.store.abandoned(node, now, limit)).map(({ id }) => id).sort();

    it('gives running tasks of other nodes, and only those', async () => {
      await bed.store.commit([
        creation('submitted', { node: 'dead' }),
        creation('working', { node: 'dead', state: 'working' }),
        creation('mine', { node: 'node-1' }),
        creation('of nobody', { node: null, state: 'working' }),
        creation('asking', { node: 'dead', state: 'input-required' }),
        creation('failed', { node: 'dead', state: 'failed' }),
      ]);
      expect(await idsOf('node-1')).toEqual(['submitted', 'working']);
      expect(await idsOf('dead')).toEqual(['mine']);
      expect((await idsOf('node-1', 0, 1)).length).toBe(1);
    });

    it('gives whole heads', async () => {
      const head = await accept(bed.store, creation('task', { node: 'dead' }));
      expect(await bed.store.abandoned('node-1', 0, 10)).toEqual([head]);
    });

    it('follows leases and states', async () => {
      let head = await accept(bed.store, creation('task', { node: 'dead' }));
      head = await accept(bed.store, append(head, [], { head: { lease: { number: 2, node: 'node-1' } } }));
      expect(await idsOf('node-1')).toEqual([]);
      expect(await idsOf('node-2')).toEqual(['task']);
      head = await accept(bed.store, append(head, [statusEvent(3, 'input-required')]));
      expect(await idsOf('node-2')).toEqual([]);
      head = await accept(bed.store, append(head, [statusEvent(4, 'working')]));
      expect(await idsOf('node-2')).toEqual(['task']);
      await accept(bed.store, append(head, [], { head: { lease: { number: 2, node: null } } }));
      expect(await idsOf('node-2')).toEqual([]);
    });

    it('gives tasks that wait for an answer until some time', async () => {
      let head = await accept(bed.store, creation('task', { node: 'dead' }));
      const waits = { head: { asking: true, answerBy: 1_900_000_000_000 } };
      head = await accept(bed.store, append(head, [statusEvent(3, 'input-required')], waits));
      expect(await bed.store.abandoned('node-1', 0, 10)).toEqual([head]);
      expect(await idsOf('dead')).toEqual([]);
      expect(await bed.store.head('task')).toEqual(head);
      const forEver = { head: { asking: true, answerBy: undefined } };
      await accept(bed.store, append(head, [statusEvent(4, 'input-required')], forEver));
      expect(await idsOf('node-1')).toEqual([]);
      await accept(bed.store, creation('other', { node: 'dead' }));
      expect(await idsOf('node-1', 0, 1)).toEqual(['other']);
    });

    it('spares nodes that are alive, where several share the store', async () => {
      await accept(bed.store, creation('task', { node: 'node-2' }));
      await bed.store.heartbeat('node-2', 100);
      expect(await idsOf('node-1', 50)).toEqual(bed.store.exclusive ? ['task'] : []);
      expect(await idsOf('node-1', 100)).toEqual(['task']);
    });
  });
}
