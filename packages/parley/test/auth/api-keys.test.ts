import nodeCrypto from 'node:crypto';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type ApiKeysOptions, apiKeys, hashKey, hashPassword } from 'parley-a2a/auth';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newKey } from '../../src/server/auth/keys/key-text.ts';
import { writeKeyFile } from '../../src/server/auth/node/edit-key-file.ts';
import { readKeyFile } from '../../src/server/auth/node/key-file.ts';
import { memory } from '../../src/stores/memory.ts';
import { withStore } from '../../src/stores/with-store.ts';
import { tempFile } from '../support/temp-folder.ts';
import { refusalOf, requestWith, testTools } from './support/requests.ts';

const ONE = await newKey('one');
const TWO = await newKey();
const ENTRIES = [
  { id: ONE.id, hash: ONE.hash, subject: 'ci', scopes: ['report:write'] },
  { id: TWO.id, hash: TWO.hash, subject: 'ada' },
];
const GENERIC = { code: 'UNAUTHENTICATED', message: 'The credentials are not valid' };

function keyed(key: string) {
  return requestWith({ 'x-api-key': key });
}

describe('apiKeys()', () => {
  it('tells whose key it is', async () => {
    const guard = apiKeys({ keys: ENTRIES });
    expect(await guard.authenticate(keyed(ONE.key))).toEqual({
      subject: 'ci',
      scopes: ['report:write'],
      claims: { keyId: 'one' },
    });
    expect(await guard.authenticate(keyed(TWO.key))).toMatchObject({ subject: 'ada', scopes: [] });
    expect(guard.authenticate(requestWith({}))).toBeUndefined();
  });

  it('knows a key at once that was right before', async () => {
    const guard = apiKeys({ keys: ENTRIES });
    const identity = await guard.authenticate(keyed(ONE.key));
    expect(guard.authenticate(keyed(ONE.key))).toBe(identity);
  });

  it.each([
    ONE.key.slice(0, -1),
    `${ONE.key}x`,
    ONE.key.toUpperCase(),
    ONE.key.replace('pk_one_', `pk_${TWO.id}_`),
    'pk_one_',
    'pk_',
    ONE.hash,
    '__proto__',
    `${ONE.key}, ${TWO.key}`,
    'x'.repeat(513),
  ])('refuses %s', async (key) => {
    const guard = apiKeys({ keys: ENTRIES });
    expect(await refusalOf(() => guard.authenticate(keyed(key)))).toMatchObject(GENERIC);
  });

  it('hashes as often for a key that there is as for one that there is not', async () => {
    const digest = vi.spyOn(crypto.subtle, 'digest');
    const scrypt = vi.spyOn(nodeCrypto, 'scrypt');
    onTestFinished(() => void vi.restoreAllMocks());
    const guard = apiKeys({ keys: ENTRIES });
    await guard.authenticate(keyed(ONE.key));
    expect(digest).toHaveBeenCalledTimes(1);
    for (const [count, key] of [ONE.key.slice(0, -1), `pk_${TWO.id}_x`, 'pk_nobody_x', 'x'].entries()) {
      await refusalOf(() => guard.authenticate(keyed(key)));
      expect(digest).toHaveBeenCalledTimes(count + 2);
    }
    expect(scrypt).not.toHaveBeenCalled();
  });

  it.each<[ApiKeysOptions['in'], (key: string) => Parameters<typeof requestWith>]>([
    [{ header: 'X-Token' }, (key) => [{ 'x-token': key }]],
    [{ query: 'key' }, (key) => [{}, { url: `/a2a?x=1&key=${encodeURIComponent(key)}` }]],
    [{ cookie: 'session' }, (key) => [{ cookie: `a=b; session=${key}; c=d` }]],
    [{ cookie: 'session' }, (key) => [{ cookie: `session="${key}"` }]],
  ])('finds keys where it is told: %j', async (place, request) => {
    const guard = apiKeys({ keys: ENTRIES, in: place });
    expect(await guard.authenticate(requestWith(...request(ONE.key)))).toMatchObject({ subject: 'ci' });
    expect(await refusalOf(() => guard.authenticate(requestWith(...request('wrong'))))).toMatchObject(GENERIC);
    expect(guard.authenticate(keyed(ONE.key))).toBeUndefined();
    expect(guard.scheme).toEqual({
      type: 'apiKey',
      in: Object.keys(place ?? {})[0],
      name: Object.values(place ?? {})[0],
    });
  });

  it('refuses a request that brings several keys in one place', async () => {
    const inQuery = apiKeys({ keys: ENTRIES, in: { query: 'key' } });
    const url = `/a2a?key=${ONE.key}&key=${TWO.key}`;
    expect(await refusalOf(() => inQuery.authenticate(requestWith({}, { url })))).toMatchObject(GENERIC);
    const inCookie = apiKeys({ keys: ENTRIES, in: { cookie: 'k' } });
    const cookie = `k=${ONE.key}; k=${TWO.key}`;
    expect(await refusalOf(() => inCookie.authenticate(requestWith({ cookie })))).toMatchObject(GENERIC);
  });

  it('takes weak keys by slow hashes, of which a key that names its id needs one', async () => {
    const cost = { cost: 1024, blockSize: 8, parallelization: 1 };
    const texts = ['pk_a_hunter2', 'pk_b_hunter2', 'hunter2'];
    const hashes = await Promise.all(texts.map((text) => hashPassword(text, cost)));
    const keys = hashes.map((hash, index) => ({ id: 'abc'[index] ?? '', hash, subject: texts[index] ?? '' }));
    const scrypt = vi.spyOn(nodeCrypto, 'scrypt');
    onTestFinished(() => void vi.restoreAllMocks());
    const guard = apiKeys({ keys });
    for (const text of texts) expect(await guard.authenticate(keyed(text))).toMatchObject({ subject: text });
    expect(scrypt).toHaveBeenCalledTimes(1 + 1 + 3);
    expect(await refusalOf(() => guard.authenticate(keyed('pk_a_hunter3')))).toMatchObject(GENERIC);
    expect(scrypt).toHaveBeenCalledTimes(6);
    expect(await refusalOf(() => guard.authenticate(keyed('hunter3')))).toMatchObject(GENERIC);
    expect(scrypt).toHaveBeenCalledTimes(9);
    const many = Array.from({ length: 17 }, (_, index) => ({ id: `k${index}`, hash: hashes[0] ?? '', subject: 'x' }));
    expect(() => apiKeys({ keys: many })).toThrow('More than 16 keys have slow hashes');
  });

  it('takes keys that others have made', async () => {
    const guard = apiKeys({
      keys: [{ id: 'ext', hash: await hashKey('sk-live-9f8e7d6c5b4a39281706'), subject: 'ext' }],
    });
    expect(await guard.authenticate(keyed('sk-live-9f8e7d6c5b4a39281706'))).toMatchObject({ subject: 'ext' });
  });

  it.each<[unknown, string]>([
    [{ keys: [], file: 'x' }, 'apiKeys: give either keys or a file'],
    [{ keys: [1] }, 'Key 1 is not an object'],
    [{ keys: [{ ...ENTRIES[0], id: 'a_b' }] }, 'The id of key 1'],
    [{ keys: [{ ...ENTRIES[0], subject: '' }] }, 'there is no subject'],
    [{ keys: [{ ...ENTRIES[0], scopes: 'x' }] }, 'The scopes of key "one"'],
    [{ keys: [{ ...ENTRIES[0], hash: 'plain' }] }, 'The hash of key "one" cannot be used'],
    [{ keys: [{ ...ENTRIES[0], hash: 'sha256:AAAA' }] }, 'It is not a digest of 32 bytes'],
    [{ keys: [ENTRIES[0], ENTRIES[0]] }, 'Two keys have the id "one"'],
    [{ keys: ENTRIES, in: {} }, 'apiKeys: in must name one'],
    [{ keys: ENTRIES, in: { header: 'a', query: 'b' } }, 'apiKeys: in must name one'],
  ])('checks its options: %j', (options, problem) => {
    expect(() => apiKeys(options as ApiKeysOptions)).toThrow(problem);
  });
});

