import type { CursorRecord } from '../../../engine/ports.ts';
import {
  AGENT,
  ALICE,
  ALL,
  accept,
  append,
  BOB,
  commitOne,
  creation,
  keyRecord,
  message,
  NO_LIMIT,
  statusEvent,
} from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';
import { beginWhole, changeWhole, lookAtWhole, TALK, writeWhole } from '../whole.ts';

/**
 * Tests that a store which is closed and opened again on the same place has what was written. They do nothing where the
 * contract was not told how to open the place again.
 */
export function describeDurability({ describe, it: test, expect }: TestRunner, bed: StoreTestBed): void {
  const it = (name: string, body: () => Promise<void>) =>
    test(name, async () => {
      if (bed.canReopen) await body();
    });

  describe('a place that is opened again', () => {
    it('has every part of its tasks', async () => {
      const head = await writeWhole(bed.store);
      await accept(bed.store, changeWhole(head));
      await commitOne(bed.store, { kind: 'reply', key: keyRecord('reply', { reply: message('hello') }) });
      await bed.store.shareContext(ALICE, TALK, ['bob']);
      const before = await lookAtWhole(bed.store);
      await bed.reopen();
      expect(await lookAtWhole(bed.store)).toEqual(before);
    });

    it('goes on where it was: what was refused still is, and the next commit fits', async () => {
      const head = await writeWhole(bed.store);
      await bed.store.shareContext(ALICE, TALK, ['bob']);
      await bed.reopen();
      expect(await commitOne(bed.store, { ...changeWhole(head), expectedLease: 7 })).toBe('conflict');
      expect(await commitOne(bed.store, changeWhole(head, ['old']))).toBe('key-taken');
      expect(await commitOne(bed.store, beginWhole('new', BOB))).toBe('context-taken');
      expect(await commitOne(bed.store, changeWhole(head))).toBe('ok');
      expect((await bed.store.list({ agent: AGENT, state: 'failed', limit: 5 })).total).toBe(1);
    });

    it('has the cursors of followers, with their leases', async () => {
      await accept(bed.store, creation('task'));
      const cursor: CursorRecord = { taskId: 'task', follower: 'hook', seq: 2, lease: { number: 1, node: 'node-1' } };
      await bed.store.setCursor(cursor, 0);
      await bed.reopen();
      expect(await bed.store.cursor('task', 'hook')).toEqual(cursor);
      expect(await bed.store.setCursor(cursor, 0)).toBe(false);
      expect(await bed.store.setCursor({ ...cursor, seq: 3 }, 1)).toBe(true);
    });

    it('has what the server keeps once, and the API keys', async () => {
      const apiKey = { id: 'one', hash: 'sha256:abc', subject: 'alice', tenant: 'acme', scopes: ['a'], createdAt: 5 };
      await bed.store.keepValue('key', 'first');
      await bed.store.addApiKey(apiKey);
      await bed.reopen();
      expect(await bed.store.keepValue('key', 'second')).toBe(false);
      expect(await bed.store.keptValue('key')).toBe('first');
      expect(await bed.store.addApiKey({ ...apiKey, subject: 'mallory' })).toBe(false);
      expect(await bed.store.listApiKeys()).toEqual([apiKey]);
    });

    it('has the turns that wait, where the store has a queue', async () => {
      if (!bed.store.queue) return;
      const queue = { priority: 1, arrival: 10, body: { kind: 'begin' } };
      const head = await accept(bed.store, { ...creation('task', { node: null }), queue });
      await bed.reopen();
      const claimed = await bed.store.queue.claim({ node: 'node-1', agents: [AGENT], limit: 5, now: 50 });
      expect(claimed).toEqual([{ head: { ...head, lease: { number: 2, node: 'node-1' } }, turn: queue }]);
    });

    it('knows the tasks that were abandoned', async () => {
      const head = await accept(bed.store, creation('task', { node: 'dead', state: 'working' }));
      await bed.reopen();
      expect(await bed.store.abandoned('node-1', 50, 10)).toEqual([head]);
    });

    it('does not bring back what was removed', async () => {
      const ended = { node: null, state: 'completed' as const, time: 10 };
      await accept(bed.store, creation('gone', { ...ended, keys: [keyRecord('key', { taskId: 'gone' })] }));
      const kept = await accept(bed.store, creation('kept', { ...ended, time: 20 }));
      await bed.store.addApiKey({ id: 'one', hash: 'sha256:abc', subject: 'alice', scopes: [], createdAt: 5 });
      expect(await bed.store.purge({ endedBefore: 20, limit: 10 })).toEqual(['gone']);
      await bed.store.removeApiKey('one');
      await bed.reopen();
      expect((await bed.store.load(['gone', 'kept'], ALL)).map(({ head }) => head)).toEqual([kept]);
      expect(await bed.store.read('gone', 0, NO_LIMIT)).toEqual([]);
      expect(await bed.store.key(keyRecord('key').scope, 'key', 0)).toBe(undefined);
      expect(await bed.store.list({ agent: AGENT, limit: 10 })).toEqual({ heads: [kept], total: 1 });
      expect(await bed.store.apiKey('one')).toBe(undefined);
    });

    it('has what was written after it was opened again, once it is opened a third time', async () => {
      const first = await accept(bed.store, creation('task'));
      await bed.reopen();
      const events = [statusEvent(3, 'working')];
      const head = await accept(bed.store, append(first, events));
      await bed.reopen();
      expect(await bed.store.head('task')).toEqual(head);
      expect(await bed.store.read('task', 2, NO_LIMIT)).toEqual(events);
    });
  });
}
