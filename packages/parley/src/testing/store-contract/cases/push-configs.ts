import type { PushConfigQuery, PushConfigRecord } from '../../../engine/ports.ts';
import { ALICE, accept, append, BOB, commitOne, creation, messageEvent } from '../fixtures.ts';
import { rounds } from '../rounds.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

function config(taskId: string, id: string, changes: Partial<PushConfigRecord> = {}): PushConfigRecord {
  const body = { url: `https://example.com/${id.length}`, token: 'é\u0000😀', nested: { list: [1, null] } };
  return { taskId, id, owner: ALICE, since: 2, createdAt: 1_800_000_000_000, dialect: 'v1_0', body, ...changes };
}

export function describePushConfigs({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  const placesOf = async (query: Partial<PushConfigQuery> = {}) =>
    (await bed.store.listPushConfigs({ limit: 100, ...query })).map(({ taskId, id }) => `${taskId} ${id}`);

  describe('push configs', () => {
    it('are kept as they are, and replaced by one with the same id', async () => {
      await accept(bed.store, creation('task'));
      const first = config('task', 'hook \uD800');
      expect(await bed.store.putPushConfig(first)).toBe(true);
      expect(await bed.store.pushConfig('task', first.id)).toEqual(first);
      const second = config('task', first.id, { since: 7, dialect: 'v0_3', body: {} });
      expect(await bed.store.putPushConfig(second)).toBe(true);
      expect(await bed.store.listPushConfigs({ limit: 10 })).toEqual([second]);
      expect(await bed.store.pushConfig('task', 'unknown')).toBe(undefined);
      expect(await bed.store.pushConfig('unknown', first.id)).toBe(undefined);
    });

    it('are refused for a task that does not exist', async () => {
      expect(await bed.store.putPushConfig(config('task', 'hook'))).toBe(false);
      expect(await placesOf()).toEqual([]);
    });

    it('are written with a commit, or not at all', async () => {
      const pushConfigs = [config('task', 'inline')];
      const head = await accept(bed.store, { ...creation('task'), pushConfigs });
      expect(await bed.store.pushConfig('task', 'inline')).toEqual(pushConfigs[0]);
      const stale = { ...append(head, [messageEvent(3)]), expectedLease: 7, pushConfigs: [config('task', 'stale')] };
      expect(await commitOne(bed.store, stale)).toBe('conflict');
      expect(await placesOf()).toEqual(['task inline']);
      await accept(bed.store, { ...append(head, [messageEvent(3)]), pushConfigs: [config('task', 'later')] });
      expect(await placesOf()).toEqual(['task inline', 'task later']);
    });

    it('show themselves only to their owner, where one is named', async () => {
      await accept(bed.store, creation('task'));
      await bed.store.putPushConfig(config('task', 'hook'));
      for (const other of [BOB, { ...ALICE, tenant: 'tenant' }]) {
        expect(await bed.store.pushConfig('task', 'hook', other)).toBe(undefined);
        expect(await placesOf({ owner: other })).toEqual([]);
        expect(await bed.store.deletePushConfig('task', 'hook', other)).toBe(false);
      }
      expect((await bed.store.pushConfig('task', 'hook', ALICE))?.id).toBe('hook');
      expect(await placesOf({ owner: ALICE })).toEqual(['task hook']);
    });

    it('are listed by the tenant of their owners, where one is named alone', async () => {
      await accept(bed.store, creation('task'));
      await bed.store.putPushConfig(config('task', 'mine'));
      for (const owner of [ALICE, BOB]) {
        const there = { ...owner, tenant: 'tenant \uD800' };
        await bed.store.putPushConfig(config('task', `there ${owner.subject}`, { owner: there }));
      }
      const tenant = 'tenant \uD800';
      const there = [`task there ${ALICE.subject}`, `task there ${BOB.subject}`].toSorted();
      expect(await placesOf({ tenant })).toEqual(there);
      expect(await placesOf({ tenant, taskId: 'task', limit: 1 })).toEqual(there.slice(0, 1));
      expect(await placesOf({ tenant, after: { taskId: 'task', id: there[0]?.slice(5) ?? '' } })).toEqual(
        there.slice(1),
      );
      expect(await placesOf({ tenant: 'unknown' })).toEqual([]);
    });

    it('are deleted once', async () => {
      await accept(bed.store, creation('task'));
      for (const id of ['one', 'two', 'three']) await bed.store.putPushConfig(config('task', id));
      expect(await bed.store.deletePushConfig('task', 'one', ALICE)).toBe(true);
      expect(await bed.store.deletePushConfig('task', 'one', ALICE)).toBe(false);
      expect(await bed.store.deletePushConfig('task', 'two')).toBe(true);
      expect(await bed.store.deletePushConfig('unknown', 'three')).toBe(false);
      expect(await placesOf()).toEqual(['task three']);
    });

    it('are listed page by page, each once, of one task or of all', async () => {
      for (const task of ['b', 'a', 'c']) {
        await accept(bed.store, creation(task));
        for (const id of ['3', '1', '2', '4']) await bed.store.putPushConfig(config(task, id));
      }
      expect(await placesOf({ taskId: 'b' })).toEqual(['b 1', 'b 2', 'b 3', 'b 4']);
      expect(await placesOf({ taskId: 'b', after: { taskId: 'b', id: '2' }, limit: 1 })).toEqual(['b 3']);
      const found: PushConfigRecord[] = [];
      for (const _ of rounds(50, 'the cursor of `listPushConfigs` includes its own place, or begins anew')) {
        const page = await bed.store.listPushConfigs({ after: found.at(-1), limit: 5 });
        if (page.length === 0) break;
        found.push(...page);
      }
      expect(found.map(({ taskId, id }) => taskId + id).join(' ')).toBe('a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4');
    });

    it('go with their task', async () => {
      const ended = { state: 'completed' as const, node: null };
      await accept(bed.store, { ...creation('gone', ended), pushConfigs: [config('gone', 'hook')] });
      await accept(bed.store, { ...creation('kept'), pushConfigs: [config('kept', 'hook')] });
      expect(await bed.store.purge({ endedBefore: 100, limit: 10 })).toEqual(['gone']);
      expect(await placesOf()).toEqual(['kept hook']);
      await accept(bed.store, creation('gone'));
      expect(await bed.store.pushConfig('gone', 'hook')).toBe(undefined);
    });

    it('keep their task until their cursors are at its end, where that is asked for', async () => {
      const ended = { state: 'completed' as const, node: null };
      const query = { endedBefore: 100, keepsUntold: true, limit: 10 };
      for (const id of ['new', 'old', 'both', 'none']) await accept(bed.store, creation(id, ended));
      const { seq } = (await bed.store.head('new')) ?? { seq: 0 };
      const cursor = (taskId: string, at: number, lease: number) =>
        bed.store.setCursor({ taskId, follower: 'é', seq: at, lease: { number: lease + 1, node: null } }, lease);
      await bed.store.putPushConfig(config('new', 'é', { since: seq - 1 }));
      await bed.store.putPushConfig(config('old', 'é', { since: seq }));
      await bed.store.putPushConfig(config('both', 'é', { since: 0 }));
      await bed.store.putPushConfig(config('both', 'other', { since: seq }));
      await cursor('both', seq - 1, 0);
      expect((await bed.store.purge(query)).toSorted()).toEqual(['none', 'old']);
      expect(await bed.store.purge({ ...query, taskId: 'both' })).toEqual([]);
      await cursor('both', seq, 1);
      expect(await bed.store.purge({ ...query, taskId: 'both' })).toEqual(['both']);
      expect(await bed.store.purge(query)).toEqual([]);
      expect(await bed.store.purge({ endedBefore: 100, limit: 10 })).toEqual(['new']);
    });
  });
}
