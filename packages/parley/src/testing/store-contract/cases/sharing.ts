import { AGENT, ALICE, accept, BOB, commitOne, creation } from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

const CAROL = { tenant: '', subject: 'carol' };

/** Contexts that their owners share with other subjects. */
export function describeSharing({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('shared contexts', () => {
    const own = { contextId: 'talk' };

    it('mean the context of their owner to each member', async () => {
      await accept(bed.store, creation('task', own));
      expect(await bed.store.shareContext(ALICE, 'talk', ['bob', 'carol'])).toEqual({ kind: 'shared' });
      for (const caller of [ALICE, BOB, CAROL]) expect(await bed.store.contextOwner(caller, 'talk')).toEqual(ALICE);
      expect(await bed.store.contextOwner({ tenant: '', subject: 'dave' }, 'talk')).toBe(undefined);
      expect(await bed.store.contextOwner({ tenant: 'tenant', subject: 'bob' }, 'talk')).toBe(undefined);
      expect(await bed.store.contextOwner(BOB, 'another')).toBe(undefined);
    });

    it('are listed for each member, and for nobody else', async () => {
      for (const id of ['one', 'two', 'three']) await accept(bed.store, creation(`task ${id}`, { contextId: id }));
      expect(await bed.store.sharedContexts(BOB, 10)).toEqual([]);
      await bed.store.shareContext(ALICE, 'one', ['bob']);
      await bed.store.shareContext(ALICE, 'two', ['bob', 'carol']);
      const ids = async (member: typeof BOB, limit = 10) =>
        (await bed.store.sharedContexts(member, limit)).map(({ contextId }) => contextId).sort();
      expect(await bed.store.sharedContexts(CAROL, 10)).toEqual([{ owner: ALICE, contextId: 'two' }]);
      expect(await ids(BOB)).toEqual(['one', 'two']);
      expect((await ids(BOB, 1)).length).toBe(1);
      expect(await ids(ALICE)).toEqual([]);
      expect(await ids({ tenant: 'tenant', subject: 'bob' })).toEqual([]);
    });

    it('may be shared again, and with their owner, which changes nothing', async () => {
      await accept(bed.store, creation('task', own));
      for (const subjects of [['bob'], ['bob', 'alice'], []]) {
        expect(await bed.store.shareContext(ALICE, 'talk', subjects)).toEqual({ kind: 'shared' });
      }
      expect((await bed.store.sharedContexts(BOB, 10)).length).toBe(1);
      expect(await bed.store.sharedContexts(ALICE, 10)).toEqual([]);
    });

    it('must be there', async () => {
      await accept(bed.store, creation('task', own));
      expect(await bed.store.shareContext(BOB, 'talk', ['carol'])).toEqual({ kind: 'unknown' });
      expect(await bed.store.contextOwner(CAROL, 'talk')).toBe(undefined);
    });

    it('leave a subject the context of that id that it has, and are then shared with nobody', async () => {
      await accept(bed.store, creation('task', own));
      await accept(bed.store, creation('of bob', { ...own, owner: BOB }));
      expect(await bed.store.shareContext(ALICE, 'talk', ['carol', 'bob'])).toEqual({ kind: 'taken', subject: 'bob' });
      expect(await bed.store.contextOwner(CAROL, 'talk')).toBe(undefined);
      expect(await bed.store.contextOwner(BOB, 'talk')).toEqual(BOB);
      expect(await bed.store.shareContext(BOB, 'talk', ['carol'])).toEqual({ kind: 'shared' });
      expect(await bed.store.shareContext(ALICE, 'talk', ['carol'])).toEqual({ kind: 'taken', subject: 'carol' });
      expect(await bed.store.contextOwner(CAROL, 'talk')).toEqual(BOB);
    });

    it('go to one of two owners who share the same id at the same time', async () => {
      for (const contextId of ['one', 'two', 'three']) {
        for (const owner of [ALICE, BOB]) {
          await accept(bed.store, creation(`${contextId} of ${owner.subject}`, { contextId, owner }));
        }
        const share = async (owner: typeof BOB) => bed.store.shareContext(owner, contextId, ['carol']);
        const results = await Promise.all([share(ALICE), share(BOB)]);
        expect(results.map(({ kind }) => kind).toSorted()).toEqual(['shared', 'taken']);
        const owner = results[0].kind === 'shared' ? ALICE : BOB;
        expect(await bed.store.contextOwner(CAROL, contextId)).toEqual(owner);
        const listed = await bed.store.sharedContexts(CAROL, 10);
        expect(listed.filter((shared) => shared.contextId === contextId)).toEqual([{ owner, contextId }]);
      }
    });

    it('mean one context to a member who begins one of that id at the same time', async () => {
      for (const contextId of ['one', 'two', 'three']) {
        await accept(bed.store, creation(`task ${contextId}`, { contextId }));
        const share = async () => (await bed.store.shareContext(ALICE, contextId, ['bob'])).kind;
        const begin = async () => commitOne(bed.store, creation(`of bob ${contextId}`, { contextId, owner: BOB }));
        const [shared, begun] = await Promise.all([share(), begin()]);
        expect([shared, begun]).toEqual(begun === 'ok' ? ['taken', 'ok'] : ['shared', 'context-taken']);
        expect(await bed.store.contextOwner(BOB, contextId)).toEqual(begun === 'ok' ? BOB : ALICE);
      }
    });

    it('take no task of a member that was begun as one in a context of its own', async () => {
      await accept(bed.store, creation('task', own));
      await bed.store.shareContext(ALICE, 'talk', ['bob']);
      expect(await commitOne(bed.store, creation('of bob', { ...own, owner: BOB }))).toBe('context-taken');
      expect(await bed.store.head('of bob')).toBe(undefined);
      expect(await commitOne(bed.store, creation('next', own))).toBe('ok');
    });

    it('are shared no more when they are gone', async () => {
      const ended = { ...own, node: null, state: 'completed' as const, time: 10 };
      await accept(bed.store, creation('task', ended));
      const keep = [{ key: 'word', value: 'kept', time: 10, lifetime: 50 }];
      await accept(bed.store, { ...creation('keeper', { ...ended, contextId: 'kept' }), context: keep });
      for (const id of ['talk', 'kept']) await bed.store.shareContext(ALICE, id, ['bob']);
      await bed.store.purge({ endedBefore: 100, limit: 10 });
      expect(await bed.store.contextOwner(BOB, 'talk')).toBe(undefined);
      expect(await bed.store.contextOwner(BOB, 'kept')).toEqual(ALICE);
      await bed.store.sweep(60);
      expect(await bed.store.sharedContexts(BOB, 10)).toEqual([]);
      await accept(bed.store, creation('again', own));
      expect(await bed.store.contextOwner(BOB, 'talk')).toBe(undefined);
      expect((await bed.store.list({ agent: AGENT, owner: BOB, limit: 5 })).total).toBe(0);
    });
  });
}
