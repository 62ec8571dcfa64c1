import type { A2AServerOptions } from 'parley-a2a';
import { describe, expect, it } from 'vitest';
import { type RawAnswer, sendRaw } from './support/raw-request.ts';
import { type Headers, proofOf, startVictim, type Victim } from './support/victim.ts';

const TRUSTED = 'https://app.example.com';

/** Origins that look like the trusted one, or like any. */
const STRANGERS = [
  'null',
  'https://evil.example',
  'https://app.example.com.evil.example',
  'https://evil-app.example.com',
  'https://appXexample.com',
  'https://sub.app.example.com',
  'http://app.example.com',
  'https://app.example.com:444',
  'https://app.example.com/',
  'https://app.example.com/path',
  'HTTPS://APP.EXAMPLE.COM',
  'https://app.example.com@evil.example',
  'https://app.example.com, https://evil.example',
  ' https://app.example.com.',
  'file://',
  'chrome-extension://abc',
  '*',
  'https://app.example.com\u00a0',
];

const PATHS = [
  '/a2a',
  '/a2a/tasks',
  '/a2a/tasks/x',
  '/a2a/operator/tasks',
  '/.well-known/agent-card.json',
  '/',
  '/none',
  '/readyz',
];

async function ask({ url }: Victim, method: string, path: string, headers: Headers): Promise<RawAnswer> {
  return sendRaw(url, { method, path, headers: { 'a2a-version': '1.0', ...headers } });
}

const preflightOf = (origin: string): Headers => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, x-api-key, content-type, x-evil',
  'access-control-request-private-network': 'true',
});

const corsOf = ({ headers }: RawAnswer) => Object.keys(headers).filter((name) => name.startsWith('access-control-'));

/** Every answer to a page of some origin, with and without credentials, and to its preflight. */
async function answersTo(victim: Victim, origin: string): Promise<readonly RawAnswer[]> {
  const ann = await proofOf('ann', 'API key');
  const answers: RawAnswer[] = [];
  for (const path of PATHS) {
    answers.push(await ask(victim, 'GET', path, { origin }));
    answers.push(await ask(victim, 'GET', path, { origin, ...ann }));
    answers.push(await ask(victim, 'OPTIONS', path, preflightOf(origin)));
  }
  return answers;
}

describe('CORS', () => {
  it('lets no page call unless a setting says so', async () => {
    const victim = await startVictim();
    for (const origin of [TRUSTED, ...STRANGERS]) {
      for (const answer of await answersTo(victim, origin)) expect(corsOf(answer)).toEqual([]);
    }
  });

  it.each<[string, A2AServerOptions['cors']]>([
    ['named origins', TRUSTED],
    ['named origins with credentials', { origins: [TRUSTED], credentials: true }],
  ])('reflects no origin but a named one, and tells caches: %s', async (_, cors) => {
    const victim = await startVictim({ cors });
    for (const origin of STRANGERS) {
      for (const answer of await answersTo(victim, origin)) {
        expect([origin, corsOf(answer)]).toEqual([origin, []]);
        expect(answer.headers.vary).toMatch(/\bOrigin\b/);
      }
    }
    for (const answer of await answersTo(victim, TRUSTED)) {
      expect(answer.headers['access-control-allow-origin']).toBe(TRUSTED);
      expect(answer.headers.vary).toMatch(/\bOrigin\b/);
    }
    // What a cache got without an origin must not be given to a page either.
    expect((await ask(victim, 'GET', '/.well-known/agent-card.json', {})).headers.vary).toMatch(/\bOrigin\b/);
  });

  it('never lets any page bring the cookies of its visitor', async () => {
    const victim = await startVictim({ cors: true });
    for (const origin of [TRUSTED, ...STRANGERS]) {
      for (const answer of await answersTo(victim, origin)) {
        expect(answer.headers['access-control-allow-origin']).toBe('*');
        expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      }
    }
    for (const origins of [true, '*'] as const) {
      await expect(startVictim({ cors: { origins, credentials: true } })).rejects.toThrow(/by name/);
    }
    for (const origins of ['null', ['null'], 'https://*.example.com/', '*.example.com', '']) {
      await expect(startVictim({ cors: { origins } }), String(origins)).rejects.toThrow(/not an origin/);
    }
  });

  it('answers a preflight without a look at tasks, headers that it does not know, or private networks', async () => {
    const victim = await startVictim({ cors: TRUSTED });
    victim.lookups.length = 0;
    for (const path of PATHS) {
      const { status, headers, body } = await ask(victim, 'OPTIONS', path, preflightOf(TRUSTED));
      expect([path, status, body]).toEqual([path, 204, '']);
      expect(headers['access-control-allow-headers']).not.toContain('x-evil');
      expect(headers['access-control-allow-methods']).not.toMatch(/PUT|PATCH|TRACE|CONNECT|\*/);
      expect(headers).not.toHaveProperty('access-control-allow-private-network');
    }
    expect(victim.lookups).toEqual([]);
  });
});