describe('a file of keys', () => {
  async function served() {
    const file = tempFile('keys.json');
    await writeKeyFile(file, ENTRIES);
    const tools = testTools();
    const guard = apiKeys({ file });
    await guard.open?.(tools);
    const attempt = async (key: string) => {
      tools.time += 100;
      return Promise.resolve(guard.authenticate(keyed(key))).then(
        (identity) => identity?.subject,
        () => 'refused',
      );
    };
    return { file, tools, guard, attempt };
  }

  it('may change while the server runs', async () => {
    const { file, attempt, guard } = await served();
    expect(await attempt(ONE.key)).toBe('ci');
    expect(guard.authenticate(keyed(ONE.key))).toMatchObject({ subject: 'ci' });
    await writeKeyFile(file, ENTRIES.slice(1));
    expect(await attempt(ONE.key)).toBe('refused');
    expect(await attempt(TWO.key)).toBe('ada');
    await writeKeyFile(file, ENTRIES);
    expect(await attempt(ONE.key)).toBe('ci');
  });

  it('that has a mistake leaves the keys as they were, and the log says so once', async () => {
    const { file, attempt, tools } = await served();
    for (const content of ['{ "keys": [', '[]', '{"keys": [{"id": "x"}]}']) {
      tools.lines.length = 0;
      writeFileSync(file, content);
      expect(await attempt(ONE.key)).toBe('ci');
      expect(await attempt('wrong')).toBe('refused');
      expect(tools.lines).toHaveLength(1);
      expect(tools.lines[0]).toMatch(/^The file of API keys cannot be used; the keys stay as they were/);
    }
    rmSync(file);
    expect(await attempt(ONE.key)).toBe('ci');
    await writeKeyFile(file, []);
    expect(await attempt(ONE.key)).toBe('refused');
  });

  it('may come after the server has started', async () => {
    const file = tempFile('keys.json');
    const tools = testTools();
    const guard = apiKeys({ file });
    await guard.open?.(tools);
    expect(tools.lines).toEqual([expect.stringMatching(/^There is no file of API keys yet/)]);
    expect(await refusalOf(() => guard.authenticate(keyed(ONE.key)))).toMatchObject(GENERIC);
    await writeKeyFile(file, ENTRIES);
    tools.time += 100;
    expect(await guard.authenticate(keyed(ONE.key))).toMatchObject({ subject: 'ci' });
  });

  it('is written as a whole, for its owner alone, and read back', async () => {
    const { file } = await served();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await readKeyFile(file)).map(({ entry }) => entry)).toEqual(ENTRIES);
  });

  it('that others may write is told of', async () => {
    const { file, attempt, tools } = await served();
    chmodSync(file, 0o666);
    expect(await attempt(ONE.key)).toBe('ci');
    expect(tools.lines.join()).toContain('Others may write the file of API keys');
  });
});

