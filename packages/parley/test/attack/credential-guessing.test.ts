import { A2AServer, type A2AServerOptions } from 'parley-a2a';
import { apiKeys, custom, hashKey } from 'parley-a2a/auth';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ManualClock } from '../support/manual-clock.ts';
import type { Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';

const agent = agentOf(() => 'done');
const WINDOW = 60_000;

interface Form {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
  readonly version: string;
  readonly limitIn: (answer: Wire) => unknown;
}

const NEWER = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] };
const OLDER = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'go' }] };
const rpc = (method: string, message: unknown) => ({ jsonrpc: '2.0', id: 7, method, params: { message } });
const detailed = (details: readonly Wire[]) => details.find(({ reason }) => reason === 'OVERLOADED')?.metadata.limit;

const FORMS: readonly Form[] = [
  {
    name: '1.0 JSON-RPC',
    path: '/a2a',
    body: rpc('SendMessage', NEWER),
    version: '1.0',
    limitIn: ({ id, error }) => id === 7 && detailed(error.data),
  },
  {
    name: '1.0 HTTP+JSON',
    path: '/a2a/message:send',
    body: { message: NEWER },
    version: '1.0',
    limitIn: ({ error }) => error.code === 429 && detailed(error.details),
  },
  {
    name: 'rxjs',
    path: '/api/a2a',
    body: rpc('message/send', OLDER),
    version: '0.3',
    limitIn: ({ id, error }) => id === 7 && error.data.limit,
  },
];

/** A server that counts how often it checks a key. */
function start(options: Partial<A2AServerOptions> = {}, warnings: [string, unknown][] = []) {
  const clock = new ManualClock();
  const checked: string[] = [];
  const auth = custom(
    ({ token }) => {
      if (token) checked.push(token);
      return token?.startsWith('good') ? { subject: token } : undefined;
    },
    { scheme: { type: 'apiKey', in: 'header', name: 'x-key' } },
  );
  const server = new A2AServer({
    agents: [agent],
    clock,
    auth,
    log: { error: () => undefined, warn: (text, details) => void warnings.push([text, details]) },
    drainTimeout: 0,
    ...options,
    limits: { failedCredentials: { attempts: 5, window: WINDOW }, ...options.limits },
  });
  onTestFinished(() => server.close());
  const ask = (
    key: string | undefined,
    { form = FORMS[0] as Form, address = '192.0.2.1' as string | null, forwarded = '' } = {},
  ) => {
    const headers = {
      'content-type': 'application/json',
      'a2a-version': form.version,
      ...(key && { 'x-key': key }),
      ...(forwarded && { 'x-forwarded-for': forwarded }),
    };
    const request = new Request(`http://localhost${form.path}`, {
      method: 'POST',
      body: JSON.stringify(form.body),
      headers,
    });
    return server.fetch(request, address === null ? undefined : { remoteAddr: { hostname: address } });
  };
  /** How many of ten guesses are refused as wrong; the others are not checked. */
  const guesses = async (details?: (round: number) => Parameters<typeof ask>[1]) => {
    const statuses: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const given = details?.(round);
      statuses.push((await ask(`guess ${crypto.randomUUID()}`, given)).status);
    }
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    return statuses.filter((status) => status === 401).length;
  };
  return { server, clock, ask, guesses, checked };
}

describe.each(FORMS)('wrong credentials in $name', (form) => {
  it('are no longer checked once they are too many, for the rest of the window', async () => {
    const { clock, ask, checked } = start();
    for (let count = 0; count < 5; count += 1) expect((await ask(`guess ${count}`, { form })).status).toBe(401);
    await clock.advance(20_000);
    for (const key of ['guess again', 'good but new']) {
      const refused = await ask(key, { form });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('40');
      expect(refused.headers.get('www-authenticate')).toBe(null);
      expect(form.limitIn(await refused.json())).toBe('failedCredentials');
    }
    expect(checked).toHaveLength(5);
    await clock.advance(40_000);
    expect((await ask('good but new', { form })).status).toBe(200);
    expect((await ask('guess again', { form })).status).toBe(401);
  });
});

