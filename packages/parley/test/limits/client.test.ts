import { A2AClient, A2AServer, type A2AServerOptions, type ClientOptions, textOf } from 'parley-a2a';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Timing } from '../../src/client/call/timing.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { agentOf } from '../support/script.ts';
import { SPEAKERS } from '../support/speakers.ts';

/** Longer timers are those of timeouts. */
const LONGEST_PAUSE = 20_000;

/** A client and a server with one clock, which goes on when the client waits. */
function connected(path: string, limits: A2AServerOptions['limits'], options: ClientOptions = {}) {
  const clock = new ManualClock();
  const pauses: number[] = [];
  const mounts = [
    { path: '/older', dialect: 'rxjs-older' },
    { path: '/cogitator', dialect: 'cogitator' },
    { path: '/jaf', dialect: 'jaf' },
    { path: '/draft', dialect: 'v1_draft' },
  ];
  const server = new A2AServer({ agents: [agentOf(() => 'done')], clock, mounts, limits });
  onTestFinished(() => server.close());
  const timing: Timing = {
    now: clock.now,
    random: () => 0,
    after(milliseconds, callback) {
      if (milliseconds > LONGEST_PAUSE) return () => {};
      pauses.push(milliseconds);
      const pass = async () => {
        await clock.advance(milliseconds);
        callback();
      };
      void pass();
      return () => {};
    },
  };
  const fetch: typeof globalThis.fetch = (input, init) => server.fetch(new Request(input, init));
  const own = { timing } as ClientOptions;
  return { client: new A2AClient(`http://localhost${path}`, { ...options, ...own, fetch }), pauses, clock };
}

describe.each(SPEAKERS)('our client in $name', ({ path, options }) => {
  it('waits as long as a limit asks, and tells how long where that is too long (S1.10)', async () => {
    const limits = { rate: { requests: 3, window: 60_000, burst: 1 } };
    const { client, pauses } = connected(path, limits, options);
    await client.sendMessage('one');
    await client.sendMessage('two');
    expect(pauses).toEqual([1000]);
    expect(textOf(await client.sendMessageStream('three').result)).toContain('done');
    expect(pauses.filter((pause) => pause >= 1000)).toEqual([1000, 1000]);
    await expect(client.sendMessage('four')).rejects.toMatchObject({
      code: 'OVERLOADED',
      httpStatus: 429,
      retryAfter: 58_000,
    });
    expect(pauses).toHaveLength(2);
  });

  it('waits no longer than it was told to', async () => {
    const limits = { rate: { requests: 1, window: 5000 } };
    const { client, pauses } = connected(path, limits, { ...options, retry: { longestDelay: 4000 } });
    await client.sendMessage('one');
    await expect(client.sendMessage('two')).rejects.toMatchObject({ code: 'OVERLOADED', retryAfter: 5000 });
    expect(pauses).toEqual([]);
  });
});
