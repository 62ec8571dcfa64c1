import { deviceCode, oauth } from 'parley-a2a/oauth';
import { expect, it } from 'vitest';
import type { Timing } from '../../src/client/call/timing.ts';
import { AGENT, LOGIN, repliesOf, requestFor, scriptedFetch } from './support/scripted.ts';

/** Time that passes as soon as somebody waits for it; the pauses are noted. */
function passingTime() {
  const pauses: number[] = [];
  let time = Date.UTC(2030, 0, 1);
  const timing: Timing = {
    now: () => time,
    after(milliseconds, callback) {
      pauses.push(milliseconds / 1000);
      time += milliseconds;
      queueMicrotask(callback);
      return () => {};
    },
    random: () => 0.5,
  };
  return { timing, pauses };
}

const BEGUN = { device_code: 'd', user_code: 'USER', verification_uri: `${LOGIN}/go`, expires_in: 900 };
const refusal = (error: string, status = 400) => Response.json({ error }, { status });

async function login(begun: object, answers: (() => object | Response)[]) {
  const { fetch, sent } = scriptedFetch(
    repliesOf({
      [`${LOGIN}/device`]: begun,
      [`${LOGIN}/token`]: () => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? {},
    }),
  );
  const { timing, pauses } = passingTime();
  const shown: object[] = [];
  const flow = deviceCode({ onCode: (code) => void shown.push(code) });
  const result = oauth({ clientId: 'public', flow, fetch, timing })(requestFor());
  return { result: await result.catch((error: unknown) => error), pauses, shown, sent };
}

const pending = () => refusal('authorization_pending');
const done = () => ({ access_token: 'token' });

it('is asked for until the person has decided, as slowly as the server wants', async () => {
  const answers = [pending, () => refusal('slow_down'), pending, () => refusal('slow_down'), done];
  const { result, pauses, shown, sent } = await login({ ...BEGUN, interval: 7 }, answers);
  expect(result).toBe('token');
  expect(pauses).toEqual([7, 7, 12, 12, 17]);
  expect(shown).toMatchObject([
    { userCode: 'USER', verificationUri: `${LOGIN}/go`, verificationUriComplete: undefined },
  ]);
  const [first, ...polls] = sent.filter(({ method }) => method === 'POST');
  expect(Object.fromEntries(first?.form ?? [])).toEqual({
    client_id: 'public',
    scope: 'read write',
    resource: `${AGENT}/a2a`,
  });
  expect(Object.fromEntries(polls[0]?.form ?? [])).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: 'd',
    resource: `${AGENT}/a2a`,
    client_id: 'public',
  });
});

it.for([
  [undefined, 5],
  [0, 5],
  [-1, 5],
  ['x', 5],
  [1e9, 60],
] as const)('an interval of %s seconds is one of %s', async ([interval, used]) => {
  const { pauses } = await login({ ...BEGUN, interval }, [done]);
  expect(pauses).toEqual([used]);
});

it('is asked for more slowly while the server is away', async () => {
  const lost = () => {
    throw new TypeError('fetch failed');
  };
  const { result, pauses } = await login(BEGUN, [lost, () => new Response('', { status: 502 }), done]);
  expect([result, pauses]).toEqual(['token', [5, 10, 20]]);
});

it.for([
  ['access_denied', 'The person did not allow it'],
  ['expired_token', 'The code was not used in time'],
  ['invalid_grant', `${LOGIN} gives no token: invalid_grant`],
] as const)('%s is the end', async ([error, message]) => {
  const { result, pauses } = await login(BEGUN, [pending, () => refusal(error), done]);
  expect(result).toMatchObject({ code: 'UNAUTHENTICATED', message, reason: error });
  expect(pauses).toEqual([5, 5]);
});

it.for([900, undefined, 1e12, -5])('is given up when its time is over: %s seconds', async (expires_in) => {
  const { result, pauses } = await login({ ...BEGUN, expires_in, interval: 60 }, [pending]);
  expect(result).toMatchObject({ code: 'UNAUTHENTICATED', message: 'The code was not used in time' });
  expect(pauses.length).toBe(expires_in === 900 ? 15 : 30);
});

it.for([
  { ...BEGUN, user_code: undefined },
  { ...BEGUN, user_code: 'x'.repeat(65) },
  { ...BEGUN, device_code: 5 },
  { ...BEGUN, verification_uri: 'javascript:alert(1)' },
  { ...BEGUN, verification_uri: 'http://login.example/go' },
  { ...BEGUN, verification_uri: 'http://127.0.0.1:9/go' },
  { ...BEGUN, verification_uri: undefined },
  { ...BEGUN, verification_uri_complete: 'file:///etc/passwd' },
])('a strange beginning is refused, and nobody is told: %o', async (begun) => {
  const { result, shown } = await login(begun, [done]);
  expect(result).toMatchObject({ code: 'INVALID_RESPONSE' });
  expect(shown).toEqual([]);
});
