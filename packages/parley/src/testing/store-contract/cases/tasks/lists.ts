import type { ListCursor, ListQuery, Store, TaskHead } from '../../../../engine/ports.ts';
import { AGENT, ALICE, accept, append, BOB, chunkEvent, creation, statusEvent } from '../../fixtures.ts';
import { rounds } from '../../rounds.ts';
import type { StoreTestBed, TestRunner } from '../../runner.ts';

const QUERY: ListQuery = { agent: AGENT, owner: ALICE, limit: 100 };

export function describeLists({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  /** The ids of a page; one that starts at the beginning holds every match. */
  const idsOf = async (store: Store, query: ListQuery): Promise<readonly string[]> => {
    const { heads, total } = await store.list(query);
    if (!query.after) expect(total).toBe(heads.length);
    return heads.map(({ id }) => id);
  };

  describe('list', () => {
    it('[rule:list.order] gives the newest status first', async () => {
      await bed.store.commit([creation('a', { time: 5 }), creation('b', { time: 9 }), creation('c', { time: 7 })]);
      expect(await idsOf(bed.store, QUERY)).toEqual(['b', 'c', 'a']);
    });

    it('moves a task whose status changes to the front', async () => {
      const head = await accept(bed.store, creation('a', { time: 5 }));
      await bed.store.commit([creation('b', { time: 9 })]);
      await accept(bed.store, append(head, [statusEvent(3, 'working', 12)]));
      expect(await idsOf(bed.store, QUERY)).toEqual(['a', 'b']);
    });

    it('[rule:list.order-stable] orders equal times by id, and chunks do not move a task', async () => {
      const ids = ['a', 'd', 'c', 'b'];
      await bed.store.commit(ids.map((id) => creation(id, { time: 5 })));
      expect(await idsOf(bed.store, QUERY)).toEqual(['d', 'c', 'b', 'a']);
      const head = creation('b', { time: 5 }).head;
      const changed = await accept(
        bed.store,
        append(head, [{ ...chunkEvent(3), time: 50 }], { head: { openFrom: 3 } }),
      );
      const { heads } = await bed.store.list(QUERY);
      expect(heads.map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
      expect(heads[2]).toEqual(changed);
    });

    it('shows only tasks of the agent, the tenant and the subject', async () => {
      await bed.store.commit([
        creation('mine'),
        creation('of bob', { owner: BOB }),
        creation('of another tenant', { owner: { ...ALICE, tenant: 'tenant' } }),
        creation('of another agent', { agent: 'another' }),
      ]);
      expect(await idsOf(bed.store, QUERY)).toEqual(['mine']);
      expect(await idsOf(bed.store, { ...QUERY, owner: BOB })).toEqual(['of bob']);
      expect(await bed.store.list({ ...QUERY, agent: 'unknown' })).toEqual({ heads: [], total: 0 });
    });

    it('shows the tasks of every owner when none is named, as operators see them', async () => {
      const other = { ...ALICE, tenant: 'tenant' };
      await bed.store.commit([
        creation('mine', { time: 1, contextId: 'talk' }),
        creation('of bob', { time: 3, owner: BOB, state: 'working' }),
        creation('of another tenant', { time: 2, owner: other, contextId: 'talk' }),
        creation('of another agent', { agent: 'another' }),
      ]);
      const everyone: ListQuery = { agent: AGENT, limit: 100 };
      expect(await idsOf(bed.store, everyone)).toEqual(['of bob', 'of another tenant', 'mine']);
      expect(await idsOf(bed.store, { ...everyone, state: 'submitted' })).toEqual(['of another tenant', 'mine']);
      expect(await idsOf(bed.store, { ...everyone, contextId: 'talk' })).toEqual(['of another tenant', 'mine']);
      expect(await idsOf(bed.store, { ...everyone, statusSince: 3 })).toEqual(['of bob']);
      const page = await bed.store.list({ ...everyone, limit: 1, after: { statusTime: 3, id: 'of bob' } });
      expect(page.heads.map(({ id }) => id)).toEqual(['of another tenant']);
      expect(page.total).toBe(3);
    });

    it('shows the tasks of every owner of one tenant when only that is named', async () => {
      const other = { ...ALICE, tenant: 'tenant' };
      await bed.store.commit([
        creation('mine', { time: 1 }),
        creation('of the tenant', { time: 2, owner: other, state: 'working', contextId: 'talk' }),
        creation('of bob there', { time: 3, owner: { ...BOB, tenant: 'tenant' } }),
        creation('of another agent', { agent: 'another', owner: other }),
      ]);
      const ofTenant: ListQuery = { agent: AGENT, tenant: 'tenant', limit: 100 };
      expect(await idsOf(bed.store, ofTenant)).toEqual(['of bob there', 'of the tenant']);
      expect(await idsOf(bed.store, { ...ofTenant, state: 'working' })).toEqual(['of the tenant']);
      expect(await idsOf(bed.store, { ...ofTenant, contextId: 'talk' })).toEqual(['of the tenant']);
      expect(await idsOf(bed.store, { ...ofTenant, statusSince: 3 })).toEqual(['of bob there']);
      expect(await idsOf(bed.store, { ...ofTenant, tenant: 'unknown' })).toEqual([]);
      const page = await bed.store.list({ ...ofTenant, limit: 1, after: { statusTime: 3, id: 'of bob there' } });
      expect([page.heads.map(({ id }) => id), page.total]).toEqual([['of the tenant'], 2]);
    });

    it('[rule:list.timestamp-inclusive] includes the status time that is asked for', async () => {
      await bed.store.commit([4, 5, 6].map((time) => creation(`at ${time}`, { time })));
      expect(await idsOf(bed.store, { ...QUERY, statusSince: 5 })).toEqual(['at 6', 'at 5']);
    });

    it('combines its filters', async () => {
      const state = 'working';
      await bed.store.commit([
        creation('match', { contextId: 'talk', state, time: 5 }),
        creation('old', { contextId: 'talk', state, time: 4 }),
        creation('of another state', { contextId: 'talk', time: 6 }),
        creation('of another context', { state, time: 7 }),
      ]);
      expect(await idsOf(bed.store, { ...QUERY, contextId: 'talk', state })).toEqual(['match', 'old']);
      expect(await idsOf(bed.store, { ...QUERY, state, statusSince: 5 })).toEqual(['of another context', 'match']);
      expect(await idsOf(bed.store, { ...QUERY, contextId: 'talk', statusSince: 5 })).toEqual([
        'of another state',
        'match',
      ]);
      const all = { ...QUERY, contextId: 'talk', state, statusSince: 5 } as const;
      expect(await idsOf(bed.store, all)).toEqual(['match']);
      expect(await bed.store.list({ ...QUERY, contextId: 'unknown' })).toEqual({ heads: [], total: 0 });
    });

    it('counts matches whatever the page is', async () => {
      await bed.store.commit(Array.from({ length: 7 }, (_, index) => creation(`task ${index}`, { time: index })));
      const after = { statusTime: 3, id: 'task 3' };
      const page = await bed.store.list({ ...QUERY, limit: 2, after });
      expect(page.heads.map(({ id }) => id)).toEqual(['task 2', 'task 1']);
      expect(page.total).toBe(7);
    });

    it('starts behind a cursor whose task is gone from there', async () => {
      await bed.store.commit([creation('a', { time: 1 }), creation('c', { time: 3 })]);
      expect(await idsOf(bed.store, { ...QUERY, after: { statusTime: 2, id: 'b' } })).toEqual(['a']);
      expect(await idsOf(bed.store, { ...QUERY, after: { statusTime: 9, id: 'z' } })).toEqual(['c', 'a']);
      expect(await idsOf(bed.store, { ...QUERY, after: { statusTime: 1, id: 'a' } })).toEqual([]);
    });

    it('[rule:list.cursor] visits every task that does not change once, while others move', async () => {
      const entries = Array.from({ length: 60 }, (_, index) =>
        creation(`task ${String(index).padStart(2, '0')}`, { time: Math.floor(index / 3) }),
      );
      await bed.store.commit(entries);
      const moving = entries.filter((_, index) => index % 4 === 0).map(({ head }) => head);
      const visited: string[] = [];
      let after: ListCursor | undefined;
      for (const round of rounds(50, 'the cursor of `list` includes its own place, or begins anew')) {
        const time = 100 + round;
        const { heads } = await bed.store.list({ ...QUERY, limit: 7, after });
        const last = heads.at(-1);
        if (!last) break;
        visited.push(...heads.map(({ id }) => id));
        after = { statusTime: last.statusTime, id: last.id };
        await moveOne(bed.store, moving, time);
        await accept(bed.store, creation(`new ${time}`, { time }));
      }
      const still = entries.filter((_, index) => index % 4 !== 0).map(({ head }) => head.id);
      for (const id of still) expect(visited.filter((seen) => seen === id)).toEqual([id]);
    });
  });
}

async function moveOne(store: Store, moving: TaskHead[], time: number): Promise<void> {
  const head = moving.shift();
  if (head) moving.push(await accept(store, append(head, [statusEvent(head.seq + 1, 'working', time)])));
}
