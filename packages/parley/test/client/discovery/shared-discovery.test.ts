import { A2AClient } from 'parley-a2a';
import { expect, it, vi } from 'vitest';
import { agentWith, cardOf, fetchOf } from '../support/recorded.ts';
import { settableTiming } from '../support/settable-timing.ts';

const ADDRESS = 'https://agent.example';
const HOUR = 3_600_000;

/** An agent whose card comes when it is let go, or never. */
function agentWithSlowCard() {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const agent = agentWith(cardOf());
  const slow = { is: true };
  const { fetch: answer, sent } = fetchOf(agent);
  const send: typeof fetch = async (input, init) => {
    if (slow.is && new Request(input).url.includes('/.well-known/')) {
      const aborted = new Promise<never>((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      });
      await Promise.race([gate, aborted]);
    }
    return answer(input, init);
  };
  return { fetch: send, sent, letGo, slow };
}

it('does not fail a call because another one that looked for the card too was given up', async () => {
  const { fetch, letGo } = agentWithSlowCard();
  const agent = new A2AClient(ADDRESS, { fetch });
  const abort = new AbortController();
  const first = agent.getTask('t', { signal: abort.signal });
  const second = agent.getTask('t');
  abort.abort(new Error('not wanted any more'));
  await expect(first).rejects.toThrow('not wanted any more');
  letGo();
  await expect(second).resolves.toMatchObject({ id: 't' });
});

it('limits the time of a call that waits for the card with others', async () => {
  const { fetch, letGo } = agentWithSlowCard();
  const agent = new A2AClient(ADDRESS, { fetch });
  const first = agent.getTask('t');
  await expect(agent.getTask('t', { timeout: 20 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  letGo();
  await expect(first).resolves.toMatchObject({ id: 't' });
});

it('ends the request for the card when nobody waits for it any more, and makes another one later', async () => {
  const { fetch, letGo } = agentWithSlowCard();
  const send = vi.fn(fetch);
  const agent = new A2AClient(ADDRESS, { fetch: send });
  const calls = [agent.getTask('t', { timeout: 10 }), agent.getTask('t', { timeout: 20 })];
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(send).toHaveBeenCalledOnce();
  expect(send.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
  letGo();
  await expect(agent.getTask('t')).resolves.toMatchObject({ id: 't' });
});

it('goes on with the card that it knows where it cannot hear of another in time', async () => {
  const { fetch, slow } = agentWithSlowCard();
  slow.is = false;
  const timing = settableTiming();
  const agent = await A2AClient.connect(ADDRESS, { fetch, timing });
  slow.is = true;
  timing.time += 2 * HOUR;
  await expect(agent.getTask('t', { timeout: 2_000 })).resolves.toMatchObject({ id: 't' });
});
