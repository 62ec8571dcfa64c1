import {
  ALICE,
  ALL,
  accept,
  append,
  BOB,
  body,
  chunkEvent,
  commitOne,
  creation,
  keyRecord,
  messageEvent,
  NO_LIMIT,
  statusEvent,
} from '../../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../../runner.ts';

/** Expectations of a commit that comes too late, or from a node that lost its lease. */
const STALE = [
  ['a seq that was passed', { expectedSeq: 2 }],
  ['a seq that is not reached', { expectedSeq: 4 }],
  ['an earlier lease', { expectedLease: 1 }],
  ['a later lease', { expectedLease: 3 }],
] as const;

export function describeCommits({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('commit', () => {
    it('creates a task', async () => {
      const entry = creation('task');
      expect(await bed.store.head('task')).toBe(undefined);
      expect(await bed.store.commit([entry])).toEqual(['ok']);
      expect(await bed.store.head('task')).toEqual(entry.head);
      expect(await bed.store.read('task', 0, NO_LIMIT)).toEqual(entry.events);
    });

    it('keeps every member of a head', async () => {
      const { head } = creation('task', { node: null });
      const full = {
        ...head,
        status: {
          state: 'input-required' as const,
          timestamp: head.status.timestamp,
          message: messageEvent(1).message,
        },
        metadata: { nested: { list: [1, null, 'é\u0000😀'] } },
        consumed: 2,
        asking: true,
        openFrom: 1,
      };
      await accept(bed.store, { ...creation('task'), head: full });
      expect(await bed.store.head('task')).toEqual(full);
    });

    it('appends events and replaces the head', async () => {
      const created = creation('task');
      const events = [statusEvent(3, 'working', 30), chunkEvent(4)];
      const appended = append(created.head, events, { head: { openFrom: 4, consumed: 2 } });
      expect(await bed.store.commit([created])).toEqual(['ok']);
      expect(await bed.store.commit([appended])).toEqual(['ok']);
      expect(await bed.store.head('task')).toEqual(appended.head);
      expect(await bed.store.read('task', 0, NO_LIMIT)).toEqual([...created.events, ...events]);
    });

    it('changes a lease without events', async () => {
      const head = await accept(bed.store, creation('task'));
      const taken = append(head, [], { head: { lease: { number: 2, node: 'node-2' } } });
      expect(await bed.store.commit([taken])).toEqual(['ok']);
      expect((await bed.store.head('task'))?.lease).toEqual({ number: 2, node: 'node-2' });
      expect((await bed.store.read('task', 0, NO_LIMIT)).length).toBe(2);
    });

    it('refuses to create a task that exists', async () => {
      const head = await accept(bed.store, creation('task'));
      expect(await commitOne(bed.store, creation('task', { time: 9, contextId: 'another' }))).toBe('conflict');
      expect(await bed.store.head('task')).toEqual(head);
      expect(await bed.store.contextOwner(ALICE, 'another')).toBe(undefined);
    });

    it('refuses to append to a task that does not exist', async () => {
      const { head } = creation('task');
      expect(await commitOne(bed.store, append(head, [messageEvent(3)]))).toBe('conflict');
      expect(await bed.store.head('task')).toBe(undefined);
      expect(await bed.store.read('task', 0, NO_LIMIT)).toEqual([]);
    });

    for (const [name, wrong] of STALE) {
      it(`[rule:resume.one-writer] refuses ${name} and changes nothing`, async () => {
        const first = await accept(bed.store, creation('task'));
        const lease = { number: 2, node: 'node-2' };
        const head = await accept(bed.store, append(first, [messageEvent(3)], { head: { lease } }));
        const before = await bed.store.load(['task'], ALL);
        const change = {
          bodies: [body('result', 0, 4)],
          keys: [keyRecord('key')],
          head: { openFrom: 4 },
        };
        const entry = { ...append(head, [statusEvent(4, 'failed', 99), chunkEvent(5)], change), ...wrong };
        expect(await commitOne(bed.store, entry)).toBe('conflict');
        expect(await bed.store.load(['task'], ALL)).toEqual(before);
        expect((await bed.store.read('task', 0, NO_LIMIT)).length).toBe(3);
        expect(await bed.store.key(keyRecord('key').scope, 'key', 0)).toBe(undefined);
        const query = { agent: head.agent, owner: ALICE, limit: 10 };
        expect(await bed.store.list({ ...query, state: 'failed' })).toEqual({ heads: [], total: 0 });
        expect(await bed.store.list({ ...query, state: 'submitted' })).toEqual({ heads: [head], total: 1 });
      });
    }

    it('judges each entry of a batch alone and in order', async () => {
      const old = await accept(bed.store, creation('old', { contextId: 'shared' }));
      const fresh = creation('fresh', { keys: [keyRecord('key', { taskId: 'fresh' })] });
      const results = await bed.store.commit([
        append(old, [messageEvent(3)]),
        append(old, [messageEvent(3, 'too late')]),
        fresh,
        creation('double', { keys: [keyRecord('key')] }),
        creation('foreign', { owner: BOB, contextId: 'shared', keys: [keyRecord('key')] }),
        append(fresh.head, [statusEvent(3, 'working')]),
        { kind: 'reply', key: keyRecord('other') },
      ]);
      expect(results).toEqual(['ok', 'conflict', 'ok', 'key-taken', 'key-taken', 'ok', 'ok']);
      expect(await bed.store.read('old', 2, NO_LIMIT)).toEqual([messageEvent(3)]);
      expect((await bed.store.head('fresh'))?.status.state).toBe('working');
      expect(await bed.store.head('double')).toBe(undefined);
      expect(await bed.store.head('foreign')).toBe(undefined);
      expect(await bed.store.contextOwner(ALICE, 'context of double')).toBe(undefined);
    });

    it('takes commits that do not wait for each other', async () => {
      const first = creation('task');
      const second = append(first.head, [messageEvent(3)]);
      const third = append(second.head, [messageEvent(4)]);
      const results = await Promise.all([first, second, second, third].map(async (entry) => bed.store.commit([entry])));
      expect(results.flat()).toEqual(['ok', 'ok', 'conflict', 'ok']);
      expect((await bed.store.head('task'))?.seq).toBe(4);
    });

    it('takes an empty batch', async () => {
      expect(await bed.store.commit([])).toEqual([]);
    });
  });
}