describe('whoever guesses', () => {
  it('does not lock out a caller at the same address who was let in before', async () => {
    const { ask, guesses, checked } = start();
    expect((await ask('good: alice')).status).toBe(200);
    expect(await guesses()).toBe(5);
    for (let count = 0; count < 20; count += 1) expect((await ask('good: alice')).status).toBe(200);
    expect((await ask('good: bob')).status).toBe(429);
    expect(checked).not.toContain('good: bob');
  });

  it('learns nothing of credentials that are in use at another address', async () => {
    const { ask, guesses } = start();
    expect((await ask('good: alice', { address: '198.51.100.7' })).status).toBe(200);
    expect(await guesses()).toBe(5);
    expect((await ask('good: alice')).status).toBe(429);
    expect((await ask('good: alice', { address: '198.51.100.7' })).status).toBe(200);
  });

  it('cannot keep the address closed for longer than the window', async () => {
    const { clock, ask, guesses } = start();
    expect(await guesses()).toBe(5);
    for (let second = 0; second < 59; second += 1) {
      await clock.advance(1000);
      expect(await guesses(() => undefined)).toBe(0);
    }
    await clock.advance(1000);
    expect((await ask('good: late')).status).toBe(200);
    // From now on it is known.
    expect(await guesses()).toBe(5);
    expect((await ask('good: late')).status).toBe(200);
  });

  it('gains nothing by another address of the same network, nor by a header', async () => {
    const { guesses } = start();
    expect(await guesses((round) => ({ address: `2001:db8::${round + 1}` }))).toBe(5);
    expect(await guesses((round) => ({ forwarded: `203.0.113.${round}` }))).toBe(5);
  });

  it('is told apart behind a proxy that is trusted, by the address that the proxy saw', async () => {
    const { guesses, ask } = start({ trustProxy: true });
    expect(await guesses((round) => ({ forwarded: `203.0.113.${round}, 198.51.100.1` }))).toBe(5);
    expect((await ask('good: other', { forwarded: '198.51.100.2' })).status).toBe(200);
  });

  it('closes nothing to requests without credentials, and nothing where no address is known', async () => {
    const { ask, guesses } = start();
    expect(await guesses()).toBe(5);
    expect((await ask(undefined)).status).toBe(401);
    expect(await guesses(() => ({ address: null }))).toBe(10);
  });

  it('is in the log once for each window', async () => {
    const warnings: [string, unknown][] = [];
    const { guesses } = start({}, warnings);
    await guesses();
    await guesses();
    const told = warnings.filter(([text]) => text.startsWith('Too many wrong credentials'));
    expect(told).toEqual([[expect.any(String), { address: '192.0.2.1', attempts: 5, milliseconds: WINDOW }]]);
  });

  it('is bounded by default, over a socket too, and not at all where the setting says so', async () => {
    const key = 'pk_one_abcdefghijklmnopqrstuvwxyz012345';
    const statusesOf = async (limits: A2AServerOptions['limits']) => {
      const auth = apiKeys({ keys: [{ id: 'one', hash: await hashKey(key), subject: 'ann' }] });
      const log = { error: () => undefined, warn: () => undefined };
      const server = new A2AServer({ agents: [agent], auth, log, drainTimeout: 0, limits });
      onTestFinished(() => server.close());
      const { url } = await server.listen({ port: 0 });
      const ask = async (given: string) => {
        const headers = { 'content-type': 'application/json', 'a2a-version': '1.0', 'x-api-key': given };
        const body = JSON.stringify(rpc('SendMessage', NEWER));
        return (await fetch(new URL('/a2a', url), { method: 'POST', body, headers })).status;
      };
      const statuses: number[] = [await ask(key)];
      for (let count = 0; count < 110; count += 1) statuses.push(await ask(`guess-${count}`));
      return [...statuses, await ask(key)];
    };
    expect(await statusesOf({})).toEqual([200, ...Array(100).fill(401), ...Array(10).fill(429), 200]);
    expect(await statusesOf({ failedCredentials: false })).toEqual([200, ...Array(110).fill(401), 200]);
  });

  it.each([
    [{ attempts: 0, window: 1000 }, /limits\.failedCredentials\.attempts must be a whole number above 0, not 0/],
    [{ attempts: 5, window: Number.NaN }, /limits\.failedCredentials\.window must be a whole number above 0, not NaN/],
  ])('makes a setting that makes no sense fail at the start: %j', (failedCredentials, problem) => {
    expect(() => start({ limits: { failedCredentials } })).toThrow(problem);
  });
});
