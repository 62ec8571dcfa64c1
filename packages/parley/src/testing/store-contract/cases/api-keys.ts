import type { ApiKeyRecord } from '../../../engine/ports.ts';
import type { StoreTestBed, TestRunner } from '../runner.ts';

function apiKey(id: string, changes: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return { id, hash: 'sha256:abc', subject: 'alice', scopes: [], createdAt: 1_800_000_000_000, ...changes };
}

export function describeApiKeys({ describe, it, expect }: TestRunner, bed: StoreTestBed): void {
  describe('API keys', () => {
    it('are added, listed, and kept as they are', async () => {
      expect(await bed.store.apiKey('one')).toBe(undefined);
      expect(await bed.store.listApiKeys()).toEqual([]);
      const one = apiKey('one', { subject: 'é\uD800😀', tenant: 'Straße/1', scopes: ['report:write', '"quoted"'] });
      expect(await bed.store.addApiKey(one)).toBe(true);
      expect(await bed.store.addApiKey(apiKey('another'))).toBe(true);
      expect(await bed.store.apiKey('one')).toEqual(one);
      expect(await bed.store.listApiKeys()).toEqual([apiKey('another'), one]);
    });

    it('never take the id of another', async () => {
      await bed.store.addApiKey(apiKey('one'));
      expect(await bed.store.addApiKey(apiKey('one', { subject: 'mallory' }))).toBe(false);
      expect(await bed.store.apiKey('one')).toEqual(apiKey('one'));
    });

    it('are those of one of several who add or remove an id at the same time', async () => {
      for (const id of ['one', 'two', 'three']) {
        const records = ['alice', 'bob', 'carol'].map((subject) => apiKey(id, { subject }));
        const added = await Promise.all(records.map(async (record) => bed.store.addApiKey(record)));
        expect(added.filter(Boolean).length).toBe(1);
        expect(await bed.store.apiKey(id)).toEqual(records[added.indexOf(true)]);
        const removed = await Promise.all([1, 2, 3].map(async () => bed.store.removeApiKey(id)));
        expect(removed.filter(Boolean).length).toBe(1);
        expect(await bed.store.apiKey(id)).toBe(undefined);
      }
    });

    it('are gone once they are removed', async () => {
      await bed.store.addApiKey(apiKey('one'));
      await bed.store.addApiKey(apiKey('two'));
      expect(await bed.store.removeApiKey('one')).toBe(true);
      expect(await bed.store.removeApiKey('one')).toBe(false);
      expect(await bed.store.apiKey('one')).toBe(undefined);
      expect(await bed.store.listApiKeys()).toEqual([apiKey('two')]);
      expect(await bed.store.addApiKey(apiKey('one', { subject: 'bob' }))).toBe(true);
    });

    it('stay when tasks are purged and expired things are swept away', async () => {
      await bed.store.addApiKey(apiKey('one'));
      await bed.store.purge({ endedBefore: Number.MAX_SAFE_INTEGER, limit: 10 });
      await bed.store.sweep(Number.MAX_SAFE_INTEGER);
      expect(await bed.store.apiKey('one')).toEqual(apiKey('one'));
    });
  });
}
