import { A2AServer } from 'parley-a2a';
import { flexibleRates } from 'parley-a2a/ports';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MemoryRates } from '../../src/server/limits/rates/memory-rates.ts';
import { agentOf } from '../support/script.ts';

/** The server's own clock plays no part: windows are so long that none ends during a test. */
const WINDOW = 3_600_000;

describe('rates counted by rate-limiter-flexible', () => {
  it('are those of the limit, and what a burst refuses is not counted', async () => {
    const rates = flexibleRates((options) => new RateLimiterMemory(options));
    const limit = { requests: 3, window: WINDOW };
    expect(await rates.take('one', limit, 0)).toMatchObject({ exceeded: undefined, remaining: 2 });
    expect(await rates.take('one', limit, 0)).toMatchObject({ exceeded: undefined, remaining: 1 });
    expect(await rates.take('other', limit, 0)).toMatchObject({ exceeded: undefined, remaining: 2 });
    expect(await rates.take('one', limit, 0)).toMatchObject({ exceeded: undefined, remaining: 0 });
    const refused = await rates.take('one', limit, 0);
    expect(refused).toMatchObject({ exceeded: 'requests', remaining: 0 });
    expect(refused.reset).toBeGreaterThan(0);
    expect(refused.reset).toBeLessThanOrEqual(WINDOW);
  });

  it('give back what a burst refuses', async () => {
    const points = new Map<string, number>();
    const rates = flexibleRates(({ points: most, keyPrefix }) => ({
      consume: (key) => {
        const used = (points.get(keyPrefix + key) ?? 0) + 1;
        points.set(keyPrefix + key, used);
        const result = { remainingPoints: Math.max(0, most - used), msBeforeNext: 500 };
        return used > most ? Promise.reject(result) : Promise.resolve(result);
      },
      reward: async (key) => void points.set(keyPrefix + key, (points.get(keyPrefix + key) ?? 0) - 1),
    }));
    const limit = { requests: 5, window: WINDOW, burst: 1 };
    expect(await rates.take('one', limit, 0)).toMatchObject({ remaining: 4, burstRemaining: 0 });
    for (let count = 0; count < 3; count += 1) {
      const refused = { exceeded: 'burst', remaining: 4, burstRemaining: 0, burstReset: 500 };
      expect(await rates.take('one', limit, 0)).toMatchObject(refused);
    }
  });

  it('pass twice the quota where two windows meet, which our own counter does not', async () => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const limit = { requests: 10, window: 1_000 };
    const theirs = flexibleRates((options) => new RateLimiterMemory(options));
    const ours = new MemoryRates();
    const passed = { theirs: 0, ours: 0 };
    // The first request begins a window that stands still; the others come around its end, within 200 ms.
    for (const [time, count] of [
      [0, 1],
      [900, 9],
      [1_100, 10],
    ] as const) {
      vi.setSystemTime(time);
      await vi.advanceTimersByTimeAsync(0);
      for (let number = 0; number < count; number += 1) {
        const [one, other] = [await theirs.take('one', limit, time), ours.take('one', limit, time)];
        if (time > 0 && !one.exceeded) passed.theirs += 1;
        if (time > 0 && !other.exceeded) passed.ours += 1;
      }
    }
    expect(passed).toEqual({ theirs: 19, ours: 10 });
  });

  it('hand on that the store fails', async () => {
    const failing = { consume: () => Promise.reject(new Error('no network')), reward: () => Promise.resolve() };
    await expect(flexibleRates(() => failing).take('one', { requests: 1, window: WINDOW }, 0)).rejects.toThrow(
      'no network',
    );
  });

  it('serve a server, its refusals included', async () => {
    const rateStore = flexibleRates((options) => new RateLimiterMemory(options));
    const limits = { rate: { requests: 1, window: WINDOW }, rateStore };
    const server = new A2AServer({ agents: [agentOf(() => 'done')], limits });
    onTestFinished(() => server.close());
    const ask = () => {
      const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'go' }] };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
      const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
      return server.fetch(new Request('http://localhost/a2a', { method: 'POST', body, headers }));
    };
    expect((await ask()).headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
