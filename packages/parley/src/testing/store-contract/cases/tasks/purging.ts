import type { JournalEntry, Store, TaskCommit, TaskHead } from '../../../../engine/ports.ts';
import { TASK_STATES, type TaskState, TERMINAL_STATES } from '../../../../model/states.ts';
import {
  AGENT,
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
  type NewTask,
  NO_LIMIT,
  statusEvent,
} from '../../fixtures.ts';
import { rounds } from '../../rounds.ts';
import type { StoreTestBed, TestRunner } from '../../runner.ts';

const EVERYTHING = { endedBefore: Number.MAX_SAFE_INTEGER, limit: 1000 };

/** A task that has gone through everything that is kept of one, and has ended at that time. */
async function endedTask(store: Store, id: string, time: number, options: NewTask = {}): Promise<TaskHead> {
  const head = await accept(store, creation(id, { time: 1, ...options }));
  const journal: JournalEntry[] = [1, 2].map((number) => ({ number, seq: 3, body: { number } }));
  const working: TaskCommit = {
    ...append(head, [statusEvent(3, 'working'), chunkEvent(4)], { bodies: [body('result', 0, 4)] }),
    journal,
  };
  const later = await accept(store, working);
  return accept(store, append(later, [statusEvent(5, options.state ?? 'completed', time)], { head: RELEASED }));
}

const RELEASED: Partial<TaskHead> = { lease: { number: 1, node: null } };

