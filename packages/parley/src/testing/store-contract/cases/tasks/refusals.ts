import type { CommitEntry, CommitResult } from '../../../../engine/ports.ts';
import { ALICE, append, BOB, chunkEvent, commitOne, creation, keyRecord } from '../../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../../runner.ts';
import { beginWhole, changeWhole, lookAtWhole, TALK, writeWhole } from '../../whole.ts';

/** Commits with every part to a task that has every part: what a refused one must leave as it is. */
export function describeRefusals({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  /** Commits an entry that must be refused, and looks whether anything of it was written. */
  const refuses = async (entry: CommitEntry, result: CommitResult) => {
    const before = await lookAtWhole(bed.store);
    expect(await commitOne(bed.store, entry)).toBe(result);
    expect(await lookAtWhole(bed.store)).toEqual(before);
  };

  describe('a refused commit writes nothing: no event, body, journal, context, key and push config,', () => {
    it('where the seq was passed or is not reached', async () => {
      const head = await writeWhole(bed.store);
      for (const wrong of [-1, 1]) {
        await refuses({ ...changeWhole(head), expectedSeq: head.seq + wrong }, 'conflict');
      }
    });

    it('where the lease is an earlier or a later one', async () => {
      const head = await writeWhole(bed.store);
      for (const wrong of [-1, 1]) {
        await refuses({ ...changeWhole(head), expectedLease: head.lease.number + wrong }, 'conflict');
      }
    });

    it('where the task exists, or does not exist', async () => {
      await writeWhole(bed.store);
      await refuses(beginWhole('task', ALICE), 'conflict');
      await refuses(changeWhole(creation('new', { contextId: TALK }).head), 'conflict');
    });

    it('where one of its keys is taken, whatever its place', async () => {
      const head = await writeWhole(bed.store);
      for (const keys of [
        ['old', 'fresh', 'fresh too'],
        ['fresh', 'old', 'fresh too'],
        ['fresh', 'fresh too', 'old'],
      ]) {
        await refuses(changeWhole(head, keys), 'key-taken');
        await refuses(beginWhole('new', ALICE, keys), 'key-taken');
      }
      await refuses({ kind: 'reply', key: keyRecord('old', { digest: 'another' }) }, 'key-taken');
    });

    it('where its context is that of another by now', async () => {
      await writeWhole(bed.store);
      await bed.store.shareContext(ALICE, TALK, ['bob']);
      await refuses(beginWhole('new', BOB), 'context-taken');
    });

    it('where it stands between others that are written', async () => {
      const head = await writeWhole(bed.store);
      const stale = { ...changeWhole(head), expectedLease: 7 };
      const before = await bed.store.journal('task');
      const next = append(head, [chunkEvent(head.seq + 1)]);
      expect(await bed.store.commit([creation('first'), stale, next])).toEqual(['ok', 'conflict', 'ok']);
      expect(await bed.store.head('task')).toEqual(next.head);
      expect(await bed.store.journal('task')).toEqual(before);
      const after = await lookAtWhole(bed.store);
      await refuses(stale, 'conflict');
      expect(await lookAtWhole(bed.store)).toEqual(after);
    });

    it('and is written as a whole once it expects the right seq and lease', async () => {
      const head = await writeWhole(bed.store);
      expect(await commitOne(bed.store, changeWhole(head))).toBe('ok');
      expect((await bed.store.journal('task')).map((entry) => entry.body)).toEqual([{ word: 'old' }, { word: 'new' }]);
      for (const key of ['fresh', 'fresh too']) {
        expect((await bed.store.key({ ...ALICE, agent: head.agent }, key, 0))?.taskId).toBe('task');
      }
      const state = await bed.store.contextState({ ...ALICE, agent: head.agent }, TALK, 70);
      expect(Object.fromEntries(state)).toEqual({ word: 'new', old: true, new: true });
      expect((await bed.store.listPushConfigs({ limit: 10 })).map(({ id }) => id)).toEqual(['new', 'old']);
    });
  });
}
