import type { ContextChange, KeyScope, TaskCommit, TaskHead } from '../../../engine/ports.ts';
import type { JsonValue } from '../../../model/basics/json.ts';
import { AGENT, ALICE, accept, append, BOB, commitOne, creation, messageEvent, statusEvent } from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

export const LIFETIME = 100;
export const SCOPE: KeyScope = { ...ALICE, agent: AGENT };

export const kept = (key: string, value: JsonValue | undefined, time: number, lifetime = LIFETIME): ContextChange => ({
  key,
  value,
  time,
  lifetime,
});

export const changing = (head: TaskHead, ...context: readonly ContextChange[]): TaskCommit => ({
  ...append(head, []),
  context,
});

export function describeContextState({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  const stateOf = async (contextId: string, now: number, scope = SCOPE) =>
    Object.fromEntries(await bed.store.contextState(scope, contextId, now));

  const task = (id: string, contextId = 'talk', time = 1) => accept(bed.store, creation(id, { contextId, time }));

  describe('what a context keeps', () => {
    it('is there after the commit, for other tasks of the context as well', async () => {
      const value = { list: [1, null, 'é\u0000😀\uD800'], nested: { deep: true } };
      const head = await task('one');
      await accept(bed.store, changing(head, kept('a', value, 10), kept('b', 0, 10), kept('__proto__', 'odd', 10)));
      const state = [...(await bed.store.contextState(SCOPE, 'talk', 11))];
      expect(state.toSorted(([left], [right]) => (left < right ? -1 : 1))).toEqual([
        ['__proto__', 'odd'],
        ['a', value],
        ['b', 0],
      ]);
      expect(await stateOf('other', 11)).toEqual({});
    });

    it('is replaced and removed', async () => {
      const head = await task('one');
      await accept(bed.store, changing(head, kept('a', 1, 10), kept('b', 1, 10), kept('a', 2, 10)));
      expect(await stateOf('talk', 11)).toEqual({ a: 2, b: 1 });
      await accept(bed.store, changing(head, kept('a', undefined, 12), kept('c', undefined, 12)));
      expect(await stateOf('talk', 13)).toEqual({ b: 1 });
    });

    it('comes with the commit or not at all', async () => {
      const head = await task('one');
      const stale = { ...changing(head, kept('a', 1, 10)), expectedLease: 7 };
      expect(await commitOne(bed.store, stale)).toBe('conflict');
      expect(await stateOf('talk', 11)).toEqual({});
      const withTask = { ...creation('two', { contextId: 'talk' }), context: [kept('a', 2, 10)] };
      await accept(bed.store, withTask);
      expect(await stateOf('talk', 11)).toEqual({ a: 2 });
    });

    it('belongs to one tenant, subject and agent', async () => {
      const tenant = { tenant: 'acme', subject: 'alice' };
      const owners = [
        { owner: ALICE, agent: AGENT },
        { owner: BOB, agent: AGENT },
        { owner: tenant, agent: AGENT },
        { owner: ALICE, agent: 'other' },
      ];
      for (const [index, { owner, agent }] of owners.entries()) {
        const entry = creation(`task ${index}`, { owner, agent, contextId: owner === BOB ? 'talk of bob' : 'talk' });
        await accept(bed.store, { ...entry, context: [kept('who', index, 10)] });
      }
      for (const [index, { owner, agent }] of owners.entries()) {
        const contextId = owner === BOB ? 'talk of bob' : 'talk';
        expect(await stateOf(contextId, 11, { ...owner, agent })).toEqual({ who: index });
      }
      expect(await stateOf('talk', 11, { ...BOB, agent: AGENT })).toEqual({});
    });

    it('is gone when nothing has happened for its lifetime', async () => {
      const head = await task('one');
      await accept(bed.store, changing(head, kept('a', 1, 10)));
      expect(await stateOf('talk', 109)).toEqual({ a: 1 });
      expect(await stateOf('talk', 110)).toEqual({});
    });

    it('is kept for longer by each message in its context, and by nothing else', async () => {
      const head = await task('one');
      await task('elsewhere', 'other');
      await accept(bed.store, changing(head, kept('a', 1, 10)));
      const later = { ...messageEvent(2), time: 100 };
      await accept(bed.store, {
        ...creation('two', { contextId: 'talk', time: 100 }),
        events: [statusEvent(1, 'submitted'), later],
      });
      expect(await stateOf('talk', 199)).toEqual({ a: 1 });
      await accept(bed.store, append(head, [{ ...statusEvent(3, 'working'), time: 190 }]));
      expect(await stateOf('talk', 200)).toEqual({});
    });

    it('does not come back once it has expired', async () => {
      const head = await task('one');
      await accept(bed.store, changing(head, kept('a', 1, 10)));
      const tooLate = { ...messageEvent(3), time: 110 };
      await accept(bed.store, append(head, [tooLate]));
      expect(await stateOf('talk', 111)).toEqual({});
      await accept(bed.store, { ...creation('two', { contextId: 'talk' }), context: [kept('b', 2, 120)] });
      expect(await stateOf('talk', 121)).toEqual({ b: 2 });
    });

    it('is kept together: a change of one keeps the others', async () => {
      const head = await task('one');
      await accept(bed.store, changing(head, kept('a', 1, 10)));
      await accept(bed.store, changing(head, kept('b', 2, 100)));
      expect(await stateOf('talk', 150)).toEqual({ a: 1, b: 2 });
    });

    it('may be kept for ever', async () => {
      const head = await task('one');
      await accept(bed.store, changing(head, kept('a', 1, 1_800_000_000_000, 8e15)));
      await accept(bed.store, append(head, [{ ...messageEvent(3), time: 1_900_000_000_000 }]));
      expect(await stateOf('talk', 4_000_000_000_000)).toEqual({ a: 1 });
    });

    it('outlives a sweep until it has expired', async () => {
      const head = await task('one');
      await accept(bed.store, changing(head, kept('a', 1, 10)));
      await bed.store.sweep(109);
      expect(await stateOf('talk', 50)).toEqual({ a: 1 });
      await bed.store.sweep(110);
      expect(await stateOf('talk', 50)).toEqual({});
    });
  });
}