/** Tests that purging removes ended tasks as a whole, and no others. */
export function describePurging({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  const listed = async (more: object = {}) => {
    const { heads, total } = await bed.store.list({ agent: AGENT, owner: ALICE, limit: 100, ...more });
    return { ids: heads.map(({ id }) => id), total };
  };

  describe('purging', () => {
    it('removes everything of a task that has ended', async () => {
      await endedTask(bed.store, 'gone', 10);
      const kept = await endedTask(bed.store, 'kept', 20);
      expect(await bed.store.purge({ endedBefore: 20, limit: 10 })).toEqual(['gone']);
      expect(await bed.store.head('gone')).toBe(undefined);
      expect((await bed.store.load(['gone', 'kept'], ALL)).map(({ head }) => head)).toEqual([kept]);
      expect(await bed.store.read('gone', 0, NO_LIMIT)).toEqual([]);
      expect(await bed.store.journal('gone')).toEqual([]);
      expect((await bed.store.journal('kept')).length).toBe(2);
      expect((await bed.store.read('kept', 0, NO_LIMIT)).length).toBe(kept.seq);
      expect(await listed()).toEqual({ ids: ['kept'], total: 1 });
      expect(await listed({ state: 'completed' })).toEqual({ ids: ['kept'], total: 1 });
      expect(await listed({ contextId: 'context of gone' })).toEqual({ ids: [], total: 0 });
    });

    it('takes those that ended before the time, and only terminal ones that nobody holds', async () => {
      for (const state of TASK_STATES) {
        await accept(bed.store, creation(`${state}, free`, { state, node: null, time: 10 }));
        await accept(bed.store, creation(`${state}, held`, { state, time: 10 }));
        await accept(bed.store, creation(`${state}, later`, { state, node: null, time: 11 }));
      }
      expect(await bed.store.purge({ endedBefore: 10, limit: 100 })).toEqual([]);
      const removed = await bed.store.purge({ endedBefore: 11, limit: 100 });
      expect(removed.toSorted()).toEqual(TERMINAL_STATES.map((state) => `${state}, free`).toSorted());
      expect((await listed()).total).toBe(TASK_STATES.length * 3 - TERMINAL_STATES.length);
      for (const state of TASK_STATES) {
        const left = TERMINAL_STATES.includes(state) ? 2 : 3;
        expect((await listed({ state })).total).toBe(left);
      }
    });

    it('takes one task by its id, if that has ended', async () => {
      await endedTask(bed.store, 'one', 10);
      await endedTask(bed.store, 'other', 10);
      await accept(bed.store, creation('working', { state: 'working' }));
      const purge = (taskId: string, endedBefore = 100) => bed.store.purge({ endedBefore, taskId, limit: 10 });
      expect(await purge('one', 10)).toEqual([]);
      expect(await purge('one')).toEqual(['one']);
      expect(await purge('one')).toEqual([]);
      expect(await purge('working')).toEqual([]);
      expect(await purge('never')).toEqual([]);
      expect((await listed()).ids.toSorted()).toEqual(['other', 'working']);
    });

    it('goes on in batches until nothing is left', async () => {
      const entries = Array.from({ length: 25 }, (_, index) =>
        creation(`task ${index}`, { state: 'failed', node: null, owner: index % 2 ? ALICE : BOB, time: index }),
      );
      await bed.store.commit(entries);
      const batches: number[] = [];
      for (const _ of rounds(100, '`purge` returns ids of tasks that it does not remove')) {
        const removed = await bed.store.purge({ endedBefore: 20, limit: 7 });
        batches.push(removed.length);
        if (removed.length === 0) break;
      }
      expect(batches.every((count) => count <= 7)).toBe(true);
      expect(batches.reduce((sum, count) => sum + count)).toBe(20);
      expect((await listed()).ids).toEqual(['task 23', 'task 21']);
    });

    it('leaves later pages as they are', async () => {
      const entries = Array.from({ length: 9 }, (_, index) =>
        creation(`task ${index}`, { state: 'completed', node: null, time: index }),
      );
      await bed.store.commit(entries);
      const first = await bed.store.list({ agent: AGENT, owner: ALICE, limit: 4 });
      const after = first.heads.at(-1);
      await bed.store.purge({ endedBefore: 100, taskId: after?.id, limit: 1 });
      await bed.store.purge({ endedBefore: 2, limit: 10 });
      expect(await listed({ after, limit: 4 })).toEqual({ ids: ['task 4', 'task 3', 'task 2'], total: 6 });
    });

    it('refuses what is still written to a task that is gone', async () => {
      const head = await endedTask(bed.store, 'gone', 10);
      await bed.store.purge(EVERYTHING);
      expect(await commitOne(bed.store, append(head, [messageEvent(6)]))).toBe('conflict');
      expect(await bed.store.head('gone')).toBe(undefined);
    });

    it('lets an id be used anew, with nothing of the old task', async () => {
      await endedTask(bed.store, 'task', 10);
      await bed.store.purge(EVERYTHING);
      const head = await accept(bed.store, creation('task'));
      expect(await bed.store.load(['task'], ALL)).toEqual([{ head, bodies: [], events: [messageEvent(2)] }]);
      expect(await bed.store.journal('task')).toEqual([]);
    });
  });

  describe('purging, idempotency keys', () => {
    const { scope } = keyRecord('key');

    it('frees the keys that led to the task, and no others', async () => {
      const key = keyRecord('first', { taskId: 'gone', messageSeq: 2 });
      const head = await accept(bed.store, creation('gone', { keys: [key] }));
      const second = keyRecord('second', { taskId: 'gone', messageSeq: 3 });
      const ended = [messageEvent(3), statusEvent(4, 'completed', 10)];
      await accept(bed.store, append(head, ended, { keys: [second], head: RELEASED }));
      const other = keyRecord('other', { taskId: 'kept', messageSeq: 2 });
      await accept(bed.store, creation('kept', { keys: [other] }));
      await bed.store.commit([{ kind: 'reply', key: keyRecord('reply') }]);
      expect(await bed.store.purge(EVERYTHING)).toEqual(['gone']);
      expect(await bed.store.key(scope, 'first', 0)).toBe(undefined);
      expect(await bed.store.key(scope, 'second', 0)).toBe(undefined);
      expect(await bed.store.key(scope, 'other', 0)).toEqual(other);
      expect(await bed.store.key(scope, 'reply', 0)).toEqual(keyRecord('reply'));
      expect(await commitOne(bed.store, creation('new', { keys: [keyRecord('first', { taskId: 'new' })] }))).toBe('ok');
    });

    it('leaves a key that has run out and leads elsewhere by now', async () => {
      const options = { node: null, state: 'completed' as const, time: 10 };
      await accept(bed.store, creation('old', { ...options, keys: [keyRecord('key', { taskId: 'old' })] }));
      bed.now = 1_000;
      const key = keyRecord('key', { taskId: 'new', expiresAt: 2_000 });
      await accept(bed.store, creation('new', { keys: [key] }));
      expect(await bed.store.purge(EVERYTHING)).toEqual(['old']);
      expect(await bed.store.key(scope, 'key', 1_000)).toEqual(key);
    });
  });

  describe('purging, contexts', () => {
    const options = { contextId: 'talk', node: null, state: 'completed' as TaskState };
    const keep = (value: string | undefined) => ({ key: 'word', value, time: 10, lifetime: 50 });

    it('keeps them for their owner as long as a task of any agent is in them', async () => {
      await accept(bed.store, creation('first', { ...options, time: 10 }));
      await accept(bed.store, creation('second', { ...options, time: 20, agent: 'another' }));
      await bed.store.purge({ endedBefore: 20, limit: 10 });
      await bed.store.sweep(0);
      expect(await bed.store.contextOwner(ALICE, 'talk')).toEqual(ALICE);
      await accept(bed.store, creation('foreign', { contextId: 'talk', owner: BOB }));
      await bed.store.purge(EVERYTHING);
      expect(await bed.store.contextOwner(ALICE, 'talk')).toBe(undefined);
      expect(await bed.store.contextOwner(BOB, 'talk')).toEqual(BOB);
    });

    it('keeps them for their owner as long as they keep something', async () => {
      await accept(bed.store, { ...creation('task', { ...options, time: 10 }), context: [keep('mine')] });
      const foreign = creation('foreign', { ...options, time: 10, owner: BOB });
      await accept(bed.store, foreign);
      expect(await bed.store.purge(EVERYTHING)).toEqual(['task', 'foreign']);
      expect(await bed.store.contextOwner(BOB, 'talk')).toBe(undefined);
      await bed.store.sweep(59);
      const state = await bed.store.contextState({ ...ALICE, agent: AGENT }, 'talk', 59);
      expect([...state]).toEqual([['word', 'mine']]);
      expect(await bed.store.contextOwner(ALICE, 'talk')).toEqual(ALICE);
      await bed.store.sweep(60);
      expect(await bed.store.contextOwner(ALICE, 'talk')).toBe(undefined);
    });

    it('keeps them when a new task comes into what was kept', async () => {
      await accept(bed.store, { ...creation('task', { ...options, time: 10 }), context: [keep('mine')] });
      await bed.store.purge(EVERYTHING);
      await accept(bed.store, { ...creation('next', { contextId: 'talk', time: 20 }), context: [keep(undefined)] });
      await bed.store.sweep(1_000);
      expect(await bed.store.contextOwner(ALICE, 'talk')).toEqual(ALICE);
    });

    it('are told apart by their tenants', async () => {
      await accept(bed.store, creation('task', { ...options, time: 10 }));
      const owner = { tenant: 'tenant', subject: 'bob' };
      await accept(bed.store, creation('other', { ...options, time: 30, owner }));
      await bed.store.purge({ endedBefore: 20, limit: 10 });
      expect(await bed.store.contextOwner(ALICE, 'talk')).toBe(undefined);
      expect(await bed.store.contextOwner(owner, 'talk')).toEqual(owner);
    });
  });
}