describe('keys in the store', () => {
  it('are found by their id, added and removed at any time', async () => {
    const store = memory();
    const tools = { ...testTools(), store };
    const guard = apiKeys();
    await guard.open?.({ ...tools, now: () => tools.time });
    const attempt = async (key: string) => {
      tools.time += 100;
      return Promise.resolve(guard.authenticate(keyed(key))).then(
        (identity) => identity?.subject,
        (error: { code: string }) => error.code,
      );
    };
    expect(await attempt(ONE.key)).toBe('UNAUTHENTICATED');
    await store.addApiKey({ id: ONE.id, hash: ONE.hash, subject: 'ci', scopes: [], createdAt: 0 });
    expect(await attempt(ONE.key)).toBe('ci');
    expect(guard.authenticate(keyed(ONE.key))).toMatchObject({ subject: 'ci' });
    expect(await attempt(`${ONE.key}x`)).toBe('UNAUTHENTICATED');
    for (const text of ['x', 'pk_', "pk_'; DROP TABLE api_keys_x", `pk_${TWO.id}_x`]) {
      expect(await attempt(text)).toBe('UNAUTHENTICATED');
    }
    await store.removeApiKey(ONE.id);
    expect(await attempt(ONE.key)).toBe('UNAUTHENTICATED');
  });

  it('that cannot be read are told of in the log, and the caller may try again', async () => {
    const tools = testTools();
    const store = withStore(memory(), { apiKey: () => Promise.reject(new Error('disk')) });
    const guard = apiKeys();
    await guard.open?.({ ...tools, store });
    expect(await refusalOf(() => guard.authenticate(keyed(ONE.key)))).toMatchObject({ code: 'UNAVAILABLE' });
    expect(tools.lines).toEqual(['The API keys of the store cannot be read Error: disk']);
  });

  it('need a store', async () => {
    await expect(async () => apiKeys().open?.(testTools())).rejects.toThrow('there is none');
  });
});
