import type { Store, TaskHead, TrimmedPart, TrimQuery } from '../../../../engine/ports.ts';
import {
  ALICE,
  ALL,
  accept,
  append,
  body,
  chunkEvent,
  creation,
  messageEvent,
  NO_LIMIT,
  statusEvent,
} from '../../fixtures.ts';
import { rounds } from '../../rounds.ts';
import type { StoreTestBed, TestRunner } from '../../runner.ts';

const PARTS: readonly TrimmedPart[] = ['rows', 'events', 'journals', 'deliveries'];
const RELEASED: Partial<TaskHead> = { lease: { number: 1, node: null } };
const CHUNKS = 40;

/** A task with a journal and two messages among chunks, one commit for each event, that has ended at that time. */
async function endedTask(store: Store, id: string, time: number): Promise<TaskHead> {
  let head = await accept(store, creation(id));
  const next = () => head.seq + 1;
  head = await accept(store, {
    ...append(head, [statusEvent(3, 'working')]),
    journal: [{ number: 1, seq: 3, body: { step: 1 } }],
  });
  for (let count = 0; count < CHUNKS; count += 1) head = await accept(store, append(head, [chunkEvent(next())]));
  head = await accept(store, append(head, [messageEvent(next(), 'in between')]));
  for (let count = 0; count < CHUNKS; count += 1) head = await accept(store, append(head, [chunkEvent(next())]));
  const end = [chunkEvent(next()), statusEvent(next() + 1, 'completed', time)];
  return accept(store, append(head, end, { bodies: [body('result', 0, head.seq + 1)], head: RELEASED }));
}

/** Runs a whole pass; resolves with the ids of what was trimmed. Stores that trim nothing have nothing to show. */
async function trim(store: Store, query: Omit<TrimQuery, 'limit'>, limit = 2): Promise<readonly string[] | undefined> {
  if (!store.trim) return undefined;
  const trimmed: string[] = [];
  let after: string | undefined;
  for (const _ of rounds(500, '`next` of `trim` does not become undefined at the end of a pass')) {
    const { tasks, next } = await store.trim({ ...query, after, limit });
    trimmed.push(...tasks);
    if (next === undefined) break;
    after = next;
  }
  return trimmed.sort();
}

