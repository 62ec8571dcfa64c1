import type { CursorRecord } from '../../../engine/ports.ts';
import { accept, creation } from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

function cursor(seq: number, lease: number, changes: Partial<CursorRecord> = {}): CursorRecord {
  return { taskId: 'task', follower: 'push hook', seq, lease: { number: lease, node: 'node-1' }, ...changes };
}

export function describeCursors({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  const held = () => bed.store.cursor('task', 'push hook');

  describe('cursors', () => {
    it('are created, moved, and kept as they are', async () => {
      await accept(bed.store, creation('task'));
      expect(await held()).toBe(undefined);
      expect(await bed.store.setCursor(cursor(0, 1), 0)).toBe(true);
      expect(await held()).toEqual(cursor(0, 1));
      const moved = cursor(5, 1, { details: { error: 'é\u0000😀', nextTry: 1_800_000_000_000 } });
      expect(await bed.store.setCursor(moved, 1)).toBe(true);
      expect(await held()).toEqual(moved);
      expect(await bed.store.setCursor(cursor(6, 1), 1)).toBe(true);
      expect(await held()).toEqual(cursor(6, 1));
    });

    it('are moved only under the lease that the store holds', async () => {
      await accept(bed.store, creation('task'));
      expect(await bed.store.setCursor(cursor(3, 1), 1)).toBe(false);
      await bed.store.setCursor(cursor(1, 1), 0);
      const taken = cursor(1, 2, { lease: { number: 2, node: 'node-2' } });
      expect(await bed.store.setCursor(taken, 1)).toBe(true);
      for (const expected of [0, 1, 3]) expect(await bed.store.setCursor(cursor(9, 1), expected)).toBe(false);
      expect(await held()).toEqual(taken);
      const free = cursor(4, 2, { lease: { number: 2, node: null } });
      expect(await bed.store.setCursor(free, 2)).toBe(true);
      expect(await held()).toEqual(free);
    });

    it('are taken by one of two who want the same lease', async () => {
      await accept(bed.store, creation('task'));
      const first = [1, 2].map(async (seq) => bed.store.setCursor(cursor(seq, 1), 0));
      expect((await Promise.all(first)).filter(Boolean).length).toBe(1);
      const next = [1, 2, 3].map(async (seq) => bed.store.setCursor(cursor(seq, 2), 1));
      expect((await Promise.all(next)).filter(Boolean).length).toBe(1);
    });

    it('are apart for each task and follower', async () => {
      await accept(bed.store, creation('task'));
      await accept(bed.store, creation('other'));
      const all = ['task', 'other'].flatMap((taskId) =>
        ['a', '\uD800', '\uDFFF'].map((follower, index) => cursor(index, 1, { taskId, follower })),
      );
      for (const each of all) expect(await bed.store.setCursor(each, 0)).toBe(true);
      for (const each of all) expect(await bed.store.cursor(each.taskId, each.follower)).toEqual(each);
      await bed.store.deleteCursor('task', 'a');
      await bed.store.deleteCursor('task', 'a');
      expect(await bed.store.cursor('task', 'a')).toBe(undefined);
      expect((await bed.store.cursor('other', 'a'))?.seq).toBe(0);
    });

    it('need a task, and go with it', async () => {
      expect(await bed.store.setCursor(cursor(1, 1), 0)).toBe(false);
      await accept(bed.store, creation('task', { state: 'failed', node: null }));
      expect(await bed.store.setCursor(cursor(1, 1), 0)).toBe(true);
      await bed.store.purge({ endedBefore: 100, limit: 10 });
      expect(await held()).toBe(undefined);
      expect(await bed.store.setCursor(cursor(2, 1), 1)).toBe(false);
      await accept(bed.store, creation('task'));
      expect(await held()).toBe(undefined);
    });
  });
}
