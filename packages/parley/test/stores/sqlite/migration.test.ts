import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../src/stores/sqlite/file/migrations.ts';
import { faultsOfFile } from '../../crash/check/file-check.ts';
import { AGENT, ALICE, accept, BOB, creation } from '../fixtures.ts';
import { inspect, openStore, temporaryFolder } from './fixtures.ts';

/** Files that the store of an earlier commit has written. */
const FILES = [
  ['4f8def6', 'schema-6.db.gz', 6],
  ['6f6b14e', 'schema-8.db.gz', 8],
] as const;

const OF_TENANT = { tenant: 'acme', subject: 'bob' };

describe.each(FILES)('a file that was made at %s', (_, name, schema) => {
  const unpacked = () => {
    const path = join(temporaryFolder(), 'tasks.db');
    writeFileSync(path, gunzipSync(readFileSync(new URL(`./files/${name}`, import.meta.url))));
    return path;
  };

  it('is opened, sound and of the present schema', async () => {
    const path = unpacked();
    expect(inspect(path, (database) => database.pragma('user_version'))).toBe(schema);
    await (await openStore(path)).close();
    expect(inspect(path, (database) => database.pragma('user_version'))).toBe(MIGRATIONS.length);
    expect(faultsOfFile(path)).toEqual([]);
  });

  it('has its contexts, each for its owner', async () => {
    const store = await openStore(unpacked());
    expect(await store.contextOwner(ALICE, 'talk')).toEqual(ALICE);
    expect(await store.contextOwner(ALICE, 'kept')).toEqual(ALICE);
    expect(await store.contextOwner(BOB, 'talk of bob')).toEqual(BOB);
    expect(await store.contextOwner(OF_TENANT, 'talk')).toEqual(OF_TENANT);
    expect(await store.contextOwner(BOB, 'talk')).toBeUndefined();
    expect(await store.contextOwner(ALICE, 'talk of bob')).toBeUndefined();
    for (const id of ['talk', 'kept']) {
      expect([...(await store.contextState({ ...ALICE, agent: AGENT }, id, 11))]).toEqual([['word', 'kept']]);
    }
    const { heads } = await store.list({ agent: AGENT, owner: ALICE, contextId: 'talk', limit: 5 });
    expect(heads.map(({ id }) => id)).toEqual(['first']);
  });

  it('takes a context of the same id from another caller, and drops each with its own last task', async () => {
    const path = unpacked();
    const store = await openStore(path);
    await accept(store, creation('new', { contextId: 'kept', owner: BOB, node: null, state: 'completed' }));
    expect(await store.contextOwner(BOB, 'kept')).toEqual(BOB);
    expect(await store.purge({ endedBefore: 1e9, limit: 9 })).toEqual(['new', 'first']);
    expect(await store.contextOwner(BOB, 'kept')).toBeUndefined();
    expect(await store.contextOwner(ALICE, 'kept')).toEqual(ALICE);
    await store.sweep(2e12);
    expect(await store.contextOwner(ALICE, 'kept')).toBeUndefined();
    expect(await store.contextOwner(ALICE, 'talk')).toEqual(ALICE);
    await store.close();
    expect(faultsOfFile(path)).toEqual([]);
  });
});