/** Tests that a part of ended tasks can go while `load` returns the same, and nothing of other tasks goes. */
export function describeTrimming({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  const seqs = async (id: string, after = 0) => (await bed.store.read(id, after, NO_LIMIT)).map((event) => event.seq);

  describe('trimming', () => {
    it('leaves what is loaded, whatever part goes', async () => {
      const { store } = bed;
      if (!store.trim) return;
      const { seq } = await endedTask(store, 'task', 10);
      const before = await store.load(['task'], ALL);
      for (const part of PARTS) {
        await trim(store, { part, endedBefore: 11 });
        expect(await store.load(['task'], ALL)).toEqual(before);
      }
      expect(await store.load(['task'], { history: true, artifacts: false })).toEqual(
        before.map((stored) => ({ ...stored, bodies: [] })),
      );
      expect((await store.head('task'))?.seq).toBe(seq);
    });

    it('leaves every event and position where rows are folded', async () => {
      const { store } = bed;
      if (!store.trim) return;
      const { seq } = await endedTask(store, 'task', 10);
      const events = await store.read('task', 0, NO_LIMIT);
      await trim(store, { part: 'rows', endedBefore: 11 });
      expect(await store.read('task', 0, NO_LIMIT)).toEqual(events);
      for (let after = 0; after <= seq; after += 1) {
        const some = await store.read('task', after, { events: 3, bytes: 1e9 });
        expect(some).toEqual(events.slice(after, after + 3));
      }
    });

    it('drops all events but the last one', async () => {
      const { store } = bed;
      if (!store.trim) return;
      const { seq } = await endedTask(store, 'task', 10);
      expect(await trim(store, { part: 'events', endedBefore: 11 })).toEqual(['task']);
      expect(await seqs('task')).toEqual([seq]);
      expect((await store.read('task', 0, { events: 1, bytes: 1 })).map((event) => event.seq)).toEqual([seq]);
      expect(await seqs('task', seq - 1)).toEqual([seq]);
      expect(await seqs('task', seq)).toEqual([]);
      expect(await trim(store, { part: 'events', endedBefore: 11 })).toEqual([]);
      expect((await store.journal('task')).length).toBe(1);
    });

    it('drops journals', async () => {
      const { store } = bed;
      if (!store.trim) return;
      const { seq } = await endedTask(store, 'task', 10);
      expect(await trim(store, { part: 'journals', endedBefore: 11 })).toEqual(['task']);
      expect(await store.journal('task')).toEqual([]);
      expect((await seqs('task')).length).toBe(seq);
    });

    it('takes ended tasks before the time, and none that works or is held', async () => {
      const { store } = bed;
      if (!store.trim) return;
      const ids = ['first', 'second', 'third', 'fourth', 'fifth'];
      for (const id of ids) await endedTask(store, id, 10);
      await endedTask(store, 'later', 20);
      const working = await accept(store, creation('working', { state: 'working' }));
      const journal = [{ number: 1, seq: 2, body: {} }];
      await accept(store, { ...append(working, [chunkEvent(3)]), journal });
      const held = await accept(store, creation('held', { state: 'completed', time: 5 }));
      await accept(store, { ...append(held, [chunkEvent(3)]), journal });
      for (const part of ['events', 'journals'] as const) {
        expect(await trim(store, { part, endedBefore: 11 })).toEqual([...ids].sort());
      }
      for (const id of ['later', 'working', 'held']) {
        expect((await seqs(id))[0]).toBe(1);
        expect((await store.journal(id)).length).toBe(1);
      }
    });

    it('keeps events and webhooks while a webhook has not been told everything', async () => {
      const { store } = bed;
      if (!store.trim) return;
      const { seq } = await endedTask(store, 'task', 10);
      const config = { taskId: 'task', owner: ALICE, createdAt: 1, dialect: '1.0', body: {} };
      await store.putPushConfig({ ...config, id: 'told', since: seq });
      await store.putPushConfig({ ...config, id: 'behind', since: 2 });
      const cursor = { taskId: 'task', follower: 'behind', seq: seq - 1, lease: { number: 1, node: 'node-1' } };
      await store.setCursor(cursor, 0);
      for (const part of ['events', 'deliveries'] as const) {
        expect(await trim(store, { part, endedBefore: 11 })).toEqual([]);
      }
      expect(await seqs('task', seq - 1)).toEqual([seq]);
      expect((await seqs('task')).length).toBe(seq);
      expect((await store.listPushConfigs({ taskId: 'task', limit: 10 })).length).toBe(2);
      await store.setCursor({ ...cursor, seq }, 1);
      for (const part of ['events', 'deliveries'] as const) {
        expect(await trim(store, { part, endedBefore: 11 })).toEqual(['task']);
        expect(await trim(store, { part, endedBefore: 11 })).toEqual([]);
      }
      expect(await store.listPushConfigs({ taskId: 'task', limit: 10 })).toEqual([]);
      expect(await store.cursor('task', 'behind')).toBe(undefined);
    });

    it('is followed by a purge that removes the rest', async () => {
      const { store } = bed;
      if (!store.trim) return;
      await endedTask(store, 'first', 10);
      await endedTask(store, 'second', 10);
      for (const part of PARTS) await trim(store, { part, endedBefore: 11 });
      await endedTask(store, 'third', 10);
      const purged: string[] = [];
      for (const _ of rounds(100, '`purge` returns ids of tasks that it does not remove')) {
        const more = await store.purge({ endedBefore: 11, limit: 10 });
        if (more.length === 0) break;
        purged.push(...more);
      }
      expect(purged.sort()).toEqual(['first', 'second', 'third']);
      for (const id of purged) {
        expect(await store.head(id)).toBe(undefined);
        expect(await seqs(id)).toEqual([]);
      }
      await endedTask(store, 'first', 10);
      expect(await trim(store, { part: 'events', endedBefore: 11 })).toEqual(['first']);
    });
  });
}
