import type { A2AServerOptions } from 'parley-a2a';
import { apiKeys, hashKey } from 'parley-a2a/auth';
import { describe, expect, it } from 'vitest';
import { type RawAnswer, sendRaw } from './support/raw-request.ts';
import { OFFICIAL, Recorder } from './support/recorded.ts';
import { type Headers, proofOf, startVictim, type Victim } from './support/victim.ts';

/** Everything that tells of agents. */
const DOCUMENTS = [
  '/.well-known/agent-card.json',
  '/.well-known/agent-card',
  '/.well-known/agent.json',
  '/.well-known/oauth-protected-resource',
  '/a2a/agents',
  '/a2a/agents/test',
  '/a2a/agents/test/card',
  '/jaf/.well-known/agent-card.json',
  '/draft/.well-known/agent-card.json',
  '/cogitator/.well-known/agent.json',
  '/',
];

const get = ({ url }: Victim, path: string, headers: Headers = {}): Promise<RawAnswer> =>
  sendRaw(url, { method: 'GET', path, headers });

function varies({ headers }: RawAnswer): readonly string[] {
  return (headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase());
}

/** Values of a proxy's headers that must not end up in anybody's card. */
const LIES: readonly Headers[] = [
  { 'x-forwarded-host': 'evil.example' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-prefix': '/evil' },
  { 'x-forwarded-port': '666' },
  { forwarded: 'host=evil.example;proto=https' },
  { 'x-host': 'evil.example' },
  { 'x-original-host': 'evil.example' },
  { 'x-forwarded-server': 'evil.example' },
];

describe('a public card', () => {
  it('is the same whatever headers of a proxy a request has', async () => {
    const victim = await startVictim();
    for (const path of DOCUMENTS) {
      const honest = await get(victim, path);
      expect(honest.status, path).toBe(200);
      for (const lie of LIES) expect(await get(victim, path, lie), JSON.stringify(lie)).toEqual(honest);
    }
  });

  it('has no address of whoever asked where the server knows its own', async () => {
    const victim = await startVictim({ url: 'https://agents.example.com', trustProxy: true });
    for (const path of DOCUMENTS) {
      const honest = await get(victim, path);
      // The server goes by another name than it was asked for.
      expect((await get(victim, path, { host: 'evil.example' })).status, path).toBe(421);
      for (const lie of LIES.filter((one) => !('x-forwarded-host' in one))) {
        expect(await get(victim, path, lie), `${path} ${JSON.stringify(lie)}`).toEqual(honest);
      }
    }
  });

  it('is not handed to others by a cache where it depends on headers of a proxy', async () => {
    const victim = await startVictim({ trustProxy: true });
    for (const path of DOCUMENTS.filter((one) => one !== '/')) {
      const poisoned = await get(victim, path, { 'x-forwarded-host': 'evil.example' });
      expect(poisoned.body, path).toContain('evil.example');
      for (const name of ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-prefix']) {
        expect(varies(poisoned), path).toContain(name);
        expect(varies(await get(victim, path)), path).toContain(name);
      }
      expect((await get(victim, path)).body).not.toContain('evil.example');
    }
    // No card at all, and in no cache.
    expect((await get(victim, '/')).headers['cache-control']).toContain('private');
  });

  it('takes no Host that is none: nothing gets out of its place in a card', async () => {
    const victim = await startVictim();
    for (const host of [
      'evil.example/path',
      'evil"example',
      'a@evil.example',
      'evil example',
      '<script>',
      'x'.repeat(300),
    ]) {
      const { status, body } = await get(victim, '/.well-known/agent-card.json', { host });
      if (status === 200) expect(body).not.toMatch(/evil.example\/path|a@evil|<script>|evil\\"example|evil example/);
    }
  });
});

describe('a guarded card', () => {
  const GUARDED: Partial<A2AServerOptions> = { card: { access: 'guarded' } };
  const CARDS = DOCUMENTS.filter((path) => !path.includes('oauth-protected-resource'));

  it('is never for a shared cache, and varies by whatever proves who reads it', async () => {
    const victim = await startVictim(GUARDED);
    for (const proof of ['API key', 'token'] as const) {
      for (const path of CARDS) {
        const answer = await get(victim, path, await proofOf('ann', proof));
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers['cache-control'], path).toMatch(/private/);
        expect(answer.headers['cache-control'], path).not.toMatch(/public|s-maxage/);
        if (path !== '/') expect(varies(answer), path).toEqual(expect.arrayContaining(['authorization', 'x-api-key']));
      }
    }
  });

  it('varies by a cookie that proves who reads it', async () => {
    const key = 'a-key-of-ann-that-is-long-enough-00';
    const keys = [{ id: 'a', hash: await hashKey(key), subject: 'ann' }];
    const victim = await startVictim({ ...GUARDED, auth: apiKeys({ keys, in: { cookie: 'session' } }) });
    const answer = await get(victim, '/.well-known/agent-card.json', { cookie: `session=${key}` });
    expect([answer.status, varies(answer).includes('cookie')]).toEqual([200, true]);
  });

  it('is not told by its ETag or date: who may not read it gets no 304', async () => {
    const victim = await startVictim(GUARDED);
    for (const path of CARDS.filter((one) => one !== '/')) {
      const { headers } = await get(victim, path, await proofOf('ann', 'token'));
      const { etag = '', 'last-modified': date = '' } = headers;
      expect(etag).not.toBe('');
      const conditions: readonly Headers[] = [
        { 'if-none-match': etag },
        { 'if-none-match': '*' },
        { 'if-modified-since': date },
      ];
      for (const condition of conditions) {
        const refused = await get(victim, path, condition);
        expect([path, refused.status, refused.headers.etag]).toEqual([path, 401, undefined]);
        const fresh = await get(victim, path, { ...condition, ...(await proofOf('bob', 'token')) });
        expect([fresh.status, fresh.headers['cache-control']]).toEqual([304, headers['cache-control']]);
      }
    }
  });
});

describe('an answer about tasks', () => {
  it('is in no cache, which would not tell callers apart by their keys', async () => {
    const victim = await startVictim();
    const ann = await proofOf('ann', 'API key');
    const recorder = new Recorder(victim.url, OFFICIAL, ann);
    const { taskId } = await recorder.begin('finish');
    for (const path of [
      '/a2a/tasks',
      `/a2a/tasks/${taskId}`,
      '/a2a/tasks/never-was',
      `/v1/tasks/${taskId}`,
      '/a2a/extendedAgentCard',
      `/a2a/tasks/${taskId}/pushNotificationConfigs`,
    ]) {
      const answer = await get(victim, path, { 'a2a-version': path.startsWith('/v1') ? '0.3' : '1.0', ...ann });
      expect([path, answer.headers['cache-control']]).toEqual([path, 'private, no-store']);
    }
  });
});
