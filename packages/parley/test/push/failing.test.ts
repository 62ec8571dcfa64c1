import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startServer, type Wire } from '../support/rpc.ts';
import { agentOf } from '../support/script.ts';
import { isCompleted, startReceiver, toldBy } from './receiver.ts';
import { inline, LOCAL, register } from './support.ts';

const TOLD = ['working', 'hello', 'completed'];
const echo = agentOf((task) => task.text);
const messages = (logged: readonly Wire[]) => logged.map(({ message }) => message).join('\n');

describe('a webhook that fails', () => {
  it('is tried again with the same id and body, in order [rule:push.retry] [rule:push.order]', async () => {
    const receiver = await startReceiver((_, number) => ({ status: number % 3 === 2 ? 200 : 500 }));
    const { peer } = startServer(echo, { push: LOCAL });
    await peer.send('hello', {}, inline({ url: receiver.url }));
    await receiver.untilBody(isCompleted);
    expect(receiver.accepted.map(toldBy)).toEqual(TOLD);
    const attempts = receiver.received.map(({ headers, text }) => `${String(headers['webhook-id'])} ${text}`);
    expect(new Set(attempts).size).toBe(3);
    expect(attempts).toHaveLength(9);
    expect(attempts).toEqual(attempts.toSorted((one, other) => attempts.indexOf(one) - attempts.indexOf(other)));
  });

  it.each([
    [302, { location: 'http://127.0.0.1:1/' }],
    [404, {}],
    [401, {}],
    [503, {}],
  ])('is tried again after %s', async (status, headers) => {
    const receiver = await startReceiver((_, number) => (number === 0 ? { status, headers } : {}));
    const { peer } = startServer(echo, { push: LOCAL });
    await peer.send('hello', {}, inline({ url: receiver.url }));
    await receiver.untilBody(isCompleted);
    expect(receiver.accepted.map(toldBy)).toEqual(TOLD);
    expect(receiver.received).toHaveLength(4);
  });

  it('is tried again when it hangs [rule:push.retry]', async () => {
    const receiver = await startReceiver((_, number) => ({ hangs: number === 0 }));
    const { peer } = startServer(echo, { push: { ...LOCAL, timeout: 300 } });
    await peer.send('hello', {}, inline({ url: receiver.url }));
    await receiver.untilBody(isCompleted);
    expect(receiver.accepted.map(toldBy)).toEqual(TOLD);
  });

  it.each([
    [429, () => '1'],
    [503, () => new Date(Date.now() + 2_000).toUTCString()],
  ])('waits as long as %s asks for', async (status, retryAfter) => {
    const times: number[] = [];
    const receiver = await startReceiver((_, number) => {
      times.push(performance.now());
      return number === 0 ? { status, headers: { 'retry-after': retryAfter() } } : {};
    });
    const { peer } = startServer(echo, { push: LOCAL });
    await peer.send('hello', {}, inline({ url: receiver.url }));
    await receiver.untilBody(isCompleted);
    // Timers may be a little early, never much.
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(900);
  });

  it.each([
    [410, {}],
    [500, { 'webhook-delivery': 'disable' }],
  ])('gets nothing more after %s %o', async (status, headers) => {
    const receiver = await startReceiver(() => ({ status, headers }));
    const other = await startReceiver();
    const { peer, logged } = startServer(echo, { push: LOCAL });
    const task = await peer.send('hello', {}, inline({ url: receiver.url }));
    await eventually(() => messages(logged)).toContain('wants no more');
    await register(peer, task.id, { url: other.url }, { 'parley-push-snapshot': 'true' });
    await other.until(1);
    expect(receiver.received).toHaveLength(1);
  });

  it('is spared a message that it aborts, and gets the next', async () => {
    const receiver = await startReceiver((_, number) =>
      number === 1 ? { status: 422, headers: { 'webhook-delivery': 'abort-message' } } : {},
    );
    const { peer } = startServer(echo, { push: LOCAL });
    await peer.send('hello', {}, inline({ url: receiver.url }));
    await receiver.untilBody(isCompleted);
    expect(receiver.received.map(toldBy)).toEqual(TOLD);
    expect(receiver.accepted.map(toldBy)).toEqual(['working', 'completed']);
  });

  it('is paused after many failures, given up after a time, and the log says so', async () => {
    const receiver = await startReceiver(() => ({ status: 500 }));
    const retry = { firstDelay: 1, longestDelay: 2, pauseAfter: 3, pause: 20, giveUpAfter: 200 };
    const { peer, logged } = startServer(echo, { push: { ...LOCAL, retry } });
    await peer.send('hello', {}, inline({ url: receiver.url }));
    await eventually(() => messages(logged)).toContain('is given up');
    expect(messages(logged)).toContain('it is paused');
    expect(receiver.received.length).toBeGreaterThan(3);
  });
});

