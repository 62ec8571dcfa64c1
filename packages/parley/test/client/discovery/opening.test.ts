import { A2AClient, type ClientOptions } from 'parley-a2a';
import { expect, it } from 'vitest';
import { startServer } from '../../support/rpc.ts';
import { agentOf } from '../../support/script.ts';
import { settableTiming } from '../support/settable-timing.ts';

/** A client, and the timers that it sets: each is a limit on one step of a call. */
async function connected(options: ClientOptions = {}) {
  const { server } = startServer(
    agentOf(async function* (task) {
      yield 'Hello, ';
      yield task.text;
    }),
  );
  const timers: number[] = [];
  const usual = settableTiming();
  const timing = {
    ...usual,
    after: (milliseconds: number, callback: () => void) => {
      timers.push(milliseconds);
      return usual.after(milliseconds, callback);
    },
  };
  const fetch: typeof globalThis.fetch = (input, init) => server.fetch(new Request(input, init));
  const client = await A2AClient.connect('http://localhost', { fetch, timing, ...options });
  timers.length = 0;
  return { client, timers };
}

const LIMIT = 12_345;

it('opens a stream once: a card that is fresh costs nothing', async () => {
  const { client, timers } = await connected({ timeout: LIMIT });
  await client.sendMessageStream('world').result;
  expect(timers.filter((milliseconds) => milliseconds === LIMIT)).toHaveLength(1);
});

it('limits a unary call once', async () => {
  const { client, timers } = await connected({ timeout: LIMIT });
  await client.sendMessage('world');
  expect(timers.filter((milliseconds) => milliseconds === LIMIT)).toHaveLength(1);
});

it('tells of an abort also while the card is fresh', async () => {
  const { client } = await connected();
  const reason = new Error('Enough');
  await expect(client.agentCard({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await expect(client.sendMessage('world', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
