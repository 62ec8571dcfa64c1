import {
  AGENT,
  ALICE,
  accept,
  append,
  BOB,
  commitOne,
  creation,
  keyRecord,
  message,
  messageEvent,
} from '../fixtures.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

/** Idempotency keys and contexts: what one caller has taken and another cannot. */
export function describeClaims({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('idempotency keys', () => {
    const { scope } = keyRecord('key');

    it('are written with the task that they led to', async () => {
      const key = keyRecord('key', { taskId: 'task', messageSeq: 2 });
      await accept(bed.store, creation('task', { keys: [key] }));
      expect(await bed.store.key(scope, 'key', 0)).toEqual(key);
      expect(await bed.store.key(scope, 'another', 0)).toBe(undefined);
    });

    it('are written with a bare reply', async () => {
      const key = keyRecord('key', { reply: message('hello') });
      expect(await commitOne(bed.store, { kind: 'reply', key })).toBe('ok');
      expect(await bed.store.key(scope, 'key', 0)).toEqual(key);
    });

    it('are written with a later message', async () => {
      const head = await accept(bed.store, creation('task'));
      const key = keyRecord('key', { taskId: 'task', messageSeq: 3 });
      await accept(bed.store, append(head, [messageEvent(3)], { keys: [key] }));
      expect(await bed.store.key(scope, 'key', 0)).toEqual(key);
    });

    it('are written each, where several messages come at once', async () => {
      const head = await accept(bed.store, creation('task'));
      const keys = [3, 4].map((messageSeq) => keyRecord(`key ${messageSeq}`, { taskId: 'task', messageSeq }));
      await accept(bed.store, append(head, [messageEvent(3), messageEvent(4)], { keys }));
      for (const key of keys) expect(await bed.store.key(scope, key.key, 0)).toEqual(key);
    });

    it('are refused while they are taken, whatever uses them', async () => {
      const key = keyRecord('key', { taskId: 'task', digest: 'first' });
      const head = await accept(bed.store, creation('task', { keys: [key] }));
      const again = keyRecord('key', { digest: 'second', expiresAt: 9_000 });
      bed.now = key.expiresAt - 1;
      expect(await commitOne(bed.store, creation('second', { keys: [again] }))).toBe('key-taken');
      expect(await commitOne(bed.store, append(head, [messageEvent(3)], { keys: [again] }))).toBe('key-taken');
      expect(await commitOne(bed.store, { kind: 'reply', key: again })).toBe('key-taken');
      expect(await bed.store.key(scope, 'key', 0)).toEqual(key);
      expect(await bed.store.head('second')).toBe(undefined);
      expect(await bed.store.head('task')).toEqual(head);
    });

    it('are taken by one of several commits at the same time', async () => {
      for (const name of ['first', 'second', 'third']) {
        const entries = [
          creation(`${name} a`, { keys: [keyRecord(name, { taskId: `${name} a` })] }),
          creation(`${name} b`, { keys: [keyRecord(name, { taskId: `${name} b` })] }),
          { kind: 'reply' as const, key: keyRecord(name, { reply: message('hello') }) },
        ];
        const results = (await Promise.all(entries.map(async (entry) => bed.store.commit([entry])))).flat();
        expect(results.toSorted()).toEqual(['key-taken', 'key-taken', 'ok']);
        const taskId = [`${name} a`, `${name} b`, undefined][results.indexOf('ok')];
        expect((await bed.store.key(scope, name, 0))?.taskId).toBe(taskId);
        const heads = await bed.store.load([`${name} a`, `${name} b`], { history: false, artifacts: false });
        expect(heads.map(({ head }) => head.id)).toEqual(taskId === undefined ? [] : [taskId]);
      }
    });

    it('are free again when they have expired', async () => {
      await accept(bed.store, creation('first', { keys: [keyRecord('key', { taskId: 'first', expiresAt: 1_000 })] }));
      expect((await bed.store.key(scope, 'key', 999))?.taskId).toBe('first');
      expect(await bed.store.key(scope, 'key', 1_000)).toBe(undefined);
      bed.now = 1_000;
      const key = keyRecord('key', { taskId: 'second', expiresAt: 2_000 });
      expect(await commitOne(bed.store, creation('second', { keys: [key] }))).toBe('ok');
      expect(await bed.store.key(scope, 'key', 1_000)).toEqual(key);
    });

    it('[rule:idempotency.scope] are separate for each tenant, subject and agent', async () => {
      const scopes = [
        scope,
        { ...scope, tenant: 'tenant' },
        { ...scope, subject: 'bob' },
        { ...scope, agent: 'another' },
        { ...scope, tenant: 'alice', subject: '' },
      ];
      const entries = scopes.map((each) => ({
        kind: 'reply' as const,
        key: keyRecord('key', { scope: each, digest: JSON.stringify(each) }),
      }));
      expect(await bed.store.commit(entries)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
      for (const each of scopes) expect((await bed.store.key(each, 'key', 0))?.digest).toBe(JSON.stringify(each));
    });

    it('are removed by a sweep when they have expired, and only then', async () => {
      const keys = [10, 20, 30].map((expiresAt) => keyRecord(`until ${expiresAt}`, { expiresAt }));
      await bed.store.commit(keys.map((key) => ({ kind: 'reply' as const, key })));
      await bed.store.sweep(20);
      expect(await bed.store.key(scope, 'until 10', 0)).toBe(undefined);
      expect(await bed.store.key(scope, 'until 20', 0)).toBe(undefined);
      expect(await bed.store.key(scope, 'until 30', 0)).toEqual(keys[2]);
    });
  });

  describe('contexts', () => {
    it('belong to the caller whose task is in them', async () => {
      expect(await bed.store.contextOwner(ALICE, 'talk')).toBe(undefined);
      await accept(bed.store, creation('first', { contextId: 'talk' }));
      expect(await bed.store.contextOwner(ALICE, 'talk')).toEqual(ALICE);
      expect(await commitOne(bed.store, creation('second', { contextId: 'talk', agent: 'another' }))).toBe('ok');
    });

    it('of the same id are another for another subject', async () => {
      const keep = (value: string) => [{ key: 'word', value, time: 10, lifetime: 50 }];
      await accept(bed.store, { ...creation('first', { contextId: 'talk' }), context: keep('of alice') });
      expect(await bed.store.contextOwner(BOB, 'talk')).toBe(undefined);
      const foreign = creation('second', { contextId: 'talk', owner: BOB });
      expect(await commitOne(bed.store, { ...foreign, context: keep('of bob') })).toBe('ok');
      for (const owner of [ALICE, BOB]) {
        expect(await bed.store.contextOwner(owner, 'talk')).toEqual(owner);
        const state = await bed.store.contextState({ ...owner, agent: AGENT }, 'talk', 11);
        expect([...state]).toEqual([['word', `of ${owner.subject}`]]);
      }
      const { heads, total } = await bed.store.list({ agent: AGENT, owner: ALICE, contextId: 'talk', limit: 5 });
      expect([heads.map(({ id }) => id), total]).toEqual([['first'], 1]);
    });

    it('of the same id in another tenant are free', async () => {
      await accept(bed.store, creation('first', { contextId: 'talk' }));
      const owner = { tenant: 'tenant', subject: 'bob' };
      expect(await commitOne(bed.store, creation('second', { contextId: 'talk', owner }))).toBe('ok');
      expect(await bed.store.contextOwner(owner, 'talk')).toEqual(owner);
      expect(await bed.store.contextOwner(ALICE, 'talk')).toEqual(ALICE);
    });
  });
}