describe('a dead webhook', () => {
  it('delays neither its task nor another webhook [rule:push.isolated]', async () => {
    const dead = await startReceiver(() => ({ hangs: true }));
    const live = await startReceiver();
    const { peer } = startServer(echo, { push: { ...LOCAL, concurrency: { perHost: 2 } } });
    const task = await peer.send('hello', {}, inline({ id: 'live', url: live.url }));
    await live.untilBody(isCompleted);
    for (let count = 0; count < 5; count += 1) {
      await register(peer, task.id, { url: dead.url }, { 'parley-push-snapshot': 'true' });
    }
    await eventually(() => dead.open.now).toBe(2);
    const another = await peer.send('again', {}, inline({ url: live.url }));
    expect(another.status.state).toBe('TASK_STATE_COMPLETED');
    await eventually(() => live.accepted.filter(({ body }) => isCompleted(body)).length).toBe(2);
    expect(dead.open.most).toBe(2);
  });
});

describe('concurrency', () => {
  it('is bounded in all, and for one host', async () => {
    const [one, two] = [await startReceiver(later), await startReceiver(later)];
    const { peer } = startServer(echo, { push: { ...LOCAL, concurrency: { total: 3, perHost: 2 } } });
    const task = await peer.send('hello');
    const configs = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : two));
    for (const { url } of configs) await register(peer, task.id, { url }, { 'parley-push-snapshot': 'true' });
    await Promise.all([one.until(6), two.until(6)]);
    expect(Math.max(one.open.most, two.open.most)).toBeLessThanOrEqual(2);
    expect(one.open.most + two.open.most).toBeGreaterThanOrEqual(3);
  });
});

async function later() {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return {};
}

it('does not follow a redirect to where callers may not reach [rule:push.ssrf-connect]', async () => {
  const inside = createServer(() => expect.unreachable('the redirect was followed'));
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void inside.close());
  const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
  const receiver = await startReceiver((_, number) => (number < 2 ? { status: 307, headers: { location } } : {}));
  const { peer } = startServer(echo, { push: LOCAL });
  await peer.send('hello', {}, inline({ url: receiver.url }));
  await receiver.untilBody(isCompleted);
});

it('checks the address of a name again when it is called [rule:push.ssrf-connect]', async () => {
  const receiver = await startReceiver();
  let asked = 0;
  // A name that is public when it is registered, and leads to this machine when it is called.
  const resolve = () => {
    asked += 1;
    return [asked === 1 ? '93.184.215.14' : '127.0.0.1'];
  };
  const { peer, logged } = startServer(echo, { push: { resolve, retry: LOCAL.retry } });
  await peer.send('hello', {}, inline({ url: `http://rebound.example:${receiver.port}/` }));
  await eventually(() => messages(logged)).toContain('A webhook failed');
  expect(receiver.received).toEqual([]);
  expect(JSON.stringify(logged)).toContain('must not have a name that leads to');
});
